/**
 * The owner's access to the directories of the workspace. A command that takes it away would keep the checks after it
 * from reading the directory, and could leave there what it may not make.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { chmodSync, lstatSync } from "node:fs"

const ownersBits = 0o700

/** The owner's bits of each directory, by path. */
export type Access = ReadonlyMap<string, number>

export const look = (directories: ReadonlyArray<string>): Access =>
  new Map(directories.map((path) => [path, (modeOf(path) ?? 0) & ownersBits]))

/** Gives back what was taken away, and returns the lines about it. */
export const restore = (access: Access): Effect.Effect<string> =>
  Effect.sync(() => Array.from(access, ([path, bits]) => restoreOne(path, bits)).join(""))

const restoreOne = (path: string, bits: number): string => {
  const mode = modeOf(path)
  if (mode === null || (mode & bits) === bits) return ""
  const restored = Result.try(() => chmodSync(path, mode | bits))
  return Result.isSuccess(restored)
    ? `[bough: a command took away your access to ${JSON.stringify(path)}; it was restored]\n`
    : `[bough: a command took away your access to ${JSON.stringify(path)}, and it could not be restored: what is in it was not checked]\n`
}

/** Gives the owner all access to a directory that lacks one of these bits. Does nothing if it is missing, or if it fails. */
export const open = (path: string, bits: number): void => {
  const mode = modeOf(path)
  if (mode !== null && (mode & bits) !== bits) Result.try(() => chmodSync(path, mode | ownersBits))
}

/** Returns the permissions of a directory; null: there is none. */
const modeOf = (path: string): number | null =>
  Result.getOrNull(
    Result.try(() => {
      const stats = lstatSync(path)
      return stats.isDirectory() ? stats.mode & 0o7777 : null
    })
  )
