/** How a session begins: it is stored with the first thing that happens in it. */
import { type Batch, Canonical, type Entry } from "@bough/protocol"
import * as Effect from "effect/Effect"
import type { Running } from "./Running.ts"

/** Opens it in its journal where it is new, and adds the instructions that are new to it. `whenNew`: what else is so then. */
export const ensureOpened = Effect.fnUntraced(function* (
  { agent, channel, journal, store }: Running,
  whenNew: ReadonlyArray<Batch.Projection> = []
) {
  const { state } = journal
  const openedAtMillis = yield* store.now
  const opened: ReadonlyArray<Entry.Body> =
    state.opened === null
      ? [
          {
            _tag: "SessionOpened",
            v: 1,
            kind: "Main",
            origin: { _tag: "Main", forkedFrom: null },
            agent: agent.name,
            user: agent.user,
            workspaceRoot: agent.workspaceRoot,
            channel: channel.name,
            openedAtMillis
          }
        ]
      : []
  const contexts = agent.instructions.flatMap(({ source, text }): ReadonlyArray<Entry.Body> => {
    const digest = Canonical.digestOf({ source, text })
    return state.contexts.has(digest) ? [] : [{ _tag: "ContextAdded", source, text, digest }]
  })
  const bodies = [...opened, ...contexts]
  const projections = opened.length === 0 ? [] : whenNew
  if (bodies.length > 0) yield* journal.append({ bodies, projections, durability: "Relaxed" })
})
