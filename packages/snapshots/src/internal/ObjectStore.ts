/**
 * Stores contents and trees by their digests, compressed, and the roots that retain them. New contents wait in memory
 * for the next commit, which writes all of them or none. Throws the errors of the database.
 */
import { Buffer } from "node:buffer"
import * as zlib from "node:zlib"
import type { Database } from "./Database.ts"
import * as TreeObject from "./TreeObject.ts"

export interface ObjectStore {
  readonly database: Database
  readonly has: (id: string) => boolean
  /** Stores the bytes as `pack` made them, deflated or not. */
  readonly put: (id: string, packed: PackedObject) => void
  readonly pendingBytes: () => number
  /** True if every object that was put is in the file. */
  readonly isComplete: () => boolean
  /** Drops pending objects. Whether earlier ones are stored is then unknown until `refresh`. */
  readonly discard: () => void
  /** Returns the content; null: the object is missing or was collected. */
  readonly content: (id: string) => Buffer | null
  /** Reads a tree; throws `ObjectMissing`. */
  readonly tree: TreeReader
  /**
   * Writes the pending objects and retains the tree, if one is given. False: objects were collected since `generation`
   * was read, and known objects may be missing; nothing is written.
   */
  readonly commit: (options: {
    readonly tree: string | null
    readonly atMillis: number
    readonly isDurable: boolean
  }) => boolean
  /** Makes earlier commits durable. */
  readonly sync: () => void
  readonly generation: () => number
  /** True if nothing was collected since the generation was read. */
  readonly isCurrent: () => boolean
  /** Reads the generation again, so that later look-ups are valid. */
  readonly refresh: () => void
}

export type TreeReader = (id: string) => TreeObject.Tree

export interface PackedObject {
  readonly isDeflated: boolean
  readonly content: Uint8Array
}

/** The store lacks an object that a tree names: it was collected, or the store was deleted. */
export class ObjectMissing extends Error {
  override readonly name = "ObjectMissing"
}

/** The minimum length of compressed contents: for smaller ones, the gain is less than the cost. */
const minDeflated = 512
const level = 1

const smaller = (content: Uint8Array, deflated: Uint8Array): PackedObject =>
  deflated.length < content.length * 0.9 ? { isDeflated: true, content: deflated } : { isDeflated: false, content }

export const pack = (content: Uint8Array): PackedObject =>
  content.length < minDeflated
    ? { isDeflated: false, content }
    : smaller(content, zlib.deflateRawSync(content, { level }))

/** Compresses a large content in another thread. */
export const packLarge = (content: Uint8Array, done: (packed: PackedObject) => void): void =>
  zlib.deflateRaw(content, { level }, (error, deflated) =>
    done(error === null ? smaller(content, deflated) : { isDeflated: false, content })
  )

const maxTrees = 20_000

export const make = (database: Database): ObjectStore => {
  const pending = new Map<string, PackedObject>()
  const trees = new Map<string, TreeObject.Tree>()
  let pendingBytes = 0
  // Starts as false, because an earlier process may have ended before its writes were durable.
  let isSynced = false
  let isLacking = false
  const read = (): number => Number(database.get("SELECT value FROM fact WHERE name = 'generation'")?.["value"])
  let generation = read()

  const content = (id: string): Buffer | null => {
    const waiting = pending.get(id)
    if (waiting !== undefined) return unpack(waiting)
    const row = database.get("SELECT deflated, content FROM object WHERE id = ?", id)
    return row === undefined
      ? null
      : unpack({ isDeflated: row["deflated"] === 1, content: row["content"] as Uint8Array })
  }
  const tree: TreeReader = (id) => {
    const known = trees.get(id)
    if (known !== undefined) return known
    const found = content(id)
    if (found === null) throw new ObjectMissing(`the snapshot ${id} is no longer there`)
    const decoded = TreeObject.decode(found)
    if (trees.size >= maxTrees) trees.clear()
    trees.set(id, decoded)
    return decoded
  }

  return {
    database,
    has: (id) => {
      if (pending.has(id)) return true
      if (database.get("SELECT 1 FROM object WHERE id = ?", id) === undefined) return false
      // Another process may have written it, in a commit that is not durable yet.
      isSynced = false
      return true
    },
    put: (id, packed) => {
      if (pending.has(id)) return
      pending.set(id, packed)
      pendingBytes += packed.content.length
    },
    pendingBytes: () => pendingBytes,
    isComplete: () => pending.size === 0 && !isLacking,
    discard: () => {
      isLacking = true
      pending.clear()
      pendingBytes = 0
    },
    content,
    tree,
    commit: ({ atMillis, isDurable, tree: root }) => {
      const isWritten = database.transact(isDurable, () => {
        if (read() !== generation) return false
        for (const [id, packed] of pending) {
          database.run(
            "INSERT OR IGNORE INTO object (id, deflated, content) VALUES (?, ?, ?)",
            id,
            packed.isDeflated ? 1 : 0,
            packed.content
          )
        }
        if (root !== null) {
          database.run(
            "INSERT INTO snapshot (tree, takenAtMillis) VALUES (?, ?) ON CONFLICT (tree) DO UPDATE SET takenAtMillis = max(takenAtMillis, excluded.takenAtMillis)",
            root,
            atMillis
          )
        }
        return true
      })
      if (isWritten) {
        pending.clear()
        pendingBytes = 0
        isSynced = isDurable
      }
      return isWritten
    },
    sync: () => {
      if (isSynced) return
      database.transact(true, () => database.run("UPDATE fact SET value = value + 1 WHERE name = 'synced'"))
      isSynced = true
    },
    generation: () => generation,
    isCurrent: () => read() === generation,
    refresh: () => {
      generation = read()
      isLacking = false
      trees.clear()
    }
  }
}

const unpack = ({ content, isDeflated }: PackedObject): Buffer =>
  isDeflated ? zlib.inflateRawSync(content) : Buffer.from(content.buffer, content.byteOffset, content.byteLength)
