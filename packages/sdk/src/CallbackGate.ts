/** Implements the dispatcher's Gate with a program's `approve`: a call that it does not approve does not run. */
import { type Call, Gate } from "@bough/dispatch"
import { type Approval, Session } from "@bough/protocol"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import type { Approve } from "./Options.ts"
import { words } from "./words.ts"

const principal = "program"

/** The formal deadline of a request; no call waits for it here. */
const deadlineMillis = 7 * 24 * 60 * 60 * 1_000

export const make = (
  approve: Approve | undefined,
  sessionPath: ReadonlyArray<Session.SessionId>
): Gate.Gate["Service"] => ({
  ask: (call, preview, { reason, rule }) =>
    Effect.flatMap(
      requestFor(call, { preview, reason, sessionPath, ...(rule === undefined ? {} : { rule }) }),
      (request) => {
        return approve === undefined
          ? Effect.succeed(
              withdrawn(request, `${reason}, and no approver is configured: pass approve to open or to the call`)
            )
          : Effect.map(answer(approve, request), (answered) => verdict(request, answered))
      }
    ),
  askHost: (call, { preview, reason, url }) =>
    Effect.flatMap(requestFor(call, { preview, reason, sessionPath }), (request) =>
      approve === undefined
        ? Effect.succeed({ _tag: "Unasked", reason: "no approver is configured: pass approve to open or to the call" })
        : Effect.map(answer(approve, { ...request, reaches: url }), (answered) => verdict(request, answered))
    ),
  lapse: () => Effect.void
})

const requestFor = (
  call: Call.AssessedCall,
  asked: Pick<Approval.Request, "preview" | "reason" | "rule" | "sessionPath">
): Effect.Effect<Approval.Request> =>
  Effect.map(Clock.currentTimeMillis, (askedAtMillis) =>
    Gate.requestOf(call, {
      ...asked,
      approvalId: Session.ApprovalId.make(randomUUID()),
      askedAtMillis,
      expiresAtMillis: askedAtMillis + deadlineMillis
    })
  )

type Answer = boolean | { readonly denied: string } | { readonly broken: string }

const answer = (approve: Approve, request: Approval.Request): Effect.Effect<Answer> =>
  Effect.tryPromise(() => Promise.try(() => approve(request)).then(read)).pipe(
    Effect.catch(({ cause }) => Effect.succeed({ broken: `approve failed: ${words(cause)}` }))
  )

/** Reads an answer. An approver without types may return any value; only `true` approves. */
const read = (returned: unknown): Answer => {
  if (typeof returned === "boolean") return returned
  const denied: unknown =
    returned !== null && typeof returned === "object" && "denied" in returned ? returned.denied : undefined
  return typeof denied === "string"
    ? { denied }
    : {
        broken: `approve returned ${returned === null ? "null" : typeof returned}: it returns true, false or { denied: "why" }`
      }
}

const verdict = (request: Approval.Request, answered: Answer): Call.Verdict => {
  if (answered === true) return { _tag: "Approved", request, decision: { _tag: "Approved", rule: null }, principal }
  if (answered === false) return { _tag: "Denied", request, decision: { _tag: "Denied", words: null }, principal }
  return "denied" in answered
    ? { _tag: "Denied", request, decision: { _tag: "Denied", words: answered.denied }, principal }
    : withdrawn(request, answered.broken)
}

const withdrawn = (request: Approval.Request, reason: string): Call.CallDenial => ({
  _tag: "Denied",
  request,
  decision: { _tag: "Withdrawn", reason },
  principal
})
