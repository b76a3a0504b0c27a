/** Finds the sessions and approvals that a user may use; those of other users are not found. */
import { Authorization } from "@bough/gateway-api"
import type { Session } from "@bough/protocol"
import type { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import { refuse, sessionNotFound, TurnRefused } from "./TurnRefused.ts"

type Store = SessionStore.SessionStore["Service"]

export const findSession = Effect.fnUntraced(function* (
  store: Store,
  principal: Authorization.Principal,
  sessionId: string
) {
  const session = yield* Effect.catchTags(store.session(sessionId), {
    SessionNotFound: sessionNotFound,
    StoreFailed: Effect.die
  })
  return session.kind === "Main" && session.user === Authorization.userKey(principal)
    ? session
    : yield* sessionNotFound()
})

/** Finds the Main of an approval's tree. */
export const findSessionOfApproval = Effect.fnUntraced(function* (
  store: Store,
  principal: Authorization.Principal,
  approvalId: string
) {
  const { request } = yield* findApproval(store, approvalId)
  return yield* Effect.mapError(
    findSession(store, principal, request.sessionPath[0]),
    () =>
      new TurnRefused({
        reason: "approval_not_found",
        message: `there is no approval ${JSON.stringify(approvalId)}`
      })
  )
})

/** Returns the request of an approval in that tree. */
export const findRequest = Effect.fnUntraced(function* (store: Store, treeId: Session.SessionId, approvalId: string) {
  const { request } = yield* findApproval(store, approvalId)
  return request.sessionPath[0] === treeId ? request : yield* approvalNotFound(approvalId)
})

const findApproval = (store: Store, approvalId: string) =>
  Effect.catchTags(store.approval(approvalId), {
    ApprovalNotFound: () => approvalNotFound(approvalId),
    StoreFailed: Effect.die
  })

const approvalNotFound = (approvalId: string) =>
  refuse("approval_not_found", `this conversation has no approval ${JSON.stringify(approvalId)}`)
