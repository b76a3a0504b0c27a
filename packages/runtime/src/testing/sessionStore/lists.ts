/** Tests of the queries of a host with many sessions: sessions by page, requests by user, trees with open work. */
import type { Session } from "@bough/protocol"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { TestClock } from "effect/testing"
import * as SessionStore from "../../ports/SessionStore.ts"
import * as Sample from "../SampleJournal.ts"

interface SessionFacts {
  readonly user?: string | null
  readonly agent?: string
  readonly workspaceRoot: string
}

/** A new tree with these facts, owned by this process. */
const open = Effect.fnUntraced(function* (facts: SessionFacts, state: Session.SessionState = "Active") {
  const store = yield* SessionStore.SessionStore
  const lease = yield* store.acquire(Sample.freshId("tree"))
  const { treeId } = lease
  yield* store.commit(
    Sample.batch(lease, [Sample.append(treeId, 0, Sample.opened(facts))], {
      projections: [{ _tag: "SessionState", sessionId: treeId, state }]
    })
  )
  return lease
})

/** Reads all pages of a list, `limit` items at a time. */
const pages = Effect.fnUntraced(function* (options: SessionStore.ListOptions) {
  const store = yield* SessionStore.SessionStore
  const found: Array<ReadonlyArray<Session.Summary>> = []
  let after: SessionStore.Cursor | null = null
  do {
    const page: ReadonlyArray<Session.Summary> = yield* store.list(after === null ? options : { ...options, after })
    found.push(page)
    after = page.at(-1) ?? null
  } while (after !== null)
  return found
})

const user = Schema.NullOr(Schema.Literals(["ada", "grace"]))
const agent = Schema.Literals(["coder", "writer"])
const state = Schema.Literals(["Active", "Suspended"])
const session = Schema.Struct({ user, agent, state, pauseMillis: Schema.Literals([0, 1, 700, 5000]) })
const filter = Schema.Struct({
  user: Schema.optionalKey(user),
  agent: Schema.optionalKey(agent),
  state: Schema.optionalKey(state)
})

export const listSpec = (it: Vitest.MethodsNonLive<SessionStore.SessionStore>): void => {
  it.effect("a user's title stays whatever a commit says, and an archived session is listed apart", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const workspaceRoot = Sample.freshId("/workspace")
      const lease = yield* open({ workspaceRoot })
      const other = yield* open({ workspaceRoot })
      const { treeId } = lease
      const withTitle = (title: string) =>
        store.commit(Sample.batch(lease, [], { projections: [{ _tag: "SessionTitle", sessionId: treeId, title }] }))
      yield* withTitle("of the message")
      assert.strictEqual((yield* store.describe(treeId, { title: "100 % Mine_\\" })).title, "100 % Mine_\\")
      yield* withTitle("of another message")
      assert.strictEqual((yield* store.session(treeId)).title, "100 % Mine_\\")
      const listIds = (options: Partial<SessionStore.ListOptions>) =>
        Effect.map(store.list({ workspaceRoot, limit: 10, ...options }), (found) =>
          found.map(({ sessionId }) => sessionId).toSorted()
        )
      for (const part of ["MINE_", "0 % m", "_\\", ""]) {
        assert.include(yield* listIds({ titleContains: part }), treeId, part)
      }
      for (const part of ["%mine", "100_", "Mine_%"])
        assert.deepStrictEqual(yield* listIds({ titleContains: part }), [])
      const archived = yield* store.describe(treeId, { isArchived: true })
      assert.isNumber(archived.archivedAtMillis)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* store.describe(treeId, { isArchived: true }), archived)
      assert.deepStrictEqual(yield* listIds({ isArchived: true }), [treeId])
      assert.deepStrictEqual(yield* listIds({ isArchived: false }), [other.treeId])
      assert.lengthOf(yield* listIds({}), 2)
      assert.notProperty(yield* store.describe(treeId, { isArchived: false }), "archivedAtMillis")
      const read = yield* store.session(treeId)
      assert.strictEqual((yield* store.describe(treeId, { title: "one", expected: read })).title, "one")
      const late = yield* Effect.flip(store.describe(treeId, { title: "two", expected: read }))
      assert.strictEqual(late._tag, "DescriptionChanged")
      assert.strictEqual((yield* store.session(treeId)).title, "one")
      const missing = yield* Effect.flip(store.describe("ses_none", { title: "x" }))
      assert.strictEqual(missing._tag, "SessionNotFound")
      for (const owned of [lease, other]) yield* store.release(owned)
    })
  )

  it.effect.prop(
    "the pages of a list hold each session that fits once, most recently changed first",
    [Schema.Array(session), Schema.Array(Schema.Natural), filter, Schema.Literals([1, 2, 3, 100])],
    ([sessions, changes, only, limit]) =>
      Effect.gen(function* () {
        const store = yield* SessionStore.SessionStore
        const workspaceRoot = Sample.freshId("/workspace")
        const leases: Array<SessionStore.Lease> = []
        for (const { pauseMillis, state, ...facts } of sessions) {
          leases.push(yield* open({ ...facts, workspaceRoot }, state))
          yield* TestClock.adjust(pauseMillis)
        }
        const lengths = new Map(leases.map(({ treeId }) => [treeId, 1]))
        for (const change of leases.length === 0 ? [] : changes) {
          const lease = leases[change % leases.length]
          const length = lengths.get(lease.treeId) ?? 0
          yield* store.commit(
            Sample.batch(lease, [Sample.append(lease.treeId, length, Sample.message("more"))], {
              durability: "Relaxed"
            })
          )
          lengths.set(lease.treeId, length + 1)
          yield* TestClock.adjust(change % 2 === 0 ? 400 : 0)
        }
        const listed = (yield* pages({ ...only, workspaceRoot, limit })).flat()
        const all = yield* Effect.forEach(leases, ({ treeId }) => store.session(treeId))
        const options = { ...only, workspaceRoot, limit }
        assert.deepStrictEqual(
          listed,
          all.filter((summary) => SessionStore.isListed(summary, options)).toSorted(SessionStore.byRecency)
        )
      }),
    { arbitrary: { runs: 40, size: 30 } }
  )

  it.effect("a session says whom it works for, and as which agent", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const { treeId } = yield* open({ user: "ada", agent: "coder", workspaceRoot: "/w" })
      assert.deepInclude(yield* store.session(treeId), { user: "ada", agent: "coder" })
      const [child] = [Sample.freshId("child")]
      const other = yield* open({ user: "grace", workspaceRoot: "/w" })
      yield* store.commit(
        Sample.batch(other, [
          Sample.append(
            child,
            0,
            Sample.opened({ kind: "Worker", parentId: other.treeId, user: "grace", agent: "aide" })
          )
        ])
      )
      assert.deepInclude(yield* store.session(child), { user: "grace", agent: "aide" })
    })
  )

  it.effect("requests are found by the user of their tree", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const [one, two] = [Sample.freshId("user"), Sample.freshId("user")]
      const requests = yield* Effect.forEach([one, two, one, null], (user) =>
        Effect.gen(function* () {
          const lease = yield* open({ user, workspaceRoot: "/w" })
          const request = Sample.request(lease.treeId, 1e12)
          yield* store.commit(Sample.batch(lease, [], { projections: [{ _tag: "ApprovalPending", request }] }))
          return request
        })
      )
      const [first, second, third, ownerless] = requests
      assert.deepStrictEqual(yield* store.pendingApprovals(null, { user: one }), [first, third])
      assert.deepStrictEqual(yield* store.pendingApprovals(null, { user: two }), [second])
      assert.deepStrictEqual(yield* store.pendingApprovals(third.sessionPath[0], { user: one }), [third])
      assert.deepStrictEqual(yield* store.pendingApprovals(third.sessionPath[0], { user: two }), [])
      const ownerlessFound = yield* store.pendingApprovals(null, { user: null })
      assert.isTrue(ownerlessFound.some(({ approvalId }) => approvalId === ownerless.approvalId))
      assert.isFalse(ownerlessFound.some(({ approvalId }) => approvalId === first.approvalId))
      assert.isAtLeast((yield* store.pendingApprovals(null, {})).length, 4)
    })
  )

  it.effect("work is what waits in a tree: an open row, a turn left in the middle, a deadline that has passed", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const lease = yield* open({ workspaceRoot: "/w" }, "Suspended")
      const { treeId } = lease
      const work = Effect.gen(function* () {
        const found = (yield* store.work).find((found) => found.treeId === treeId)
        assert.deepStrictEqual(yield* store.workOf(treeId), found ?? null)
        if (found === undefined) return {}
        const { isActive, isExpired, newestRow } = found
        return { treeId, newestRow, isActive, isExpired }
      })
      const project = (projection: Parameters<typeof Sample.batch>[2] & object) =>
        store.commit(Sample.batch(lease, [], projection))
      assert.deepStrictEqual(yield* work, {})
      const command = { _tag: "SteerSession", sessionId: treeId, text: "hello" } as const
      for (const dedupeKey of ["a", "b"]) yield* store.submit({ treeId, dedupeKey, command, principal: "ada" })
      assert.deepStrictEqual(yield* work, { treeId, newestRow: 1, isActive: false, isExpired: false })
      yield* project({ projections: [{ _tag: "InboxDone", dedupeKey: "b" }] })
      assert.deepStrictEqual(yield* work, { treeId, newestRow: 0, isActive: false, isExpired: false })
      yield* project({ projections: [{ _tag: "InboxDone", dedupeKey: "a" }] })
      assert.deepStrictEqual(yield* work, {})
      yield* project({ projections: [{ _tag: "SessionState", sessionId: treeId, state: "Active" }] })
      assert.deepStrictEqual(yield* work, { treeId, newestRow: null, isActive: true, isExpired: false })
      yield* project({ projections: [{ _tag: "SessionState", sessionId: treeId, state: "Suspended" }] })
      const request = Sample.request(treeId, (yield* store.now) + 1000)
      yield* project({ projections: [{ _tag: "ApprovalPending", request }] })
      assert.deepStrictEqual(yield* work, {})
      yield* TestClock.adjust(1000)
      assert.deepStrictEqual(yield* work, { treeId, newestRow: null, isActive: false, isExpired: true })
      yield* project({ projections: [{ _tag: "ApprovalClosed", approvalId: request.approvalId }] })
      assert.deepStrictEqual(yield* work, {})
      // A tree whose session was never opened has no work to continue.
      const unopened = yield* store.acquire(Sample.freshId("unopened"))
      yield* store.submit({ treeId: unopened.treeId, dedupeKey: "a", command, principal: "ada" })
      assert.isFalse((yield* store.work).some((found) => found.treeId === unopened.treeId))
      assert.isNull(yield* store.workOf(unopened.treeId))
    })
  )

  it.effect("who watches every inbox is notified of each", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const leases = [yield* Sample.openTree(0), yield* Sample.openTree(0)]
      let notified = 0
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* store.watchInbox(null, () => void (notified += 1))
          assert.strictEqual(notified, 1)
          for (const { treeId } of leases) {
            const before = notified
            const command = { _tag: "SteerSession", sessionId: treeId, text: "hello" } as const
            yield* store.submit({ treeId, dedupeKey: "a", command, principal: "ada" })
            assert.isAbove(notified, before)
          }
        })
      )
      const before = notified
      const command = { _tag: "SteerSession", sessionId: leases[0].treeId, text: "hello" } as const
      yield* store.submit({ treeId: leases[0].treeId, dedupeKey: "b", command, principal: "ada" })
      assert.strictEqual(notified, before)
    })
  )
}
