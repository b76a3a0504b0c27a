/**
 * What is begun as soon as the model names a tool, while it still writes the arguments: what the first call would wait for
 * otherwise. Nothing of the call itself; and a model that calls nothing makes nobody do anything.
 */
import { Dispatcher } from "@bough/dispatch"
import type { Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import type { SessionContext } from "./SessionContext.ts"
import * as WorkspaceCommit from "./WorkspaceCommit.ts"

/** To be called when the name has come. What it begins ends with the tree; most often that is nothing more. */
export const start = (context: SessionContext, name: string): Effect.Effect<void> => {
  const { commit, journal, registry, tree } = context
  const reading = WorkspaceCommit.begin(commit, journal.state.turn, tree.scope)
  const tool = registry.get(name)
  return tool === undefined ? reading : Effect.flatMapEager(reading, () => prepare(context, tool))
}

const prepare = (context: SessionContext, tool: Tool.Any): Effect.Effect<void> => {
  Dispatcher.derive(tool)
  const prepares = unprepared(context, tool)
  if (prepares.length === 0) return Effect.void
  const { scope } = context.tree
  return Effect.forEach(prepares, (made) => Effect.forkIn(made, scope, { startImmediately: true }), { discard: true })
}

/** Of each capability once: what could not be made is tried anew by the calls that need it, not by their names. */
const unprepared = ({ prepared, toolContext }: SessionContext, tool: Tool.Any): ReadonlyArray<Effect.Effect<void>> =>
  tool.capabilities.flatMap(({ key }) => {
    const made = toolContext.capabilities.get(key)?.prepare
    if (made === undefined || prepared.has(key)) return []
    prepared.add(key)
    return [made]
  })
