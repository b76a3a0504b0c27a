/** Tests of the ownership of trees, and of the lists of stored sessions. */
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { TestClock } from "effect/testing"
import * as SessionStore from "../../ports/SessionStore.ts"
import * as Sample from "../SampleJournal.ts"

export const leaseSpec = (it: Vitest.MethodsNonLive<SessionStore.SessionStore>): void => {
  it.effect("a tree has one owner at a time", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const lease = yield* Sample.openTree(0)
      const error = yield* Effect.flip(store.acquire(lease.treeId))
      assert.strictEqual(error._tag, "TreeBusy")
      yield* store.commit(Sample.batch(lease, [Sample.append(lease.treeId, 1, Sample.message("still mine"))]))
    })
  )

  it.effect("a later owner's epoch is higher, and the earlier one's commits are refused from then on", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const first = yield* Sample.openTree(0)
      const { treeId } = first
      yield* store.release(first)
      const item = Sample.append(treeId, 1, Sample.message("late"))
      assert.strictEqual((yield* Effect.flip(store.commit(Sample.batch(first, [item]))))._tag, "LeaseLost")
      const second = yield* store.acquire(treeId)
      assert.isAbove(second.epoch, first.epoch)
      assert.strictEqual((yield* Effect.flip(store.commit(Sample.batch(first, [item]))))._tag, "LeaseLost")
      yield* store.commit(Sample.batch(second, [item]))
      assert.strictEqual((yield* store.entries(treeId, 0, 10)).length, 2)
    })
  )

  it.effect(
    "who watches a lease is notified once that it is lost, by a write or a look that is refused, and no other is",
    () =>
      Effect.gen(function* () {
        const store = yield* SessionStore.SessionStore
        const first = yield* Sample.openTree(0)
        const { treeId } = first
        const notified: Array<number> = []
        const scope = yield* Scope.make()
        yield* store.watchLease(first, () => void notified.push(first.epoch))
        yield* Scope.provide(
          store.watchLease(first, () => void notified.push(-1)),
          scope
        )
        yield* Scope.close(scope, Exit.void)
        yield* store.secure(first)
        yield* store.release(first)
        const second = yield* store.acquire(treeId)
        yield* store.watchLease(second, () => void notified.push(second.epoch))
        assert.deepStrictEqual(notified, [])
        const item = Sample.append(treeId, 1, Sample.message("late"))
        yield* Effect.flip(store.commit(Sample.batch(first, [item])))
        assert.deepStrictEqual(notified, [first.epoch])
        yield* Effect.flip(store.secure(first))
        yield* store.commit(Sample.batch(second, [item]))
        assert.deepStrictEqual(notified, [first.epoch])
        yield* store.release(second)
        yield* store.acquire(treeId)
        yield* Effect.flip(store.secure(second))
        assert.deepStrictEqual(notified, [first.epoch, second.epoch])
      })
  )

  it.effect("giving up a lease that was lost does not take it from its new owner", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const first = yield* Sample.openTree(0)
      yield* store.release(first)
      const second = yield* store.acquire(first.treeId)
      yield* store.release(first)
      assert.strictEqual((yield* Effect.flip(store.acquire(first.treeId)))._tag, "TreeBusy")
      yield* store.commit(Sample.batch(second, [Sample.append(first.treeId, 1, Sample.message("mine"))]))
    })
  )

  it.effect("a session's row follows its entries and projections", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const lease = yield* Sample.openTree(1, "/somewhere")
      const { treeId } = lease
      const projections = [
        { _tag: "SessionTitle", sessionId: treeId, title: "a title" },
        { _tag: "SessionState", sessionId: treeId, state: "Suspended" }
      ] as const
      yield* store.commit(
        Sample.batch(lease, [Sample.append(treeId, 2, Sample.message("two"))], { projections, durability: "Relaxed" })
      )
      const updatedAtMillis = yield* store.now
      assert.deepStrictEqual(yield* store.session(treeId), {
        sessionId: treeId,
        treeId,
        kind: "Main",
        state: "Suspended",
        title: "a title",
        user: null,
        agent: "bough",
        workspaceRoot: "/somewhere",
        entries: 3,
        createdAtMillis: 0,
        updatedAtMillis
      })
      assert.strictEqual((yield* Effect.flip(store.session("no such session")))._tag, "SessionNotFound")
    })
  )

  it.effect("the list holds Main sessions of the workspace, most recently changed first", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const workspaceRoot = Sample.freshId("/workspace")
      const leases: Array<SessionStore.Lease> = []
      for (let index = 0; index < 3; index++) {
        leases.push(yield* Sample.openTree(0, workspaceRoot))
        yield* TestClock.adjust("1 second")
      }
      yield* Sample.openTree(0, "/elsewhere")
      const childId = Sample.freshId("child")
      const opened = Sample.opened({ kind: "Branch", parentId: leases[0].treeId, workspaceRoot })
      yield* store.commit(
        Sample.batch(leases[0], [
          Sample.append(childId, 0, opened),
          Sample.append(leases[0].treeId, 1, Sample.message("changed last"))
        ])
      )
      const ids = (limit: number) =>
        Effect.map(store.list({ workspaceRoot, limit }), (rows) => rows.map((row) => row.sessionId))
      const [a, b, c] = leases.map((lease) => lease.treeId)
      assert.deepStrictEqual(yield* ids(10), [a, c, b])
      assert.deepStrictEqual(yield* ids(2), [a, c])
      const everywhere = yield* store.list({ workspaceRoot: null, limit: 1000 })
      assert.isTrue(everywhere.some((row) => row.workspaceRoot === "/elsewhere"))
      assert.isFalse(everywhere.some((row) => row.sessionId === childId))
    })
  )

  it.effect("a removed tree is gone with all that belongs to it, its neighbours stay", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const [lease, neighbour] = [yield* Sample.openTree(2), yield* Sample.openTree(2)]
      const { treeId } = lease
      const childId = Sample.freshId("child")
      yield* store.commit(
        Sample.batch(lease, [Sample.append(childId, 0, Sample.opened({ kind: "Branch", parentId: treeId }))], {
          projections: [{ _tag: "ApprovalPending", request: Sample.request(treeId, 1e12) }]
        })
      )
      const command = { _tag: "SteerSession", sessionId: treeId, text: "left" } as const
      yield* store.submit({ treeId, dedupeKey: "k", command, principal: "user" })
      assert.strictEqual((yield* Effect.flip(store.remove(treeId)))._tag, "TreeBusy")
      yield* store.release(lease)
      yield* store.remove(treeId)
      for (const sessionId of [treeId, childId]) {
        assert.deepStrictEqual(yield* store.entries(sessionId, 0, 10), [])
        assert.strictEqual((yield* Effect.flip(store.session(sessionId)))._tag, "SessionNotFound")
      }
      assert.deepStrictEqual(yield* store.inbox(treeId), [])
      assert.deepStrictEqual(yield* store.pendingApprovals(treeId), [])
      assert.strictEqual((yield* Effect.flip(store.remove(treeId)))._tag, "SessionNotFound")
      assert.strictEqual((yield* store.entries(neighbour.treeId, 0, 10)).length, 3)
    })
  )
}
