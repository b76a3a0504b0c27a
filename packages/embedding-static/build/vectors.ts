/**
 * The vectors of the most frequent words: centred, weighted by rarity, without their common direction, and quantised to
 * eight bits. The mean of the rows of a sentence's words is its embedding.
 *
 * - source of the weights: smooth inverse frequency, Arora, Liang & Ma, ICLR 2017; frequencies by Zipf's law from the
 *   rank that the source orders its words by
 */
import type { Table } from "../src/Table.ts"

export interface Source {
  readonly dimensions: number
  /** The words, the most frequent first. */
  readonly words: ReadonlyArray<string>
  /** The vectors; the numbers after the first `dimensions` do not belong to the vector. */
  readonly vectors: Readonly<Record<string, ReadonlyArray<number>>>
}

const smoothing = 1e-3
/**
 * The number of rounds of the power iteration that finds the shared direction, which is much stronger than the second
 * direction.
 */
const rounds = 50
const largest = 127

/** Returns the words into which a text can be split: those of only letters and digits. */
export const frequent = ({ words }: Source, count: number): ReadonlyArray<string> =>
  words.filter((word) => /^[a-z0-9]+$/.test(word)).slice(0, count)

const meanOf = (rows: ReadonlyArray<Float64Array>): Float64Array => {
  const mean = new Float64Array(rows[0].length)
  for (const row of rows) for (let i = 0; i < mean.length; i++) mean[i] += row[i] / rows.length
  return mean
}

const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, x, i) => sum + x * b[i], 0)

const sharedDirection = (rows: ReadonlyArray<Float64Array>): Float64Array => {
  let direction: Float64Array = new Float64Array(rows[0].length).fill(1)
  for (let round = 0; round < rounds; round++) {
    const next = new Float64Array(direction.length)
    for (const row of rows) {
      const along = dot(row, direction)
      for (let i = 0; i < next.length; i++) next[i] += along * row[i]
    }
    const length = Math.sqrt(dot(next, next))
    direction = next.map((x) => x / length)
  }
  return direction
}

export const table = (source: Source, words: ReadonlyArray<string>): Table => {
  const { dimensions } = source
  const rank = new Map(source.words.map((word, index) => [word, index + 1]))
  const harmonic = source.words.reduce((sum, _, index) => sum + 1 / (index + 1), 0)
  const raw = words.map((word) => Float64Array.from(source.vectors[word].slice(0, dimensions)))
  const mean = meanOf(raw)
  const centred = raw.map((row) => row.map((x, i) => x - mean[i]))
  const shared = sharedDirection(centred)
  const numbers = new Int8Array(words.length * dimensions)
  const scales = new Float32Array(words.length)
  centred.forEach((row, index) => {
    const frequency = 1 / ((rank.get(words[index]) ?? source.words.length) * harmonic)
    const weight = smoothing / (smoothing + frequency)
    const along = dot(row, shared)
    const weighted = row.map((x, i) => (x - along * shared[i]) * weight)
    const scale = weighted.reduce((most, x) => Math.max(most, Math.abs(x)), 0) / largest
    scales[index] = scale
    weighted.forEach((x, i) => (numbers[index * dimensions + i] = Math.round(x / scale)))
  })
  return { words, scales, numbers }
}
