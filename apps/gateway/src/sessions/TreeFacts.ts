/** The state of a tree's sessions, read from their journals, each entry once. */
import type { Journal as JournalApi } from "@bough/gateway-api"
import { OpenCalls, type Session } from "@bough/protocol"
import { EntryPages, SessionState, type SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"

type TreeFacts = Pick<
  JournalApi.TreeSession,
  "parentId" | "turn" | "step" | "approvals" | "liveChildren" | "spent" | "limit"
>

const maxKept = 1_000

const factsOf = (state: SessionState.SessionState): TreeFacts => ({
  parentId: state.opened?.terms?.parentPath.at(-1) ?? null,
  turn: state.turn,
  step: state.step,
  approvals: state.result === null ? OpenCalls.pendingRequests(state).map(({ approvalId }) => approvalId) : [],
  liveChildren: [...state.liveChildren],
  spent: SessionState.totalSpent(state),
  limit: state.limit
})

/** Makes a reader with its own cache: for each recently read session, the folded state of its entries. */
export const make = (store: Pick<SessionStore.SessionStore["Service"], "entries">) => {
  const states = new Map<string, SessionState.SessionState>()
  const read = Effect.fnUntraced(function* ({ entries, sessionId }: Pick<Session.Summary, "entries" | "sessionId">) {
    const state = states.get(sessionId) ?? SessionState.empty()
    states.delete(sessionId)
    states.set(sessionId, state)
    const [oldest] = states.keys()
    if (states.size > maxKept && oldest !== undefined) states.delete(oldest)
    while (state.nextSeq < entries) {
      const page = yield* Effect.orDie(EntryPages.page(store, sessionId, state.nextSeq))
      // Another request may have applied some of these entries meanwhile.
      for (const entry of page.entries) if (entry.seq === state.nextSeq) SessionState.append(state, entry)
      if (page.next === null) break
    }
    return factsOf(state)
  })
  return { read }
}
