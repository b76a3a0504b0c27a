/** The owner's journal after a commit that the store reported as failed and had not written. */
import type { Entry } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { SessionStore, SessionStoreMemory } from "../src/index.ts"
import * as Journal from "../src/journal/Journal.ts"
import * as SampleJournal from "../src/testing/SampleJournal.ts"

const failed = new SessionStore.StoreFailed({ operation: "commit", message: "odd", hint: "" })

describe("Journal", () => {
  it.effect("folds a commit once that failed without being written and was then repeated", () =>
    Effect.gen(function* () {
      const inner = yield* SessionStore.SessionStore
      const lease = yield* SampleJournal.openTree(0)
      let failures = 1
      const store: SessionStore.SessionStore["Service"] = {
        ...inner,
        commit: (batch) => (failures-- > 0 ? Effect.fail(failed) : inner.commit(batch))
      }
      const published: Array<number> = []
      const publish = ({ seq }: Entry.Entry) => Effect.sync(() => void published.push(seq))
      const journal = yield* Journal.open({ store, lease, publish }, lease.treeId)
      const append = journal.append({ bodies: [SampleJournal.message("once")] })
      assert.strictEqual(yield* Effect.flip(append), failed)
      yield* append
      yield* journal.readDoubtful
      assert.deepStrictEqual(published, [1])
      assert.lengthOf(journal.prompt.messages, 1)
      assert.lengthOf(yield* store.entries(lease.treeId, 0, 10), 2)
    }).pipe(Effect.provide(SessionStoreMemory.layer))
  )

  it.effect("of a child learns of a doubtful commit that it made with its parent", () =>
    Effect.gen(function* () {
      const inner = yield* SessionStore.SessionStore
      const lease = yield* SampleJournal.openTree(0)
      const childId = SampleJournal.freshId("child")
      const opened = SampleJournal.opened({ kind: "Branch", parentId: lease.treeId })
      yield* inner.commit(SampleJournal.batch(lease, [SampleJournal.append(childId, 0, opened)]))
      let isBroken = true
      const store: SessionStore.SessionStore["Service"] = {
        ...inner,
        commit: (batch) => Effect.andThen(inner.commit(batch), isBroken ? Effect.fail(failed) : Effect.die("late")),
        entries: (sessionId, fromSeq, limit) =>
          isBroken && fromSeq > 0 ? Effect.fail(failed) : inner.entries(sessionId, fromSeq, limit)
      }
      const parent = yield* Journal.open({ store, lease }, lease.treeId)
      const child = yield* Journal.open({ store, lease }, childId)
      const both = () =>
        Result.succeed({
          parent: { bodies: [SampleJournal.message("parent")] },
          child: { bodies: [SampleJournal.message("child")] }
        })
      yield* Effect.flip(Journal.commitBoth(parent, child, both))
      isBroken = false
      yield* child.readDoubtful
      assert.deepStrictEqual([parent.state.nextSeq, child.state.nextSeq], [2, 2])
    }).pipe(Effect.provide(SessionStoreMemory.layer))
  )
})
