/** The work left in the newest tree of a store, a sentence each. */
import type { Session } from "@bough/protocol"
import { SessionState, SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"

type Store = SessionStore.SessionStore["Service"]

const stateOf = (store: Store, sessionId: Session.SessionId) =>
  Effect.map(store.entries(sessionId, 0, 10_000), (entries) => {
    const state = SessionState.empty()
    for (const entry of entries) SessionState.append(state, entry)
    return state
  })

const openIn = ({ liveChildren, openCalls, turn, turnOpen }: SessionState.SessionState): ReadonlyArray<string> => [
  ...(turn === 0 ? ["it has no message"] : []),
  ...(turnOpen ? ["its turn is open"] : []),
  ...[...openCalls].map(([toolCallId, { deferred }]) => `${toolCallId} is ${deferred ? "deferred" : "open"}`),
  ...[...liveChildren].map((childId) => `${childId} has not ended`)
]

/** Collects the remaining work of a session and its running descendants. */
const openBelow = (
  store: Store,
  sessionId: Session.SessionId
): Effect.Effect<ReadonlyArray<string>, Effect.Error<ReturnType<typeof stateOf>>> =>
  Effect.flatMap(stateOf(store, sessionId), (state) =>
    Effect.map(
      Effect.forEach([...state.liveChildren], (childId) => openBelow(store, childId)),
      (below) => [...openIn(state).map((open) => `${sessionId}: ${open}`), ...below.flat()]
    )
  )

/** An empty list: the tree has ended. */
export const unfinished = Effect.gen(function* () {
  const store = yield* SessionStore.SessionStore
  const [main] = yield* store.list({ workspaceRoot: null, limit: 1 })
  return main === undefined ? ["no session is stored"] : yield* openBelow(store, main.sessionId)
})

/** Requests without a decision, and commands that no owner has executed. */
export const waiting = Effect.gen(function* () {
  const store = yield* SessionStore.SessionStore
  const requests = yield* store.pendingApprovals(null)
  const [main] = yield* store.list({ workspaceRoot: null, limit: 1 })
  const rows = main === undefined ? [] : yield* store.inbox(main.treeId)
  return [
    ...requests.map(({ approvalId, toolCallId }) => `${approvalId} for ${toolCallId} is pending`),
    ...rows.map(({ command, dedupeKey }) => `the inbox holds ${command._tag} ${dedupeKey}`)
  ]
})
