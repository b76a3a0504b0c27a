/** A configuration file that `config` reads and changes: the operator's own or the project's, with what it may hold. */
import { Directory, SystemError } from "@bough/disk"
import * as Effect from "effect/Effect"
import { existsSync, lstatSync, realpathSync } from "node:fs"
import { dirname, join } from "node:path"
import * as ConfiguredRules from "../rules/ConfiguredRules.ts"
import * as KindTools from "../session/KindTools.ts"
import * as Home from "./Home.ts"
import * as ProjectFiles from "../project/ProjectFiles.ts"
import type { HostContext } from "../HostContext.ts"
import * as SmallFile from "@bough/disk/SmallFile"
import { failed, withHint, type HostFailure } from "../HostFailure.ts"
import * as WorkspaceRoot from "../project/WorkspaceRoot.ts"
import * as ConfigFile from "./ConfigFile.ts"
import * as ConfigSchema from "./ConfigSchema.ts"
import { operatorsOwn } from "./ProjectSettings.ts"
import { workspaceRoot, toWrittenRules } from "./Settings.ts"
import * as Timeouts from "./Timeouts.ts"

export interface ConfigTarget {
  readonly path: string
  /** As people know it. */
  readonly name: string
  readonly isProject: boolean
  /** What stands there; null: no file. */
  readonly text: string | null
}

/** The operator's file, or the one nearest to the workspace, which is made in the workspace where there is none. */
export const find = Effect.fnUntraced(function* (
  { environment }: HostContext,
  cwd: string | null,
  isProject: boolean
): Effect.fn.Return<ConfigTarget, HostFailure> {
  const path = isProject ? projectPath(yield* workspaceRoot(environment, cwd)) : Home.configFile(environment)
  const name = Home.displayPath(path, environment.home)
  const text = yield* attempt(`read ${name}`, () => SmallFile.read(path))
  return { path, name, isProject, text }
})

const projectPath = (root: string): string => {
  const nearest = WorkspaceRoot.directoriesDownTo(root)
    .toReversed()
    .find((directory) => existsSync(join(directory, ProjectFiles.configName)))
  return join(nearest ?? root, ProjectFiles.configName)
}

/** Where the relative paths of examples begin in the operator's file, which is for every folder. */
const anyRoot = "/workspace"

/** Fails with file and line unless a start would take this text as the file. */
export const validate = Effect.fnUntraced(function* (
  { packs, environment }: HostContext,
  { isProject, name }: ConfigTarget,
  text: string
): Effect.fn.Return<void, HostFailure> {
  const { variables } = environment
  const source = { name, text }
  const { rules = {}, timeoutSeconds = {} }: Pick<ConfigSchema.User, "rules" | "timeoutSeconds"> = isProject
    ? yield* ConfigFile.read(source, { schema: ConfigSchema.Project, variables, misplaced: operatorsOwn })
    : yield* ConfigFile.read(source, { schema: ConfigSchema.User, variables, misplaced: {} })
  const registry = KindTools.ruledTools(packs)
  yield* ConfiguredRules.toRules(toWrittenRules(rules, name), { registry, workspaceRoot: anyRoot })
  yield* Timeouts.applyTimeouts(registry, timeoutSeconds)
})

/** Puts a valid text in place, readable by the person alone. Changes that came in the meantime are not written over. */
export const save = Effect.fnUntraced(function* (
  host: HostContext,
  target: ConfigTarget,
  text: string
): Effect.fn.Return<void, HostFailure> {
  yield* validate(host, target, text).pipe(Effect.mapError((stop) => withHint(stop, "nothing is saved")))
  const { isProject, name, path } = target
  yield* attempt(`write ${name}`, () => {
    if (SmallFile.read(path) !== target.text) throw new Error("somebody else has changed it meanwhile")
    const directory = dirname(path)
    Directory.make(directory)
    // Where a project's link leads is not the person's choice; their own link is.
    if (isProject && lstatSync(directory).isSymbolicLink()) throw new Error(`${directory} is a link`)
    SmallFile.replace(isProject || !existsSync(path) ? path : realpathSync(path), text)
  })
})

const attempt = <A>(what: string, work: () => A): Effect.Effect<A, HostFailure> =>
  Effect.try({
    try: work,
    catch: (cause) =>
      failed(`cannot ${what}: ${SystemError.reason(cause)}`, "bough config path says where it is", cause)
  })
