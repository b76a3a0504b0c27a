/**
 * What is begun as soon as the model names a tool, while it still writes the arguments: what the first call would wait for
 * otherwise. Nothing of the call itself; and a model that calls nothing makes nobody do anything.
 */
import * as Effect from "effect/Effect"
import type { Running } from "./Running.ts"
import * as WorkspaceCommit from "./WorkspaceCommit.ts"

/** Returns at once; what it begins ends with the tree. */
export const begin = (running: Running, name: string): Effect.Effect<void> => {
  const { commit, journal, tree } = running
  return Effect.andThen(
    WorkspaceCommit.begin(commit, journal.state.turn, tree.scope),
    Effect.forEach(
      unprepared(running, name),
      (prepare) => Effect.forkIn(prepare, tree.scope, { startImmediately: true }),
      {
        discard: true
      }
    )
  )
}

/** Of each capability once: what could not be made is tried anew by the calls that need it, not by their names. */
const unprepared = ({ prepared, registry, toolContext }: Running, name: string): ReadonlyArray<Effect.Effect<void>> =>
  (registry.get(name)?.capabilities ?? []).flatMap(({ key }) => {
    const prepare = toolContext.capabilities.get(key)?.prepare
    if (prepare === undefined || prepared.has(key)) return []
    prepared.add(key)
    return [prepare]
  })
