/** Handlers of approvals. Only a token of the owning user with the scope `approve` decides. */
import { Api, Approvals, Authorization, Problem } from "@bough/gateway-api"
import { offeredRule } from "@bough/host/approval/OfferedRule"
import * as PendingApprovals from "@bough/host/approval/PendingApprovals"
import * as RequestingSessions from "@bough/host/approval/RequestingSessions"
import * as KindTools from "@bough/host/session/KindTools"
import { type Approval, Canonical } from "@bough/protocol"
import { Host, SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { AuditLog } from "../accounts/AuditLog.ts"
import * as Packs from "../Packs.ts"
import { OwnSessions } from "../sessions/OwnSessions.ts"
import * as RequestActor from "./RequestActor.ts"

const registry = KindTools.registryOf(Packs)

const approvalClosed = () =>
  new Problem.Conflict({
    code: "approval_closed",
    detail: "the approval was decided, withdrawn, or is past its deadline"
  })

type SubmittedDecision = typeof Approvals.Decision.Type

/** The decision in the runtime's form; null: its rule differs from the offered rule. */
const toDecision = (
  submitted: SubmittedDecision,
  rule: string | null
): Extract<Approval.Decision, { readonly _tag: "Approved" | "Denied" }> | null => {
  if (submitted.decision === "deny") return { _tag: "Denied", words: submitted.words ?? null }
  if (submitted.always === undefined) return { _tag: "Approved", rule: null }
  return submitted.always.rule === rule ? { _tag: "Approved", rule, scope: submitted.always.scope } : null
}

export const layer = HttpApiBuilder.group(
  Api.Api,
  "approvals",
  Effect.fnUntraced(function* (handlers) {
    const store = yield* SessionStore.SessionStore
    const host = yield* Host.Host
    const ownSessions = yield* OwnSessions
    const audit = yield* AuditLog

    const view = Effect.fnUntraced(function* (request: Approval.Request, open: boolean) {
      const askedBy = yield* RequestingSessions.load(store, request.sessionPath)
      const workspaceRoot = askedBy.at(-1)?.workspaceRoot ?? ""
      const nowMillis = yield* store.now
      const found: Approvals.Approval = {
        request,
        open: open && nowMillis < request.expiresAtMillis,
        askedBy: askedBy.map(({ kind, sessionId, title }) => ({ sessionId, kind, title })),
        rule: offeredRule({ registry, workspaceRoot }, request),
        nowMillis
      }
      return found
    }, Effect.orDie)

    /** Records an attempt to decide on another user's approval; the caller gets "not found". */
    const recordForeign = Effect.fnUntraced(function* (approvalId: string) {
      if (!(yield* Effect.isSuccess(store.approval(approvalId)))) return
      const { actor, principal } = yield* RequestActor.current
      const { tenant } = principal
      yield* audit.record({ action: "approval.access-denied", actor, tenant, subject: approvalId, detail: "decide" })
    })

    /** True: the same user made the same decision before. */
    const isRepeated = (request: Approval.Request, decision: Approval.Decision, principal: string) =>
      PendingApprovals.findDecision(request).pipe(
        Effect.provideService(SessionStore.SessionStore, store),
        Effect.map(
          (found) =>
            found !== null &&
            found.principal === principal &&
            Canonical.digestOf(found.decision) === Canonical.digestOf(decision)
        ),
        Effect.orDie
      )

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const principal = yield* Authorization.CurrentPrincipal
        const treeId = query.sessionId === undefined ? null : (yield* ownSessions.find(query.sessionId)).treeId
        const user = Authorization.userKey(principal)
        const requests = yield* Effect.orDie(store.pendingApprovals(treeId, { user }))
        return { items: yield* Effect.forEach(requests, (request) => view(request, true)) }
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        const { open, request } = yield* ownSessions.findApproval(params.approvalId)
        return yield* view(request, open)
      }),
      decide: Effect.fnUntraced(function* ({ params, payload }) {
        const principal = Authorization.userKey(yield* Authorization.CurrentPrincipal)
        const { open, request } = yield* ownSessions
          .findApproval(params.approvalId)
          .pipe(Effect.tapError(() => recordForeign(params.approvalId)))
        const { rule } = yield* view(request, open)
        const decision = toDecision(payload, rule)
        if (decision === null) {
          return yield* new Problem.Unprocessable({
            code: "no_rule_offered",
            detail: rule === null ? "no rule can approve this call" : `the rule that is offered is: ${rule}`
          })
        }
        const decided = yield* host.decide(request.approvalId, decision, principal).pipe(
          Effect.catchTags({
            ApprovalClosed: () => Effect.succeed({ inserted: false }),
            ApprovalNotFound: () => Effect.fail(new Problem.NotFound({})),
            NotAuthorised: () => Effect.fail(new Problem.NotFound({})),
            SessionNotFound: () => Effect.fail(new Problem.NotFound({})),
            PrincipalRefused: Effect.die,
            StoreFailed: Effect.die
          })
        )
        if (!decided.inserted && !(yield* isRepeated(request, decision, principal))) return yield* approvalClosed()
        return decided
      })
    })
  })
)
