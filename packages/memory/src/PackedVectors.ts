/**
 * The vectors of a large memory in one file of bytes, which a process reads and compares in about 15 ms per 100,000 notes:
 * opening a table of LanceDB takes ten times as long. Numbers have eight bits, so similarities are accurate to about a
 * thousandth. The byte order is that of the machine. Pure.
 */
import type { NoteStore } from "@bough/tool"
import * as DotProducts from "./DotProducts.ts"
import type { Identity } from "./Embedder.ts"
import type { Similar, VectorRow } from "./VectorTable.ts"

interface Parts {
  readonly rows: Float64Array
  readonly users: Int32Array
  readonly projects: Int32Array
  readonly kinds: Int32Array
  /** The scale of each row's numbers. */
  readonly scales: Float32Array
  /** The numbers of each row, one row after another, each at a multiple of `DotProducts.strideOf`. */
  readonly numbers: Int8Array
}

export interface PackedVectorFile extends Parts {
  /** The counters of the store up to which the file has all rows. */
  readonly written: number
  readonly dropped: number
  /** The bytes of the file, with space for a comparison. */
  readonly memory: DotProducts.Memory
}

const format = 1
/** The number of bytes before the part that the checksum covers. */
const unchecked = 8
const headerBytes = 40

interface Shape {
  readonly count: number
  readonly dimension: number
  /** The length of the model's name, which follows the header. */
  readonly nameBytes: number
}

const partsAt = (nameBytes: number): number => headerBytes + Math.ceil(nameBytes / 8) * 8

const bytesOf = ({ count, dimension, nameBytes }: Shape): number =>
  partsAt(nameBytes) + count * (8 + 4 * 4 + DotProducts.strideOf(dimension))

/** Returns views of the parts of a file, for reading or writing. */
const partsOf = (buffer: ArrayBuffer, { count, dimension, nameBytes }: Shape): Parts => {
  const bytes = DotProducts.strideOf(dimension)
  let at = partsAt(nameBytes)
  const next = (length: number): number => (at += length) - length
  return {
    rows: new Float64Array(buffer, next(count * 8), count),
    users: new Int32Array(buffer, next(count * 4), count),
    projects: new Int32Array(buffer, next(count * 4), count),
    kinds: new Int32Array(buffer, next(count * 4), count),
    scales: new Float32Array(buffer, next(count * 4), count),
    numbers: new Int8Array(buffer, next(count * bytes), count * bytes)
  }
}

/**
 * Returns a checksum over every 64th word. It detects damage by a power cut or a disk, because such damage covers at
 * least a sector, which has 128 words.
 */
const sumOf = (buffer: ArrayBuffer, bytes: number): number => {
  const words = new Uint32Array(buffer, unchecked, Math.floor((bytes - unchecked) / 4))
  let sum = 0
  for (let index = 0; index < words.length; index += index < headerBytes ? 1 : 64) sum = (sum + words[index]) >>> 0
  return sum
}

/**
 * Allocates the memory into which a file of that length is read, for the maximum number of rows that the file can have.
 */
export const memoryFor = (bytes: number, { dimension }: Identity): DotProducts.Memory => {
  const maxRows = Math.ceil(bytes / (24 + DotProducts.strideOf(dimension)))
  return DotProducts.memoryFor(bytes + DotProducts.roomFor(maxRows, dimension))
}

/** `bytes`: the length of the file. Null: the file has another format, is damaged, or has vectors of another model. */
export const decode = (
  memory: DotProducts.Memory,
  bytes: number,
  { dimension, modelId }: Identity
): PackedVectorFile | null => {
  const { buffer } = memory
  if (bytes < headerBytes) return null
  const header = new DataView(buffer)
  const shape = { count: header.getUint32(8, true), dimension, nameBytes: header.getUint32(16, true) }
  if (header.getUint32(0, true) !== format || header.getUint32(12, true) !== dimension) return null
  if (bytes !== bytesOf(shape) || header.getUint32(4, true) !== sumOf(buffer, bytes)) return null
  if (new TextDecoder().decode(new Uint8Array(buffer, headerBytes, shape.nameBytes)) !== modelId) return null
  return {
    written: header.getFloat64(24, true),
    dropped: header.getFloat64(32, true),
    memory,
    ...partsOf(buffer, shape)
  }
}

export interface Contents {
  /** Rows that are packed already; null: no rows are. */
  readonly old: PackedVectorFile | null
  readonly added: ReadonlyArray<VectorRow>
  readonly gone: ReadonlySet<number>
  readonly counters: { readonly written: number; readonly dropped: number }
}

const maxInteger = 127

/** Makes the file from the old and the added rows, without the removed rows. */
export const encode = ({ added, counters, gone, old }: Contents, { dimension, modelId }: Identity): Uint8Array => {
  const stride = DotProducts.strideOf(dimension)
  const keptIndexes = old === null ? [] : Array.from(old.rows.keys()).filter((index) => !gone.has(old.rows[index]))
  const fresh = added.filter(({ row }) => !gone.has(row))
  const name = new TextEncoder().encode(modelId)
  const shape = { count: keptIndexes.length + fresh.length, dimension, nameBytes: name.length }
  const bytes = new Uint8Array(bytesOf(shape))
  const parts = partsOf(bytes.buffer, shape)
  if (old !== null) {
    keptIndexes.forEach((from, to) => {
      for (const part of ["rows", "users", "projects", "kinds", "scales"] as const) parts[part][to] = old[part][from]
      parts.numbers.set(old.numbers.subarray(from * stride, (from + 1) * stride), to * stride)
    })
  }
  fresh.forEach(({ kind, project, row, user, vector }, index) => {
    const to = keptIndexes.length + index
    parts.rows[to] = row
    parts.users[to] = user
    parts.projects[to] = project
    parts.kinds[to] = kind
    const largest = vector.reduce((maximum, x) => Math.max(maximum, Math.abs(x)), 0)
    if (largest === 0) return
    parts.scales[to] = largest / maxInteger
    vector.forEach((x, at) => (parts.numbers[to * stride + at] = Math.round((x / largest) * maxInteger)))
  })
  bytes.set(name, headerBytes)
  const header = new DataView(bytes.buffer)
  header.setUint32(0, format, true)
  header.setUint32(8, shape.count, true)
  header.setUint32(12, dimension, true)
  header.setUint32(16, name.length, true)
  header.setFloat64(24, counters.written, true)
  header.setFloat64(32, counters.dropped, true)
  header.setUint32(4, sumOf(bytes.buffer, bytes.length), true)
  return bytes
}

const bestFirst = (found: ReadonlyArray<Similar>, limit: number): Array<Similar> =>
  found.toSorted((left, right) => right.similarity - left.similarity || right.row - left.row).slice(0, limit)

export interface Query {
  readonly vector: Float32Array
  /** The filter has no tags: the file does not have them. */
  readonly filter: NoteStore.NumberedFilter
  readonly limit: number
  readonly isGone: (row: number) => boolean
}

/** Returns the most similar rows, the best first; of equals, the newer. */
export const nearest = (packed: PackedVectorFile, { filter, isGone, limit, vector }: Query): ReadonlyArray<Similar> => {
  const { kinds, memory, numbers, projects, rows, scales, users } = packed
  const compared = { start: numbers.byteOffset, count: rows.length, vector }
  const { factor, results } = DotProducts.compare(memory, compared)
  const seen = filter.projects
  /** The number of candidate rows from which the best are chosen. */
  const maxCandidates = 4 * limit
  let minSimilarity = -Infinity
  let found: Array<Similar> = []
  for (let index = 0; index < rows.length; index++) {
    const similarity = scales[index] * factor * results[index]
    if (similarity < minSimilarity || users[index] !== filter.user || !filter.kinds.includes(kinds[index])) continue
    if ((seen !== null && !seen.includes(projects[index])) || isGone(rows[index])) continue
    found.push({ row: rows[index], similarity })
    if (found.length < maxCandidates) continue
    found = bestFirst(found, limit)
    minSimilarity = found[limit - 1].similarity
  }
  return bestFirst(found, limit)
}
