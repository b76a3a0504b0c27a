/** A commit that the store reported as failed counts as written only if the journal ends with exactly its entries. */
import type { Batch, Entry } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SessionStore, SessionStoreMemory } from "../src/index.ts"
import * as DoubtfulCommit from "../src/journal/DoubtfulCommit.ts"
import * as SampleJournal from "../src/testing/SampleJournal.ts"

type Change = (one: Batch.Append) => Batch.Append

/** Writes the entries, and returns whether the commit of the same entries, as `change` makes them, counts as written. */
const resolved = (change: Change, later = 0) =>
  Effect.gen(function* () {
    const store = yield* SessionStore.SessionStore
    const lease = yield* SampleJournal.openTree(0)
    const written = Array.from({ length: 2 + later }, (_, index) =>
      SampleJournal.append(lease.treeId, index + 1, SampleJournal.message(`message ${index}`))
    )
    yield* store.commit(SampleJournal.batch(lease, written))
    const taken: Array<ReadonlyArray<Entry.Entry>> = []
    const commit = DoubtfulCommit.make(SampleJournal.batch(lease, written.slice(0, 2).map(change)), (entries) =>
      Effect.sync(() => void taken.push(entries))
    )
    const answers = [yield* DoubtfulCommit.resolve(store, commit), yield* DoubtfulCommit.resolve(store, commit)]
    return { answers, taken: taken.map((entries) => entries.map(({ seq }) => seq)) }
  }).pipe(Effect.provide(SessionStoreMemory.layer))

const others: Readonly<Record<string, readonly [change: Change, later?: number]>> = {
  "further entries after it": [(one) => one, 1],
  "other labels": [(one) => ({ ...one, labels: ["private"] })],
  "another text": [(one) => ({ ...one, body: SampleJournal.message("another") })],
  "other numbers": [(one) => ({ ...one, expectedSeq: one.expectedSeq + 1 })]
}

describe("DoubtfulCommit", () => {
  it.effect("counts if the journal ends with its entries, and is folded once", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* resolved((one) => one), { answers: [true, true], taken: [[1, 2]] })
    })
  )

  for (const [name, [change, later]] of Object.entries(others)) {
    it.effect(`does not count for a journal with ${name}`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* resolved(change, later), { answers: [false, false], taken: [] })
      })
    )
  }
})
