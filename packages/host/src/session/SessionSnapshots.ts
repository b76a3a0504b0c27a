/** The snapshots of a session's workspace, shared by all sessions of its tree. */
import { WorkspaceSnapshots } from "@bough/snapshots"
import { Capability, ToolContext } from "@bough/tool"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { join } from "node:path"
import type { Settings } from "../config/Settings.ts"

/** Null: nothing is recorded, and nothing can be undone. */
export const Current = Context.Reference<WorkspaceSnapshots.WorkspaceSnapshots | null>("@bough/host/SessionSnapshots", {
  defaultValue: () => null
})

export const directoryIn = (dataDirectory: string): string => join(dataDirectory, "snapshots")

/** Of the repository that is the workspace, until the scope closes; null: the configuration turns them off. */
export const make = (
  { dataDirectory, repositoryRoot, undo }: Pick<Settings, "dataDirectory" | "undo" | "repositoryRoot">,
  outside: ReadonlyArray<string>
): Effect.Effect<WorkspaceSnapshots.WorkspaceSnapshots | null, never, Scope.Scope> =>
  undo.enabled
    ? WorkspaceSnapshots.make({
        root: repositoryRoot,
        directory: directoryIn(dataDirectory),
        outside,
        limits: undo.limits,
        bounds: undo.bounds
      })
    : Effect.succeed(null)

/** The context with what its first call that writes would wait for begun as soon as the model names that call. */
export const prewarmed = (
  context: ToolContext.ToolContext,
  { prepare }: WorkspaceSnapshots.WorkspaceSnapshots
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
