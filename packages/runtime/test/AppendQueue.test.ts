/** Appends that wait for their journal share a commit if none of them must be synced, and fail alone. */
import { type Batch, type Entry, Session } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { SessionStore, SessionStoreMemory } from "../src/index.ts"
import * as Journal from "../src/journal/Journal.ts"
import * as SampleJournal from "../src/testing/SampleJournal.ts"

/** A journal whose commits wait for a turn of the event loop, as on a disk. */
const opened = Effect.gen(function* () {
  const memory = yield* SessionStore.SessionStore
  const lease = yield* SampleJournal.openTree(0)
  const batches: Array<Batch.Batch> = []
  const published: Array<number> = []
  const store = SessionStore.SessionStore.of({
    ...memory,
    commit: (batch) => {
      batches.push(batch)
      return Effect.andThen(
        Effect.promise(() => new Promise(setImmediate)),
        memory.commit(batch)
      )
    }
  })
  const publish = ({ seq }: Entry.Entry) => Effect.sync(() => void published.push(seq))
  const journal = yield* Journal.open({ store, lease, publish }, lease.treeId)
  const stored = Effect.map(memory.entries(lease.treeId, 1, 100), (entries) =>
    entries.map(({ body, labels, seq }) => ({ seq, text: textOf(body), labels }))
  )
  return { journal, batches, published, stored }
})

const textOf = (body: Entry.Body): string => (body._tag === "UserMessage" ? body.text : body._tag)

const messages = (texts: ReadonlyArray<string>): ReadonlyArray<Journal.Append> =>
  texts.map((text) => ({ bodies: [SampleJournal.message(text)] }))

const together = (journal: Journal.Journal["Service"], appends: ReadonlyArray<Journal.Append>) =>
  Effect.forEach(appends, (append) => Effect.exit(journal.append(append)), { concurrency: "unbounded" })

const sizes = (batches: ReadonlyArray<Batch.Batch>): ReadonlyArray<readonly [number, Batch.Durability]> =>
  batches.map(({ durability, entries }) => [entries.length, durability])

const synced: Entry.Body = { _tag: "StateChanged", state: "Suspended", reason: "idle" }

describe("AppendQueue", () => {
  it.effect("writes the appends that wait at the same time in one commit, in their order", () =>
    Effect.gen(function* () {
      const { batches, journal, published, stored } = yield* opened
      const appends = messages(["a", "b", "c", "d"])
      const exits = yield* together(journal, appends.with(1, { ...appends[1], labels: ["private"] }))
      assert.isTrue(exits.every(Exit.isSuccess))
      assert.deepStrictEqual(sizes(batches), [
        [1, "Relaxed"],
        [3, "Relaxed"]
      ])
      assert.deepStrictEqual(yield* stored, [
        { seq: 1, text: "a", labels: [] },
        { seq: 2, text: "b", labels: ["private"] },
        { seq: 3, text: "c", labels: ["private"] },
        { seq: 4, text: "d", labels: ["private"] }
      ])
      assert.deepStrictEqual(published, [1, 2, 3, 4])
      assert.strictEqual(journal.state.nextSeq, 5)
    }).pipe(Effect.provide(SessionStoreMemory.layer))
  )

  it.effect("syncs an append that must be durable in a commit of its own", () =>
    Effect.gen(function* () {
      const { batches, journal } = yield* opened
      const [a, b, c] = messages(["a", "b", "c"])
      yield* together(journal, [a, b, { bodies: [synced] }, c])
      assert.deepStrictEqual(sizes(batches), [
        [1, "Relaxed"],
        [2, "Relaxed"],
        [1, "Full"]
      ])
    }).pipe(Effect.provide(SessionStoreMemory.layer))
  )

  it.effect("fails only the append that the store refuses", () =>
    Effect.gen(function* () {
      const { journal, stored } = yield* opened
      const unreadable = { bodies: [{ ...SampleJournal.message("x"), text: 7 } as never] }
      const exits = yield* together(journal, messages(["a", "b", "c"]).toSpliced(2, 0, unreadable))
      assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, true, false, true])
      const defect = exits.find(Exit.isFailure)?.cause.reasons.find(Cause.isDieReason)?.defect
      assert.instanceOf(defect, SessionStore.EntryRefused)
      assert.deepStrictEqual(
        (yield* stored).map(({ text }) => text),
        ["a", "b", "c"]
      )
    }).pipe(Effect.provide(SessionStoreMemory.layer))
  )

  it.effect("fails every append of a commit that another owner prevents", () =>
    Effect.gen(function* () {
      const memory = yield* SessionStore.SessionStore
      const lease = yield* SampleJournal.openTree(0)
      const lost = { treeId: Session.SessionId.make(lease.treeId), epoch: lease.epoch - 1 }
      const journal = yield* Journal.open({ store: memory, lease: { ...lease, ...lost } }, lease.treeId)
      const exits = yield* together(journal, messages(["a", "b", "c"]))
      assert.deepStrictEqual(
        exits.map((exit) => (Exit.isFailure(exit) ? exit.cause.reasons.find(Cause.isFailReason)?.error._tag : null)),
        ["LeaseLost", "LeaseLost", "LeaseLost"]
      )
    }).pipe(Effect.provide(SessionStoreMemory.layer))
  )
})
