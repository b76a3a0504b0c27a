/**
 * The approvals that this process waits for. A request outlives its step: after a while its call is deferred, and it
 * resumes when the request is decided.
 */
import type { Call } from "@bough/dispatch"
import type { Approval, Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type { StoreFailed } from "../ports/SessionStore.ts"
import type { Signal } from "../Signal.ts"

export type Verdict = Call.CallApproval | Call.CallDenial

interface PendingApproval {
  /** Null: the request is not decided. */
  verdict: Exit.Exit<Verdict, StoreFailed> | null
  waiting: Fiber.Fiber<void> | null
}

/** The pending approvals of one tree. */
export interface PendingApprovals {
  readonly asked: Map<Session.ApprovalId, PendingApproval>
  /** The signal of the tree. */
  readonly changes: Signal
  /** The scope in which waits for decisions run. */
  readonly scope: Scope.Scope
}

export const make = (changes: Signal, scope: Scope.Scope): PendingApprovals => ({ asked: new Map(), changes, scope })

type Id = Pick<Approval.Request, "approvalId">

/** Waits for the decision for as long as the tree is open here; returns at once. */
export const begin = (
  { asked: all, changes, scope }: PendingApprovals,
  { approvalId }: Id,
  decided: Effect.Effect<Verdict, StoreFailed>
): Effect.Effect<void> =>
  Effect.suspend(() => {
    const pending: PendingApproval = { verdict: null, waiting: null }
    all.set(approvalId, pending)
    return Effect.exit(decided).pipe(
      Effect.map((verdict) => {
        pending.verdict = verdict
        changes.notify()
      }),
      Effect.interruptible,
      Effect.forkIn(scope),
      Effect.map((fiber) => {
        pending.waiting = fiber
      })
    )
  }).pipe(Effect.uninterruptible)

/** Returns the decision if it comes within that time; null: the request stays pending. */
export const waitFor = (
  { asked, changes }: PendingApprovals,
  { approvalId }: Id,
  millis: number
): Effect.Effect<Verdict | null, StoreFailed> =>
  Effect.suspend(() => {
    const known = () => asked.get(approvalId)?.verdict ?? null
    const coming = changes.waitFor(known)
    const inTime =
      millis === Infinity
        ? coming
        : Effect.map(millis > 0 ? Effect.timeoutOption(coming, millis) : Effect.succeedNone, known)
    return Effect.flatMap(inTime, (verdict): Effect.Effect<Verdict | null, StoreFailed> => {
      if (verdict === null) return Effect.succeed(null)
      asked.delete(approvalId)
      return verdict
    })
  })

/** Stops waiting for a request that no longer needs a decision. */
export const end = ({ asked }: PendingApprovals, { approvalId }: Id): Effect.Effect<void> =>
  Effect.suspend(() => {
    const waiting = asked.get(approvalId)?.waiting ?? null
    asked.delete(approvalId)
    return waiting === null ? Effect.void : Fiber.interrupt(waiting)
  })

/** True if the request is decided and no call has used the decision yet. */
export const isDecided = ({ asked }: PendingApprovals, { approvalId }: Id): boolean =>
  (asked.get(approvalId)?.verdict ?? null) !== null

/** True if this process waits for the decision or has received it. */
export const isAsked = ({ asked }: PendingApprovals, { approvalId }: Id): boolean => asked.has(approvalId)
