/** How a Main begins: it is stored with the first thing that happens in it. */
import { type Batch, Canonical, type Entry } from "@bough/protocol"
import * as Effect from "effect/Effect"
import type { Agent } from "../session/Agent.ts"
import type { SessionContext } from "../session/SessionContext.ts"
import type { SessionState } from "./SessionState.ts"

/** Who a Main works for, and where. */
export type Facts = Pick<Agent, "name" | "user" | "workspaceRoot"> & { readonly channel: string | null }

/** The first entry of a Main. */
export const openedBody = (
  { channel, name, user, workspaceRoot }: Facts,
  openedAtMillis: number
): Entry.BodyOf<"SessionOpened"> => ({
  _tag: "SessionOpened",
  v: 1,
  kind: "Main",
  origin: { _tag: "Main", forkedFrom: null },
  agent: name,
  user,
  workspaceRoot,
  channel,
  openedAtMillis
})

const instructionsOf = new WeakMap<Agent, ReadonlyArray<Entry.BodyOf<"ContextAdded">>>()

/** The instructions of an agent as entries, digested once. */
const contextsOf = (agent: Agent): ReadonlyArray<Entry.BodyOf<"ContextAdded">> => {
  const known = instructionsOf.get(agent)
  if (known !== undefined) return known
  const made = agent.instructions.map(({ source, text }) => {
    const digest = Canonical.digestOf({ source, text })
    return { _tag: "ContextAdded", source, text, digest } as const
  })
  instructionsOf.set(agent, made)
  return made
}

/** Opens a Main in its journal where it is new, and adds the instructions that are new to it. `whenNew`: projections of a new one. */
export const openJournal = Effect.fnUntraced(function* (
  { agent, channel, journal, store }: SessionContext,
  whenNew: ReadonlyArray<Batch.Projection> = []
) {
  const missing = ({ contexts }: SessionState) => contextsOf(agent).filter(({ digest }) => !contexts.has(digest))
  if (journal.state.opened !== null && missing(journal.state).length === 0) return
  const openedAtMillis = yield* store.now
  // Made when its turn comes: two who open it at once open it once.
  yield* journal.append((state) => {
    const isNew = state.opened === null
    const opened = isNew ? [openedBody({ ...agent, channel: channel.name }, openedAtMillis)] : []
    return {
      bodies: [...opened, ...missing(state)],
      projections: isNew ? whenNew : []
    }
  })
})
