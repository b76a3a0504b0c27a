/** Tests that every store commits a batch completely and in order, or not at all. */
import { Canonical, Entry, Session } from "@bough/protocol"
import { assert, type Vitest } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SessionStore from "../../ports/SessionStore.ts"
import * as Sample from "../SampleJournal.ts"

/** Any body that may follow a session's first entry. */
const laterBody = Schema.Union([
  Entry.Body.cases.UserMessage,
  Entry.Body.cases.ContextAdded,
  Entry.Body.cases.ModelReplied,
  Entry.Body.cases.CallStarted,
  Entry.Body.cases.CallEnded,
  Entry.Body.cases.StateChanged
])
const laterAppends = Schema.NonEmptyArray(Schema.Struct({ body: laterBody, labels: Schema.Array(Session.Label) }))

/** All readable data of a tree, to compare before and after. */
const visible = Effect.fnUntraced(function* (treeId: Session.SessionId, sessionId: Session.SessionId) {
  const store = yield* SessionStore.SessionStore
  return Canonical.stringify({
    entries: yield* store.entries(sessionId, 0, 1000),
    session: yield* store.session(sessionId),
    approvals: yield* store.pendingApprovals(treeId),
    inbox: yield* store.inbox(treeId)
  })
})

export const commitSpec = (it: Vitest.MethodsNonLive<SessionStore.SessionStore>): void => {
  it.effect("a projection changes nothing of another tree, whatever it names", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const ownTree = yield* Sample.openTree(0)
      const other = yield* Sample.openTree(0)
      const { treeId } = other
      const request = Sample.request(treeId, 1e15)
      yield* store.commit(Sample.batch(other, [], { projections: [{ _tag: "ApprovalPending", request }] }))
      const steer = (sessionId: Session.SessionId) =>
        store.submit({
          treeId: sessionId,
          dedupeKey: "the same",
          command: { _tag: "SteerSession", sessionId, text: "hello" },
          principal: "ada"
        })
      yield* steer(treeId)
      yield* steer(ownTree.treeId)
      const before = yield* visible(treeId, treeId)
      yield* store.commit(
        Sample.batch(ownTree, [], {
          projections: [
            { _tag: "SessionState", sessionId: treeId, state: "Failed" },
            { _tag: "SessionTitle", sessionId: treeId, title: "taken" },
            { _tag: "ApprovalClosed", approvalId: request.approvalId },
            { _tag: "InboxDone", dedupeKey: "the same" }
          ]
        })
      )
      assert.strictEqual(yield* visible(treeId, treeId), before)
      assert.deepStrictEqual(yield* store.inbox(ownTree.treeId), [])
    })
  )

  it.effect("entries come back as committed, in order, each chained to the one before", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const lease = yield* Sample.openTree(2)
      const committed = yield* store.commit(
        Sample.batch(lease, [
          { ...Sample.append(lease.treeId, 3, Sample.message("three")), labels: ["untrusted", "private"] },
          Sample.append(lease.treeId, 4, Sample.message("four"))
        ])
      )
      const entries = yield* store.entries(lease.treeId, 0, 100)
      assert.deepStrictEqual(
        entries.map((entry) => entry.seq),
        [0, 1, 2, 3, 4]
      )
      assert.deepStrictEqual(entries.slice(3), committed.entries)
      assert.deepStrictEqual(
        entries.map((entry) => entry.commit),
        [1, 1, 1, 2, 2]
      )
      assert.deepStrictEqual(entries[3].labels, ["untrusted", "private"])
      assert.strictEqual(entries[4].id, Entry.idOf(lease.treeId, 4))
      let previous = ""
      for (const entry of entries) {
        previous = Canonical.chain(previous, Canonical.stringify(entry.body))
        assert.strictEqual(entry.digest, previous, `entry ${entry.seq}`)
      }
    })
  )

  it.effect.prop(
    "any body and labels come back unchanged",
    [laterAppends],
    ([appends]) =>
      Effect.gen(function* () {
        const store = yield* SessionStore.SessionStore
        const lease = yield* Sample.openTree(0)
        const items = appends.map((item, index) => ({ ...item, sessionId: lease.treeId, expectedSeq: index + 1 }))
        yield* store.commit(Sample.batch(lease, items, { durability: "Relaxed" }))
        const entries = yield* store.entries(lease.treeId, 1, 1000)
        assert.deepStrictEqual(
          entries.map((entry) => Canonical.stringify([entry.labels, entry.body])),
          appends.map((item) => Canonical.stringify([item.labels, item.body]))
        )
      }),
    { arbitrary: { runs: 60 } }
  )

  it.effect("a body of 300 kB comes back complete and chained", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const lease = yield* Sample.openTree(0)
      const large = Sample.message("grün ".repeat(50_000))
      yield* store.commit(
        Sample.batch(lease, [
          Sample.append(lease.treeId, 1, large),
          Sample.append(lease.treeId, 2, large),
          Sample.append(lease.treeId, 3, Sample.message("small"))
        ])
      )
      const entries = yield* store.entries(lease.treeId, 1, 10)
      assert.deepStrictEqual(entries[0].body, large)
      assert.deepStrictEqual(entries[1].body, large)
      assert.strictEqual(entries[1].digest, Canonical.chain(entries[0].digest, Canonical.stringify(large)))
    })
  )

  it.effect("pages start at fromSeq and have at most limit entries", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const { treeId } = yield* Sample.openTree(9)
      const seqs = (fromSeq: number, limit: number) =>
        Effect.map(store.entries(treeId, fromSeq, limit), (entries) => entries.map((entry) => entry.seq))
      assert.deepStrictEqual(yield* seqs(0, 3), [0, 1, 2])
      assert.deepStrictEqual(yield* seqs(3, 3), [3, 4, 5])
      assert.deepStrictEqual(yield* seqs(8, 5), [8, 9])
      assert.deepStrictEqual(yield* seqs(10, 5), [])
      assert.deepStrictEqual(yield* store.entries(Sample.freshId("nobody"), 0, 5), [])
    })
  )

  it.effect.prop(
    "a batch that lost its lease leaves no trace",
    [laterAppends],
    ([appends]) =>
      Effect.gen(function* () {
        const store = yield* SessionStore.SessionStore
        const lease = yield* Sample.openTree(2)
        const { treeId } = lease
        yield* store.release(lease)
        yield* store.acquire(treeId)
        const before = yield* visible(treeId, treeId)
        const items = appends.map((item, index) => ({ ...item, sessionId: treeId, expectedSeq: index + 3 }))
        const error = yield* Effect.flip(
          store.commit(
            Sample.batch(lease, items, {
              projections: [
                { _tag: "SessionTitle", sessionId: treeId, title: "stolen" },
                { _tag: "ApprovalPending", request: Sample.request(treeId, 1e12) }
              ]
            })
          )
        )
        assert.strictEqual(error._tag, "LeaseLost")
        assert.strictEqual(yield* visible(treeId, treeId), before)
      }),
    { arbitrary: { runs: 30 } }
  )

  it.effect.prop(
    "a batch with one moved leaf leaves no trace in any of its sessions",
    [laterAppends, Schema.Natural, Schema.Literals([-1, 1, 7])],
    ([appends, position, shift]) =>
      Effect.gen(function* () {
        const store = yield* SessionStore.SessionStore
        const lease = yield* Sample.openTree(2)
        const { treeId } = lease
        const childId = Sample.freshId("child")
        const before = yield* visible(treeId, treeId)
        const moved = position % appends.length
        const items = appends.map((item, index) => ({
          ...item,
          sessionId: treeId,
          expectedSeq: index + 3 + (index === moved ? shift : 0)
        }))
        const error = yield* Effect.flip(
          store.commit(
            Sample.batch(
              lease,
              [Sample.append(childId, 0, Sample.opened({ kind: "Branch", parentId: treeId })), ...items],
              { projections: [{ _tag: "SessionTitle", sessionId: treeId, title: "moved" }] }
            )
          )
        )
        assert.strictEqual(error._tag, "LeafMoved")
        assert.strictEqual((error as SessionStore.LeafMoved).sessionId, treeId)
        assert.strictEqual((error as SessionStore.LeafMoved).seq, 3)
        assert.strictEqual(yield* visible(treeId, treeId), before)
        assert.deepStrictEqual(yield* store.entries(childId, 0, 10), [])
        assert.strictEqual((yield* Effect.flip(store.session(childId)))._tag, "SessionNotFound")
      }),
    { arbitrary: { runs: 30 } }
  )

  it.effect("every commit of a tree gets the tree's next number, and a failed commit gets no number", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const lease = yield* Sample.openTree(0)
      const childId = Sample.freshId("child")
      const opened = Sample.opened({ kind: "Branch", parentId: lease.treeId })
      const first = yield* store.commit(Sample.batch(lease, [Sample.append(childId, 0, opened)]))
      yield* Effect.flip(store.commit(Sample.batch(lease, [Sample.append(childId, 7, Sample.message("x"))])))
      const second = yield* store.commit(
        Sample.batch(lease, [
          Sample.append(childId, 1, Sample.message("to the child")),
          Sample.append(lease.treeId, 1, Sample.message("to the parent"))
        ])
      )
      const third = yield* store.commit(
        Sample.batch(lease, [], { projections: [{ _tag: "SessionTitle", sessionId: childId, title: "child" }] })
      )
      assert.deepStrictEqual([first.commit, second.commit, third.commit], [2, 3, 4])
    })
  )

  it.effect(
    "of many commits at the same position exactly one succeeds, and the others get the position of the leaf",
    () =>
      Effect.gen(function* () {
        const store = yield* SessionStore.SessionStore
        const lease = yield* Sample.openTree(0)
        const results = yield* Effect.forEach(
          Array.from({ length: 40 }, (_, index) => index),
          (index) =>
            Effect.result(
              store.commit(Sample.batch(lease, [Sample.append(lease.treeId, 1, Sample.message(`from ${index}`))]))
            ),
          { concurrency: "unbounded" }
        )
        const failures = results.filter((result) => result._tag === "Failure").map((result) => result.failure)
        assert.strictEqual(results.length - failures.length, 1)
        assert.isTrue(failures.every((error) => error._tag === "LeafMoved" && error.seq === 2))
        assert.strictEqual((yield* store.entries(lease.treeId, 0, 100)).length, 2)
      })
  )

  it.effect("failed commits do not affect commits that arrive at the same time", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const leases = yield* Effect.forEach(Array.from({ length: 16 }), () => Sample.openTree(0))
      const kinds = ["committed", "LeaseLost", "LeafMoved", "bug"] as const
      const exits = yield* Effect.forEach(
        leases,
        (lease, index) => {
          const kind = kinds[index % kinds.length]
          const last = kind === "bug" ? Sample.opened() : Sample.message("together")
          return Effect.exit(
            store.commit(
              Sample.batch(
                kind === "LeaseLost" ? { ...lease, epoch: lease.epoch + 1 } : lease,
                [
                  Sample.append(lease.treeId, 1, Sample.message("first")),
                  Sample.append(lease.treeId, kind === "LeafMoved" ? 5 : 2, last)
                ],
                { durability: index % 3 === 0 ? "Full" : "Relaxed" }
              )
            )
          )
        },
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        exits.map((exit) => {
          if (Exit.isSuccess(exit)) return "committed"
          return Cause.hasDies(exit.cause)
            ? "bug"
            : Cause.findErrorOption(exit.cause).pipe(
                Option.map((error) => error._tag),
                Option.getOrNull
              )
        }),
        leases.map((_, index) => kinds[index % kinds.length])
      )
      const lengths = yield* Effect.forEach(leases, ({ treeId }) => store.entries(treeId, 0, 10))
      assert.deepStrictEqual(
        lengths.map((entries) => entries.length),
        leases.map((_, index) => (index % kinds.length === 0 ? 3 : 1))
      )
    })
  )

  it.effect("a Full commit follows Relaxed ones in order", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const lease = yield* Sample.openTree(0)
      for (let seq = 1; seq <= 6; seq++) {
        const durability = seq % 3 === 0 ? "Full" : "Relaxed"
        const item = Sample.append(lease.treeId, seq, Sample.message(`${durability} ${seq}`))
        yield* store.commit(Sample.batch(lease, [item], { durability }))
      }
      const texts = (yield* store.entries(lease.treeId, 1, 10)).map((entry) =>
        entry.body._tag === "UserMessage" ? entry.body.text : ""
      )
      assert.deepStrictEqual(texts, ["Relaxed 1", "Relaxed 2", "Full 3", "Relaxed 4", "Relaxed 5", "Full 6"])
    })
  )

  it.effect("the sessions of a tree are those of that tree, the Main first, however many there are", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const lease = yield* Sample.openTree(0)
      const { treeId } = lease
      const branches = [Sample.freshId("branch"), Sample.freshId("branch")]
      yield* Effect.forEach(branches, (branch) =>
        store.commit(
          Sample.batch(lease, [Sample.append(branch, 0, Sample.opened({ kind: "Branch", parentId: treeId }))])
        )
      )
      yield* Sample.openTree(0)
      const listed = yield* store.sessionsOf(treeId)
      assert.deepStrictEqual(
        listed.map(({ kind, sessionId }) => [kind, sessionId]),
        [["Main", treeId], ...branches.toSorted().map((branch) => ["Branch", branch])]
      )
      assert.deepStrictEqual(yield* store.sessionsOf(Sample.freshId("tree")), [])
    })
  )

  it.effect("a session whose first entry is not SessionOpened is a bug of the caller", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const lease = yield* Sample.openTree(0)
      const strayId = Sample.freshId("stray")
      const exit = yield* Effect.exit(
        store.commit(Sample.batch(lease, [Sample.append(strayId, 0, Sample.message("first"))]))
      )
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
      assert.deepStrictEqual(yield* store.entries(strayId, 0, 10), [])
    })
  )

  it.effect("an entry for a session of another tree is a bug of the caller", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const [ownTree, other] = [yield* Sample.openTree(0), yield* Sample.openTree(0)]
      const exit = yield* Effect.exit(
        store.commit(Sample.batch(ownTree, [Sample.append(other.treeId, 1, Sample.message("smuggled"))]))
      )
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
      assert.strictEqual((yield* store.entries(other.treeId, 0, 10)).length, 1)
    })
  )
}
