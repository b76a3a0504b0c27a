/** The registry of pending approvals: a decision is for one call, and is forgotten with its use. */
import { Session } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as PendingApprovals from "../../src/approval/PendingApprovals.ts"
import * as RequestEnds from "../../src/approval/RequestEnds.ts"
import * as Withdrawal from "../../src/approval/Withdrawal.ts"
import * as Signal from "../../src/Signal.ts"
import * as SampleJournal from "../../src/testing/SampleJournal.ts"

const request = SampleJournal.request(Session.SessionId.make("tree"), 1e15)
const approved: PendingApprovals.Verdict = {
  _tag: "Approved",
  request,
  decision: { _tag: "Approved", rule: null },
  principal: "ada"
}

describe("a pending approval", () => {
  it.effect("is forgotten once its decision is used, so that no later call finds the decision", () =>
    Effect.gen(function* () {
      const pending = PendingApprovals.make(Signal.make(), yield* Effect.scope)
      const decided = yield* Deferred.make<PendingApprovals.Verdict>()
      yield* PendingApprovals.begin(pending, request, Deferred.await(decided))
      assert.isNull(yield* PendingApprovals.waitFor(pending, request, 0))
      assert.isTrue(PendingApprovals.isAsked(pending, request))
      yield* Deferred.succeed(decided, approved)
      assert.strictEqual(yield* PendingApprovals.waitFor(pending, request, Infinity), approved)
      assert.isFalse(PendingApprovals.isDecided(pending, request))
      assert.isFalse(PendingApprovals.isAsked(pending, request))
      assert.isNull(yield* PendingApprovals.waitFor(pending, request, 0))
    })
  )

  it.effect("is no longer shown once its request has lapsed", () =>
    Effect.gen(function* () {
      const pending = PendingApprovals.make(Signal.make(), yield* Effect.scope)
      let isShown = true
      const shown = Effect.onInterrupt(Effect.never, () => Effect.sync(() => void (isShown = false)))
      yield* PendingApprovals.begin(pending, request, shown)
      yield* Effect.yieldNow
      const journal = { append: () => Effect.void }
      yield* Withdrawal.closeChanged({ journal, pending }, request, RequestEnds.causeOf("changed"))
      assert.isFalse(isShown)
      assert.isFalse(PendingApprovals.isAsked(pending, request))
    })
  )
})
