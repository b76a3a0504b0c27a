/**
 * The directories of a workspace in addition to its folder: the enclosing repository or monorepo, and those that the
 * operator added.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { existsSync, realpathSync, statSync } from "node:fs"
import { dirname, isAbsolute, join, resolve } from "node:path"
import { type HostFailure, invalid } from "../HostFailure.ts"

export interface AdditionalDirectory {
  /** The absolute path without links. */
  readonly path: string
  readonly writable: boolean
}

/** The text with which the operator configured it. */
export interface WrittenDirectory {
  readonly path: string
  readonly access?: "read-only" | "writable"
}

const contains = (directory: string, path: string): boolean =>
  path === directory || path.startsWith(directory === "/" ? "/" : `${directory}/`)

const ownerOf = (path: string): number | null =>
  Result.getOrNull(
    Result.map(
      Result.try(() => statSync(path)),
      ({ uid }) => uid
    )
  )

/**
 * Returns the folder and the directories above it, the nearest first, up to and excluding the first directory that
 * contains the home directory.
 */
const upwards = (root: string, home: string): ReadonlyArray<string> => {
  const realHome = Result.getOrElse(
    Result.try(() => realpathSync.native(home)),
    () => home
  )
  const found: Array<string> = []
  for (let at = root; at !== dirname(at) && !contains(at, realHome); at = dirname(at)) found.push(at)
  return found
}

/**
 * Returns the root of the nearest repository that contains the folder; without a repository the root of the nearest
 * monorepo with the folder as a member. It returns the folder itself if there is neither, if the root also contains the
 * home directory (it tracks a user's settings), and if another account owns it (git would not trust it either).
 */
export const workspaceAround = (root: string, home: string): Effect.Effect<string> => {
  const directories = upwards(root, home)
  const isTrusted = (directory: string): boolean => ownerOf(directory) === ownerOf(root)
  const repository = directories.find((directory) => existsSync(join(directory, ".git")))
  if (repository !== undefined) return Effect.succeed(isTrusted(repository) ? repository : root)
  return directories.length < 2
    ? Effect.succeed(root)
    : Effect.map(
        Effect.promise(() => import("./MonorepoRoot.ts")),
        ({ hasMember }) =>
          directories.slice(1).find((directory) => isTrusted(directory) && hasMember(directory, root)) ?? root
      )
}

/** Parses the value of `--add-dir`, `DIR` or `DIR:ro`. */
export const parseFlag = (text: string): WrittenDirectory =>
  text.endsWith(":ro") ? { path: text.slice(0, -3), access: "read-only" } : { path: text }

export interface DirectoryBase {
  readonly root: string
  readonly home: string
}

/**
 * Resolves relative paths from the folder, and `~/` from the home directory. Fails if a path is not a directory, so
 * that misspelled paths are noticed.
 */
export const resolveAdditional = (
  written: ReadonlyArray<WrittenDirectory>,
  { home, root }: DirectoryBase
): Effect.Effect<ReadonlyArray<AdditionalDirectory>, HostFailure> =>
  Effect.forEach(written, ({ access = "writable", path }) =>
    Effect.try({
      try: () => {
        const expanded = path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : path
        const real = realpathSync(isAbsolute(expanded) ? expanded : resolve(root, expanded))
        if (!statSync(real).isDirectory()) throw new Error("no directory")
        return { path: real, writable: access === "writable" }
      },
      catch: () =>
        invalid(
          `the additional directory ${JSON.stringify(path)} does not exist`,
          "name an existing directory, or leave it out"
        )
    })
  )
