/**
 * A process that decides pending approvals, one after another, and may be killed meanwhile. It prints a line when the
 * store is open, then one for each decision that the store has acknowledged.
 */
import type { Approval } from "@bough/protocol"
import { Inbox } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import { SessionStoreSql } from "@bough/store-sqlite"
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"
import * as Plan from "./plan.ts"

export const ready = "ready"

export interface Deciding {
  readonly home: string
  readonly seed: number
  /** The share of pending approvals that this process decides. */
  readonly share: number
}

export interface Acknowledged {
  readonly approvalId: string
  readonly decision: Approval.Decision
}

/** Decides some of the pending approvals, and reports each decision that was accepted. */
export const decideSome = (next: Plan.Random, share: number, taken: (acknowledged: Acknowledged) => void) =>
  Effect.gen(function* () {
    const store = yield* SessionStore.SessionStore
    const pending = yield* store.pendingApprovals(null)
    for (const request of pending.filter(() => next() < share)) {
      const decision: Approval.Decision =
        next() < 0.7 ? { _tag: "Approved", rule: null } : { _tag: "Denied", words: `no ${request.approvalId}` }
      const stored = yield* Effect.option(store.submit(Inbox.toDecisionRow(request, { decision, principal: "grace" })))
      if (stored._tag === "Some" && stored.value.inserted) taken({ approvalId: request.approvalId, decision })
    }
    return pending.length
  })

if (process.argv[2] !== undefined && process.argv[3] === "decide") {
  const { home, seed, share } = JSON.parse(process.argv[2]) as Deciding
  const say = (acknowledged: Acknowledged): void => void writeSync(1, `${JSON.stringify(acknowledged)}\n`)
  const next = Plan.random(seed)
  const deciding = Effect.sync(() => void writeSync(1, `${ready}\n`)).pipe(
    Effect.andThen(Effect.forever(Effect.andThen(decideSome(next, share, say), Effect.sleep(5))))
  )
  Effect.runFork(Effect.provide(deciding, SessionStoreSql.layer({ directory: home })))
}
