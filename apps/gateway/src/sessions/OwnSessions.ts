/** The sessions of the principal. Sessions of other users are not found, and no response reveals that they exist. */
import { Authorization, Problem, type Sessions } from "@bough/gateway-api"
import type { Approval, Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Workspaces } from "./Workspaces.ts"

type PrincipalEffect<A> = Effect.Effect<A, Problem.NotFound, Authorization.CurrentPrincipal>

export class OwnSessions extends Context.Service<
  OwnSessions,
  {
    readonly find: (sessionId: string) => PrincipalEffect<Session.Summary>
    /** Finds an approval request, decided or not. */
    readonly findApproval: (
      approvalId: string
    ) => PrincipalEffect<{ readonly request: Approval.Request; readonly open: boolean }>
    readonly view: (session: Session.Summary) => Sessions.Session
  }
>()("@bough/gateway/OwnSessions") {}

const notFound = () => new Problem.NotFound({})

const make = Effect.gen(function* () {
  const store = yield* SessionStore.SessionStore
  const workspaces = yield* Workspaces

  const find = Effect.fnUntraced(function* (sessionId: string) {
    const principal = yield* Authorization.CurrentPrincipal
    const session = yield* store.session(sessionId)
    const main = session.kind === "Main" ? session : yield* store.session(session.treeId)
    if (main.user !== Authorization.userKey(principal)) return yield* notFound()
    return session
  })

  const findApproval = Effect.fnUntraced(function* (approvalId: string) {
    const found = yield* store.approval(approvalId)
    yield* find(found.request.sessionPath[0])
    return found
  })

  return OwnSessions.of({
    find: (sessionId) =>
      Effect.catchTags(find(sessionId), { SessionNotFound: () => Effect.fail(notFound()), StoreFailed: Effect.die }),
    findApproval: (approvalId) =>
      Effect.catchTags(findApproval(approvalId), {
        ApprovalNotFound: () => Effect.fail(notFound()),
        SessionNotFound: () => Effect.fail(notFound()),
        StoreFailed: Effect.die
      }),
    view: ({
      archivedAtMillis = null,
      agent,
      createdAtMillis,
      entries,
      kind,
      sessionId,
      state,
      title,
      treeId,
      updatedAtMillis,
      workspaceRoot
    }) => ({
      id: sessionId,
      treeId,
      kind,
      state,
      title,
      agent,
      workspaceId: workspaces.idOf(workspaceRoot),
      entries,
      createdAtMillis,
      updatedAtMillis,
      archivedAtMillis
    })
  })
})

export const layer: Layer.Layer<OwnSessions, never, SessionStore.SessionStore | Workspaces> = Layer.effect(
  OwnSessions,
  make
)
