/** Where the sessions of a tree stand, read from their journals. A session without a new entry is not read again. */
import type { Journal as JournalApi } from "@bough/gateway-api"
import { OpenCalls, type Session } from "@bough/protocol"
import { Journal, SessionState, type SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"

type Facts = Pick<
  JournalApi.TreeSession,
  "parentId" | "turn" | "step" | "approvals" | "liveChildren" | "spent" | "limit"
>

const maxKept = 1_000

const factsOf = (state: SessionState.SessionState): Facts => ({
  parentId: state.opened?.terms?.parentPath.at(-1) ?? null,
  turn: state.turn,
  step: state.step,
  approvals: state.result === null ? OpenCalls.pendingRequests(state).map(({ approvalId }) => approvalId) : [],
  liveChildren: [...state.liveChildren],
  spent: SessionState.spent(state),
  limit: state.limit
})

/** Makes a reader with a cache of its own. */
export const make = (store: SessionStore.SessionStore["Service"]) => {
  const kept = new Map<string, { readonly entries: number; readonly facts: Facts }>()
  const read = Effect.fnUntraced(function* ({ entries, sessionId }: Session.Summary) {
    const known = kept.get(sessionId)
    if (known?.entries === entries) return known.facts
    const { state } = yield* Effect.orDie(Journal.load(store, sessionId))
    const facts = factsOf(state)
    kept.delete(sessionId)
    kept.set(sessionId, { entries: state.nextSeq, facts })
    const [oldest] = kept.keys()
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
    return facts
  })
  return { read }
}
