/**
 * Entries whose names are not UTF-8. Decoded to text, such a name refers to no file, so these entries are visited by
 * their bytes. Bubblewrap cannot mount them, because its arguments are text.
 */
import * as Result from "effect/Result"
import { isUtf8 } from "node:buffer"
import { type Dirent, readdirSync } from "node:fs"

/** The character by which Node replaces invalid bytes. */
const replacement = "\ufffd"

/** True if a name, read as text, may stand for other bytes. */
export const isDoubtful = (name: string): boolean => name.includes(replacement)

export interface ByteEntry {
  readonly path: Buffer
  /** The name decoded to text, which may not be unique. */
  readonly name: string
  readonly entry: Dirent<Buffer>
}

const pathIn = (directory: string | Buffer, name: Buffer): Buffer =>
  Buffer.concat([Buffer.from(directory), Buffer.from("/"), name])

/** Returns all entries of a directory; null: it cannot be read. */
export const all = (directory: string | Buffer): ReadonlyArray<ByteEntry> | null =>
  Result.getOrNull(
    Result.try(() =>
      readdirSync(directory, { withFileTypes: true, encoding: "buffer" }).map((entry) => ({
        path: pathIn(directory, entry.name),
        name: entry.name.toString("utf8"),
        entry
      }))
    )
  )

/** Returns the entries of a directory whose names are not UTF-8. `names`: its names, read as text. */
export const nonUtf8Entries = (directory: string, names: ReadonlyArray<string>): ReadonlyArray<ByteEntry> =>
  names.some(isDoubtful) ? (all(directory) ?? []).filter(({ entry }) => !isUtf8(entry.name)) : []

/** Returns the last component of a path. */
export const nameOf = (path: Buffer): Buffer => path.subarray(path.lastIndexOf("/") + 1)
