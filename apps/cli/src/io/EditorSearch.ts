/**
 * Chooses the user's editor: `$VISUAL`, `$EDITOR`, git's `core.editor`, then the first known editor on the search path.
 * A repository's settings and programs in the workspace choose nothing, because an agent may have written them.
 */
import * as WorkspaceRoot from "@bough/host/project/WorkspaceRoot"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { execFile } from "node:child_process"
import { accessSync, constants, realpathSync, statSync } from "node:fs"
import { delimiter, isAbsolute, join, sep } from "node:path"

export interface SearchFor {
  readonly variables: Readonly<Record<string, string | undefined>>
  /** The real path of the directory in which the agent works. */
  readonly workspace: string
}

const editors = ["sensible-editor", "nano", "vim", "vi"]
const timeoutMillis = 5000

/** Returns the editor's command line; null: no editor was found. */
export const find = (search: SearchFor): Effect.Effect<string | null> =>
  Effect.gen(function* () {
    const { variables } = search
    const named = variables["VISUAL"] || variables["EDITOR"]
    if (named) return named
    const git = programOf(search, "git")
    const configured =
      git === null ? "" : (yield* setting(git, "--global", variables)) || (yield* setting(git, "--system", variables))
    if (configured !== "") return configured
    const found = editors.flatMap((name) => programOf(search, name) ?? [])
    return found.length === 0 ? null : quotePath(found[0])
  })

/** Reads `core.editor` from the settings of one scope; "" if there are none. */
const setting = (git: string, scope: string, env: SearchFor["variables"]): Effect.Effect<string> =>
  Effect.callback((resume) => {
    const words = ["config", scope, "--includes", "--get", "core.editor"]
    const child = execFile(git, words, { cwd: "/", env, timeout: timeoutMillis }, (error, printed) =>
      resume(Effect.succeed(error === null ? printed.trim() : ""))
    )
    return Effect.sync(() => void child.kill())
  })

/** Quotes a path for the shell where that is needed. */
const quotePath = (path: string): string => (/^[\w/.-]+$/u.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`)

/** Finds a program on the search path, outside of the workspace and the repository around it; null: it is not found. */
const programOf = ({ variables, workspace }: SearchFor, name: string): string | null => {
  const project = WorkspaceRoot.projectOf(workspace)
  const root = project.endsWith(sep) ? project : `${project}${sep}`
  const isOutside = (path: string): boolean => !path.startsWith(root)
  for (const directory of (variables["PATH"] ?? "").split(delimiter)) {
    const path = join(directory, name)
    if (isAbsolute(directory) && isProgram(path) && isOutside(path) && isOutside(realpathSync.native(path))) return path
  }
  return null
}

const isProgram = (path: string): boolean => {
  const found = Result.try(() => {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false
    accessSync(path, constants.X_OK)
    return true
  })
  return Result.getOrElse(found, () => false)
}
