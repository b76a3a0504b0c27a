/**
 * Starts work as soon as the model names a tool, while it still writes the arguments, so that the first call does not
 * wait for it. The work is not part of the call itself, and a reply without calls starts none.
 */
import { type DispatchContext, Dispatcher, type Redaction } from "@bough/dispatch"
import type { Tool, ToolContext } from "@bough/tool"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Journal } from "../journal/Journal.ts"
import * as WorkspaceCommit from "./WorkspaceCommit.ts"

export interface Prewarm {
  readonly journal: Journal["Service"]
  readonly registry: DispatchContext.Registry
  readonly toolContext: ToolContext.ToolContext
  readonly commit: WorkspaceCommit.CommitState
  readonly redaction: Redaction.Redaction
  /** The scope that ends the work, which is usually complete by then. */
  readonly scope: Scope.Scope
}

/** Returns the function to call with the name of each announced tool. */
export const make = (prewarm: Prewarm): ((tool: string) => Effect.Effect<void>) => {
  /** Capabilities, by key, that were prepared for a call. */
  const prepared = new Set<string>()
  return (name) => {
    const { commit, journal, registry, scope } = prewarm
    const reading = WorkspaceCommit.begin(commit, journal.state.turn, scope)
    const tool = registry.get(name)
    return tool === undefined ? reading : Effect.flatMapEager(reading, () => prepare(prewarm, prepared, tool))
  }
}

const prepare = (prewarm: Prewarm, prepared: Set<string>, tool: Tool.Any): Effect.Effect<void> => {
  Dispatcher.derive(tool)
  // The first search compiles the tables of all patterns, which would delay the first result.
  prewarm.redaction.holdsSecret(tool.description)
  const prepares = preparations(prewarm, prepared, tool)
  if (prepares.length === 0) return Effect.void
  const { scope } = prewarm
  return Effect.forEach(prepares, (preparation) => Effect.forkIn(preparation, scope, { startImmediately: true }), {
    discard: true
  })
}

/** Prepares each capability once. After a failure the call itself tries again; later announcements do not. */
const preparations = (
  { toolContext }: Prewarm,
  prepared: Set<string>,
  tool: Tool.Any
): ReadonlyArray<Effect.Effect<void>> =>
  tool.capabilities.flatMap(({ key }) => {
    const prepareCapability = toolContext.capabilities.get(key)?.prepare
    if (prepareCapability === undefined || prepared.has(key)) return []
    prepared.add(key)
    return [prepareCapability]
  })
