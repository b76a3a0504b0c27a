/**
 * Tests of the rows that other sessions and users submit to a tree's owner: each message and decision counts once, and
 * decisions only in time.
 */
import { type Approval, Inbox, type Session } from "@bough/protocol"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import * as SessionStore from "../../ports/SessionStore.ts"
import * as Sample from "../SampleJournal.ts"

const steer = (treeId: Session.SessionId, dedupeKey: string, text = dedupeKey): Inbox.Submission => ({
  treeId,
  dedupeKey,
  command: { _tag: "SteerSession", sessionId: treeId, text },
  principal: "user"
})

const approved: Approval.Decision = { _tag: "Approved", rule: null }

const decide = (
  treeId: Session.SessionId,
  approvalId: Session.ApprovalId,
  decision: Approval.Decision
): Inbox.Submission => ({
  treeId,
  dedupeKey: Inbox.decisionKey(approvalId),
  command: { _tag: "DecideApproval", approvalId, decision },
  principal: `decides ${decision._tag}`
})

/** Makes a tree with one pending request, to be decided within a minute. */
const openTreeWithRequest = Effect.fnUntraced(function* () {
  const store = yield* SessionStore.SessionStore
  const lease = yield* Sample.openTree(0)
  const request = Sample.request(lease.treeId, (yield* store.now) + 60_000)
  yield* store.commit(
    Sample.batch(lease, [Sample.append(lease.treeId, 1, { _tag: "ApprovalAsked", request })], {
      projections: [{ _tag: "ApprovalPending", request }]
    })
  )
  return { lease, treeId: lease.treeId, request, approvalId: request.approvalId }
})

export const inboxSpec = (it: Vitest.MethodsNonLive<SessionStore.SessionStore>): void => {
  it.effect("rows come out in the order they were put in, each key once", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const { treeId } = yield* Sample.openTree(0)
      for (const key of ["b", "a", "c"]) {
        assert.deepStrictEqual(yield* store.submit(steer(treeId, key)), { inserted: true })
      }
      assert.deepStrictEqual(yield* store.submit(steer(treeId, "a", "again, with other words")), { inserted: false })
      const rows = yield* store.inbox(treeId)
      assert.deepStrictEqual(
        rows.map((row) => [row.dedupeKey, row.command._tag === "SteerSession" && row.command.text]),
        [
          ["b", "b"],
          ["a", "a"],
          ["c", "c"]
        ]
      )
      assert.isTrue(rows.every((row, index) => index === 0 || row.seq > rows[index - 1].seq))
    })
  )

  it.effect("a row that is done is read no more, and its key stays taken", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const lease = yield* Sample.openTree(0)
      const { treeId } = lease
      yield* store.submit(steer(treeId, "one"))
      yield* store.submit(steer(treeId, "two"))
      yield* store.commit(
        Sample.batch(lease, [Sample.append(treeId, 1, Sample.message("one"))], {
          projections: [{ _tag: "InboxDone", dedupeKey: "one" }]
        })
      )
      assert.deepStrictEqual(
        (yield* store.inbox(treeId)).map((row) => row.dedupeKey),
        ["two"]
      )
      assert.deepStrictEqual(yield* store.submit(steer(treeId, "one")), { inserted: false })
    })
  )

  it.effect("two trees may use the same key, and a submission to an unknown tree fails", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const [one, other] = [yield* Sample.openTree(0), yield* Sample.openTree(0)]
      assert.deepStrictEqual(yield* store.submit(steer(one.treeId, "same")), { inserted: true })
      assert.deepStrictEqual(yield* store.submit(steer(other.treeId, "same")), { inserted: true })
      const error = yield* Effect.flip(store.submit(steer(Sample.freshId("nowhere"), "same")))
      assert.strictEqual(error._tag, "SessionNotFound")
    })
  )

  it.effect("a submission needs no lease", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const lease = yield* Sample.openTree(0)
      yield* store.release(lease)
      assert.deepStrictEqual(yield* store.submit(steer(lease.treeId, "late")), { inserted: true })
      assert.strictEqual((yield* store.inbox(lease.treeId)).length, 1)
    })
  )

  it.effect("the first decision wins, whatever comes after it", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const { approvalId, treeId } = yield* openTreeWithRequest()
      const decisions: ReadonlyArray<Approval.Decision> = [
        { _tag: "Denied", words: "no" },
        approved,
        { _tag: "Withdrawn", reason: "gone" },
        { _tag: "Expired" }
      ]
      const results = yield* Effect.forEach(
        decisions,
        (decision) => store.submit(decide(treeId, approvalId, decision)),
        {
          concurrency: "unbounded"
        }
      )
      assert.strictEqual(results.filter((result) => result.inserted).length, 1)
      const rows = yield* store.inbox(treeId)
      assert.strictEqual(rows.length, 1)
      const winner = decisions[results.findIndex((result) => result.inserted)]
      assert.deepStrictEqual(rows[0].command, { _tag: "DecideApproval", approvalId, decision: winner })
    })
  )

  it.effect("a second decision is not inserted, even under another key", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const { approvalId, treeId } = yield* openTreeWithRequest()
      yield* store.submit(decide(treeId, approvalId, { _tag: "Denied", words: null }))
      const second = { ...decide(treeId, approvalId, approved), dedupeKey: "another key" }
      assert.deepStrictEqual(yield* store.submit(second), { inserted: false })
      assert.strictEqual((yield* store.inbox(treeId)).length, 1)
    })
  )

  it.effect("users decide only before the deadline; from then on the request can expire", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const inTime = yield* openTreeWithRequest()
      const late = yield* openTreeWithRequest()
      yield* TestClock.adjust("59 seconds")
      assert.isTrue((yield* store.submit(decide(inTime.treeId, inTime.approvalId, approved))).inserted)
      yield* TestClock.adjust("1 second")
      const error = yield* Effect.flip(store.submit(decide(late.treeId, late.approvalId, approved)))
      assert.strictEqual(error._tag, "ApprovalClosed")
      assert.isTrue((yield* store.submit(decide(late.treeId, late.approvalId, { _tag: "Expired" }))).inserted)
    })
  )

  it.effect("only an open request of that tree can be decided", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const { approvalId, lease, request, treeId } = yield* openTreeWithRequest()
      const other = yield* Sample.openTree(0)
      const submitRefused = (submission: Inbox.Submission) =>
        Effect.map(Effect.flip(store.submit(submission)), (error) => error._tag)
      assert.strictEqual(yield* submitRefused(decide(other.treeId, approvalId, approved)), "ApprovalClosed")
      const unknown = Sample.request(treeId, 1e12).approvalId
      assert.strictEqual(yield* submitRefused(decide(treeId, unknown, approved)), "ApprovalClosed")
      assert.deepStrictEqual(yield* store.pendingApprovals(treeId), [request])
      assert.deepStrictEqual(yield* store.pendingApprovals(other.treeId), [])
      assert.isTrue((yield* store.pendingApprovals(null)).some((pending) => pending.approvalId === approvalId))
      yield* store.commit(Sample.batch(lease, [], { projections: [{ _tag: "ApprovalClosed", approvalId }] }))
      assert.strictEqual(yield* submitRefused(decide(treeId, approvalId, approved)), "ApprovalClosed")
      assert.deepStrictEqual(yield* store.pendingApprovals(treeId), [])
    })
  )

  it.effect("a request can be read by its id, open or not", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const { approvalId, lease, request } = yield* openTreeWithRequest()
      assert.deepStrictEqual(yield* store.approval(approvalId), { request, open: true })
      yield* store.commit(Sample.batch(lease, [], { projections: [{ _tag: "ApprovalClosed", approvalId }] }))
      assert.deepStrictEqual(yield* store.approval(approvalId), { request, open: false })
      const error = yield* Effect.flip(store.approval("apr_none"))
      assert.strictEqual(error._tag === "ApprovalNotFound" ? error.approvalId : null, "apr_none")
    })
  )

  it.effect("a subscription reports a change at once, then after each submission", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const { treeId } = yield* Sample.openTree(0)
      const seen = yield* Queue.unbounded<void>()
      const fiber = yield* Effect.forkChild(
        Stream.runForEach(SessionStore.inboxChanges(store, treeId), () => Queue.offer(seen, undefined))
      )
      yield* Queue.take(seen)
      yield* store.submit(steer(treeId, "one"))
      yield* Queue.take(seen)
      yield* store.submit(steer(treeId, "two"))
      yield* Queue.take(seen)
      assert.strictEqual((yield* store.inbox(treeId)).length, 2)
      yield* Fiber.interrupt(fiber)
    })
  )

  it.effect("the store's clock never goes backwards", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      yield* TestClock.adjust("1 hour")
      const before = yield* store.now
      yield* TestClock.setTime(before - 3_600_000)
      const after = yield* store.now
      assert.isAtLeast(after, before)
      yield* TestClock.setTime(before + 5)
      assert.isAtLeast(yield* store.now, after)
    })
  )
}
