/** The directory that the agent works in, and the repository around it. */
import { SystemError } from "@bough/disk"
import * as Effect from "effect/Effect"
import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { type HostFailure, invalid } from "../HostFailure.ts"

export interface WorkspacePlace {
  /** The directory that the user names, such as by `--cwd`; null: none. */
  readonly requested: string | null
  /** `INIT_CWD`: the directory of the shell, if a package manager runs the program in another directory. */
  readonly typedIn: string | undefined
  readonly current: string
}

/** Resolves the real path of the named directory, else of the shell's directory, else of the process's. */
export const resolveRoot = (directories: WorkspacePlace): Effect.Effect<string, HostFailure> =>
  Effect.try({
    try: () => {
      const base =
        directories.typedIn === undefined || directories.typedIn === "" ? directories.current : directories.typedIn
      const path = realpathSync.native(resolve(base, directories.requested ?? "."))
      if (!statSync(path).isDirectory()) throw new Error("it is not a directory")
      accessSync(path, constants.R_OK | constants.X_OK)
      return path
    },
    catch: (cause) =>
      invalid(
        `cannot work in ${directories.requested ?? "this directory"}: ${SystemError.reason(cause)}`,
        "give --cwd an existing directory"
      )
  })

/**
 * Lists the directories from the root of the repository down to `workspaceRoot`; without a repository, only
 * `workspaceRoot`.
 */
export const directoriesDownTo = (workspaceRoot: string): ReadonlyArray<string> => {
  const above: Array<string> = []
  for (let at = workspaceRoot; ; at = dirname(at)) {
    above.unshift(at)
    if (existsSync(join(at, ".git"))) return above
    if (dirname(at) === at) return [workspaceRoot]
  }
}

/** Returns the directory that identifies the project in notes: the root of its repository, or else the workspace. */
export const projectOf = (workspaceRoot: string): string => directoriesDownTo(workspaceRoot)[0] ?? workspaceRoot
