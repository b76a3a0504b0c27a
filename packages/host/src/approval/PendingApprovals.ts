/** Lists and finds the approval requests of all trees, with their decisions. */
import { type Approval, Entry, Inbox, type Session } from "@bough/protocol"
import { EntryPages, SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as IdPrefix from "../session/IdPrefix.ts"
import * as RequestingSessions from "./RequestingSessions.ts"

export interface UsedDecision {
  readonly decision: Entry.BodyOf<"ApprovalDecided">["decision"]
  readonly principal: string
}

/** An open request. `answered` is a decision that the session has not used yet. */
export interface PendingApproval {
  readonly request: Approval.Request
  readonly askedBy: RequestingSessions.RequestingSessions
  readonly answered: UsedDecision | null
  readonly expired: boolean
}

export const treeOf = ({ sessionPath }: Approval.Request): Session.SessionId => sessionPath[0]

/** Lists the open requests, the oldest first. */
export const list = Effect.fnUntraced(function* () {
  const store = yield* SessionStore.SessionStore
  const now = yield* store.now
  return yield* Effect.forEach(yield* store.pendingApprovals(null), (request) =>
    Effect.gen(function* () {
      return {
        request,
        askedBy: yield* RequestingSessions.load(store, request.sessionPath),
        answered: yield* findWaitingDecision(store, request),
        expired: now >= request.expiresAtMillis
      } satisfies PendingApproval
    })
  )
})

/** Finds a stored decision that the session has not used yet. */
const findWaitingDecision = (store: SessionStore.SessionStore["Service"], request: Approval.Request) =>
  Effect.map(store.inbox(treeOf(request)), (rows): UsedDecision | null => Inbox.decisionAmong(rows, request.approvalId))

/** Returns the decision on a request, applied or not; null if none was made. */
export const findDecision = Effect.fnUntraced(function* (request: Approval.Request) {
  const store = yield* SessionStore.SessionStore
  return (yield* findWaitingDecision(store, request)) ?? (yield* findUsedDecision(store, request))
})

/** Finds a decision that the session has used. */
const findUsedDecision = (store: SessionStore.SessionStore["Service"], { approvalId, sessionPath }: Approval.Request) =>
  EntryPages.stream(store, sessionPath[sessionPath.length - 1]).pipe(
    Stream.map(({ body }): UsedDecision | null =>
      body._tag === "ApprovalDecided" && body.approvalId === approvalId ? body : null
    ),
    Stream.filter((approval) => approval !== null),
    Stream.runHead,
    Effect.map(Option.getOrNull)
  )

const approvals: IdPrefix.IdListing<Approval.Request> = {
  idOf: ({ approvalId }) => approvalId,
  plural: "approvals",
  lists: "ListApprovals"
}

/** Finds a request by its whole id, or an open request by a unique prefix of its id. */
export const byId = Effect.fnUntraced(function* (idOrPrefix: string) {
  const store = yield* SessionStore.SessionStore
  return yield* store.approval(idOrPrefix).pipe(
    Effect.catchTag("ApprovalNotFound", (notFound) =>
      Effect.gen(function* () {
        const open = yield* store.pendingApprovals(null)
        const found = yield* IdPrefix.findUnique(idOrPrefix, open, approvals)
        return found === null ? yield* notFound : { request: found, open: true }
      })
    )
  )
})
