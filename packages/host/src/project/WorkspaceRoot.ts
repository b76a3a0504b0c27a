/** The directory that the agent works in, and the repository around it. */
import { SystemError } from "@bough/disk"
import { existsSync, realpathSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import { type HostFailure, invalid } from "../HostFailure.ts"

export interface WorkspacePlace {
  /** `--cwd`; null: not given. */
  readonly given: string | null
  /** `INIT_CWD`: where the command was typed when a package manager runs the program somewhere else. */
  readonly typedIn: string | undefined
  readonly current: string
}

/** `--cwd`, else where the command was typed, else the current directory; without links in it. */
export const resolveRoot = (place: WorkspacePlace): Effect.Effect<string, HostFailure> =>
  Effect.try({
    try: () => {
      const base = place.typedIn === undefined || place.typedIn === "" ? place.current : place.typedIn
      const path = realpathSync(resolve(base, place.given ?? "."))
      if (!statSync(path).isDirectory()) throw new Error("it is not a directory")
      return path
    },
    catch: (cause) =>
      invalid(
        `cannot work in ${place.given ?? "this directory"}: ${SystemError.reason(cause)}`,
        "--cwd takes an existing directory"
      )
  })

/** Directories from the root of the repository around `workspaceRoot` down to it; without a repository it alone. */
export const directoriesDownTo = (workspaceRoot: string): ReadonlyArray<string> => {
  const above: Array<string> = []
  for (let at = workspaceRoot; ; at = dirname(at)) {
    above.unshift(at)
    if (existsSync(join(at, ".git"))) return above
    if (dirname(at) === at) return [workspaceRoot]
  }
}

/** The directory by which the notes of a project are known: the root of its repository, else the workspace. */
export const projectOf = (workspaceRoot: string): string => directoriesDownTo(workspaceRoot)[0] ?? workspaceRoot
