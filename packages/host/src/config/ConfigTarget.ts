/** Finds, checks and saves a configuration file: the operator's own or the project's. */
import { Directory, SystemError } from "@bough/disk"
import * as SmallFile from "@bough/disk/SmallFile"
import * as Effect from "effect/Effect"
import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import type { HostContext } from "../HostContext.ts"
import { failed, withHint, withNextStep, type HostFailure } from "../HostFailure.ts"
import * as ProjectFiles from "../project/ProjectFiles.ts"
import * as WorkspaceRoot from "../project/WorkspaceRoot.ts"
import * as ConfiguredRules from "../rules/ConfiguredRules.ts"
import { toWrittenRules } from "../rules/WrittenRules.ts"
import * as KindTools from "../session/KindTools.ts"
import * as ConfigFile from "./ConfigFile.ts"
import * as ConfigSchema from "./ConfigSchema.ts"
import * as Home from "./Home.ts"
import { workspaceRoot } from "./Settings.ts"
import * as Timeouts from "./Timeouts.ts"

export interface ConfigTarget {
  readonly path: string
  /** The path, shortened for users. */
  readonly name: string
  readonly isProject: boolean
  /** The text of the file; null: there is none. */
  readonly text: string | null
}

/** Finds the operator's file, or the project's nearest to the workspace; a new one goes into the workspace. */
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

/** The root of relative paths in examples of the operator's file, which applies to every folder. */
const anyRoot = "/workspace"

/** Fails with file and line if no session could start with this text as the content of the file. */
export const validate = Effect.fnUntraced(function* (
  { packs, environment }: HostContext,
  { isProject, name }: ConfigTarget,
  text: string
): Effect.fn.Return<void, HostFailure> {
  const { variables } = environment
  const source = { name, text }
  const { rules = {}, timeoutSeconds = {} }: Pick<ConfigSchema.User, "rules" | "timeoutSeconds"> = isProject
    ? yield* ConfigFile.read(source, { schema: ConfigSchema.Project, variables, operatorSchema: ConfigSchema.User })
    : yield* ConfigFile.read(source, { schema: ConfigSchema.User, variables, operatorSchema: null })
  const registry = KindTools.ruledTools(packs)
  yield* ConfiguredRules.toRules(toWrittenRules(rules, { from: name, folder: null }), {
    registry,
    workspaceRoot: anyRoot
  })
  yield* Timeouts.applyTimeouts(registry, timeoutSeconds)
})

/** Saves a valid text, readable by the operator alone. Fails if the file has changed since `find` read it. */
export const save = Effect.fnUntraced(function* (
  host: HostContext,
  target: ConfigTarget,
  text: string
): Effect.fn.Return<void, HostFailure> {
  yield* validate(host, target, text).pipe(Effect.mapError((stop) => withHint(stop, "nothing is saved")))
  const { isProject, name, path } = target
  yield* attempt(`write ${name}`, () => {
    if (SmallFile.read(path) !== target.text) throw new Error("another program has changed it meanwhile")
    const directory = dirname(path)
    Directory.make(directory)
    // A symbolic link in a project could lead anywhere and is refused; a link in the operator's own folder is followed.
    if (isProject && lstatSync(directory).isSymbolicLink()) throw new Error(`${directory} is a link`)
    SmallFile.replace(isProject ? path : linkedPath(path), text)
  })
})

/** Follows links to the file that would be read, or to the path of a missing file. */
const linkedPath = (path: string): string => {
  const directory = dirname(path)
  if (!existsSync(directory)) throw new Error(`it is a link to ${path}, whose directory does not exist`)
  const resolved = join(realpathSync(directory), basename(path))
  const isLink = lstatSync(resolved, { throwIfNoEntry: false })?.isSymbolicLink() === true
  return isLink ? linkedPath(resolve(dirname(resolved), readlinkSync(resolved))) : resolved
}

const attempt = <A>(purpose: string, work: () => A): Effect.Effect<A, HostFailure> =>
  Effect.try({
    try: work,
    catch: (cause) =>
      withNextStep(failed(`cannot ${purpose}: ${SystemError.reason(cause)}`, "", cause), "LocateConfiguration")
  })
