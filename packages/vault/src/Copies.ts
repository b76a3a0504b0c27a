/**
 * The list of paths to which vault entries were copied, stored beside the vault: files at these paths are secret,
 * regardless of their names. A path is listed before the file is written. Other processes change the list too, so it is
 * reread at each use.
 */
import { SmallFile, SystemError } from "@bough/disk"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { lstatSync } from "node:fs"
import { join } from "node:path"
import { failed, type VaultFailed } from "./VaultFailed.ts"
import { withLock } from "./VaultLock.ts"

/** `path` is absolute, without links. */
const Copy = Schema.Struct({ name: Schema.String, path: Schema.String })
export type Copy = typeof Copy.Type

const decode = Schema.decodeUnknownResult(
  Schema.fromJsonString(Schema.Struct({ v: Schema.Literal(1), copies: Schema.Array(Copy) }))
)

export interface Copies {
  /** The copies, oldest first. A list that cannot be read counts as empty. */
  readonly list: () => ReadonlyArray<Copy>
  readonly add: (copy: Copy) => Effect.Effect<void, VaultFailed>
  /** True if an entry was copied to exactly this path. */
  readonly has: (path: string) => boolean
}

const none: ReadonlyArray<Copy> = []

export const make = (directory: string): Copies => {
  const path = join(directory, "copies.json")
  let seen = ""
  let known = none
  const list = (): ReadonlyArray<Copy> => {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    const state = stats === undefined ? "" : `${stats.ino}:${stats.size}:${stats.mtimeMs}`
    if (state === seen) return known
    seen = state
    known = stats === undefined ? none : read(path)
    return known
  }
  return {
    list,
    has: (candidate) => list().some((copy) => copy.path === candidate),
    add: (copy) =>
      withLock(
        directory,
        Effect.try({
          try: () => {
            const others = list().filter((other) => other.path !== copy.path && exists(other.path))
            SmallFile.replace(path, `${JSON.stringify({ v: 1, copies: [...others, copy] })}\n`)
          },
          catch: (cause) => failed(`cannot write ${path}: ${SystemError.reason(cause)}`)
        })
      )
  }
}

const read = (path: string): ReadonlyArray<Copy> =>
  Result.getOrElse(
    Result.flatMap(
      Result.try(() => SmallFile.read(path) ?? ""),
      (text) => Result.map(decode(text), ({ copies }) => copies)
    ),
    () => none
  )

const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined
