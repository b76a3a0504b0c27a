/** The snapshots of a session's workspace, shared by all sessions of its tree. */
import type { SnapshotGroup, WorkspaceSnapshots } from "@bough/snapshots"
import { Capability, ToolContext } from "@bough/tool"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { join } from "node:path"
import type { Settings } from "../config/Settings.ts"
import * as SessionVault from "./SessionVault.ts"

type Snapshots = WorkspaceSnapshots.WorkspaceSnapshots

/** Null: nothing is recorded, and nothing can be undone. */
export const Current = Context.Reference<Snapshots | null>("@bough/host/SessionSnapshots", {
  defaultValue: () => null
})

export const directoryIn = (dataDirectory: string): string => join(dataDirectory, "snapshots")

/** The directories of a workspace that are recorded. */
export interface RecordedRoots {
  readonly repositoryRoot: string
  /** The operator's directories that may be written. */
  readonly additionalRoots: ReadonlyArray<string>
}

/** Finds the recorded directories of a session's workspace. */
export const recordedIn = ({ workspace: { additionalDirectories, repositoryRoot } }: Settings): RecordedRoots => ({
  repositoryRoot,
  additionalRoots: separate(
    repositoryRoot,
    additionalDirectories.filter(({ writable }) => writable).map(({ path }) => path)
  )
})

/** Drops directories that are inside of another one, and duplicates. */
const separate = (root: string, others: ReadonlyArray<string>): ReadonlyArray<string> =>
  others.filter(
    (one, at) =>
      others.indexOf(one) === at &&
      ![root, ...others].some((other) => (other !== one || other === root) && `${one}/`.startsWith(`${other}/`))
  )

/** Makes the snapshots of a workspace, until the scope closes; null: the configuration turns them off. */
export const make = (
  { dataDirectory, undo }: Pick<Settings, "dataDirectory" | "undo">,
  { additionalRoots, repositoryRoot }: RecordedRoots,
  outside: ReadonlyArray<string>
): Effect.Effect<Snapshots | null, never, Scope.Scope> =>
  undo.enabled
    ? openLazily({
        root: repositoryRoot,
        additionalRoots,
        directory: directoryIn(dataDirectory),
        outside,
        secretPaths: SessionVault.secretPathsIn(dataDirectory),
        limits: undo.limits,
        bounds: undo.bounds
      })
    : Effect.succeed(null)

/** Loads the package with the first snapshot: many sessions write nothing. */
const openLazily = Effect.fnUntraced(function* (
  options: SnapshotGroup.GroupOptions
): Effect.fn.Return<Snapshots, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const loaded = yield* Effect.cached(
    Effect.promise(() => import("@bough/snapshots/SnapshotGroup")).pipe(
      Effect.flatMap((module) => module.make(options)),
      Effect.provideService(Scope.Scope, scope)
    )
  )
  const use = <A, E>(run: (snapshots: Snapshots) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.flatMap(loaded, run)
  return {
    prepare: use(({ prepare }) => prepare),
    before: use(({ before }) => before),
    after: use(({ after }) => after),
    restorable: use(({ restorable }) => restorable),
    undo: (request) => use(({ undo }) => undo(request)),
    redo: (request) => use(({ redo }) => redo(request)),
    check: (request) => use(({ check }) => check(request)),
    lastUndo: (request) => use(({ lastUndo }) => lastUndo(request)),
    diff: (request) => use(({ diff }) => diff(request)),
    turns: (request) => use(({ turns }) => turns(request))
  }
})

/**
 * Returns the context with a snapshot that starts as soon as the model names a call that writes, so that the call does
 * not wait for it.
 */
export const withPrewarm = (
  context: ToolContext.ToolContext,
  { prepare }: Pick<Snapshots, "prepare">
): ToolContext.ToolContext => ({
  ...context,
  capabilities: new Map(
    [...context.capabilities].map(([key, provided]) =>
      key === Capability.WorkspaceWrite.key || key === Capability.Execution.key
        ? [key, { ...provided, prepare: provided.prepare === undefined ? prepare : runBoth(provided.prepare, prepare) }]
        : [key, provided]
    )
  )
})

const runBoth = (a: Effect.Effect<void>, b: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.all([a, b], { concurrency: 2, discard: true })
