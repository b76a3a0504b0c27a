/** The snapshots of a session's workspace, shared by all sessions of its tree. */
import type { WorkspaceSnapshots } from "@bough/snapshots"
import { Capability, ToolContext } from "@bough/tool"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { join } from "node:path"
import type { Settings } from "../config/Settings.ts"

type Snapshots = WorkspaceSnapshots.WorkspaceSnapshots

/** Null: nothing is recorded, and nothing can be undone. */
export const Current = Context.Reference<Snapshots | null>("@bough/host/SessionSnapshots", {
  defaultValue: () => null
})

export const directoryIn = (dataDirectory: string): string => join(dataDirectory, "snapshots")

/** Of the repository that is the workspace, until the scope closes; null: the configuration turns them off. */
export const make = (
  { dataDirectory, repositoryRoot, undo }: Pick<Settings, "dataDirectory" | "undo" | "repositoryRoot">,
  outside: ReadonlyArray<string>
): Effect.Effect<Snapshots | null, never, Scope.Scope> =>
  undo.enabled
    ? lazily({
        root: repositoryRoot,
        directory: directoryIn(dataDirectory),
        outside,
        limits: undo.limits,
        bounds: undo.bounds
      })
    : Effect.succeed(null)

/** Loads the package with the first snapshot: many sessions write nothing. */
const lazily = Effect.fnUntraced(function* (
  options: WorkspaceSnapshots.SnapshotOptions
): Effect.fn.Return<Snapshots, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const loaded = yield* Effect.cached(
    Effect.promise(() => import("@bough/snapshots/WorkspaceSnapshots")).pipe(
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
    undo: (given) => use(({ undo }) => undo(given)),
    redo: (given) => use(({ redo }) => redo(given)),
    diff: (given) => use(({ diff }) => diff(given)),
    turns: (given) => use(({ turns }) => turns(given))
  }
})

/** The context with what its first call that writes would wait for begun as soon as the model names that call. */
export const prewarmed = (
  context: ToolContext.ToolContext,
  { prepare }: Pick<Snapshots, "prepare">
): ToolContext.ToolContext => ({
  ...context,
  capabilities: new Map(
    [...context.capabilities].map(([key, provided]) =>
      key === Capability.WorkspaceWrite.key || key === Capability.Execution.key
        ? [key, { ...provided, prepare: provided.prepare === undefined ? prepare : both(provided.prepare, prepare) }]
        : [key, provided]
    )
  )
})

const both = (a: Effect.Effect<void>, b: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.all([a, b], { concurrency: 2, discard: true })
