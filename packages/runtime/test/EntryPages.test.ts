/** EntryPages: for any number of entries, each is read once, in order, and no more than needed. */
import { Entry, Session } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as EntryPages from "../src/journal/EntryPages.ts"
import * as TreeEntries from "../src/journal/TreeEntries.ts"
import type { SessionStore } from "../src/ports/SessionStore.ts"

const sessionId = Session.SessionId.make("ses_1")

const entryAt = (seq: number): Entry.Entry => ({
  id: Entry.idOf(sessionId, seq),
  sessionId,
  seq,
  commit: seq + 1,
  labels: [],
  digest: "",
  body: { _tag: "StateChanged", state: "Active", reason: "" }
})

/** A journal of so many entries that counts how often it is read. */
const journalOf = (length: number) => {
  const all = Array.from({ length }, (_, seq) => entryAt(seq))
  const reads: Array<number> = []
  return {
    reads,
    entries: (_: Session.SessionId, fromSeq: number, limit: number) =>
      Effect.sync(() => {
        reads.push(fromSeq)
        return all.slice(fromSeq, fromSeq + limit)
      })
  }
}

const seqs = (entries: ReadonlyArray<Entry.Entry>): ReadonlyArray<number> => entries.map(({ seq }) => seq)

const { pageSize } = EntryPages

/** Around the ends of pages, where a loop goes wrong. */
const AnyLength = Schema.Union([
  Schema.Literals([0, 1, pageSize - 1, pageSize, pageSize + 1, 2 * pageSize, 2 * pageSize + 1]),
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 * pageSize }))
])

describe("EntryPages", () => {
  it.effect.prop("returns every entry once, in order, and reads no position twice", [AnyLength], ([length]) =>
    Effect.gen(function* () {
      const wanted = Array.from({ length }, (_, seq) => seq)
      const each = journalOf(length)
      const seen: Array<Entry.Entry> = []
      yield* EntryPages.forEach(each, sessionId, (entry) => void seen.push(entry))
      assert.deepStrictEqual(seqs(seen), wanted)
      const streamed = journalOf(length)
      assert.deepStrictEqual(seqs(yield* Stream.runCollect(EntryPages.stream(streamed, sessionId))), wanted)
      for (const { reads } of [each, streamed]) {
        assert.deepStrictEqual(
          reads,
          Array.from({ length: Math.floor(length / pageSize) + 1 }, (_, at) => at * pageSize)
        )
      }
    })
  )

  it.effect.prop(
    "collects the entries up to the matching one, and reads no page after it",
    [AnyLength, AnyLength],
    ([length, throughSeq]) =>
      Effect.gen(function* () {
        const journal = journalOf(length)
        const taken = yield* EntryPages.collect(journal, sessionId, throughSeq)
        assert.deepStrictEqual(
          seqs(taken),
          Array.from({ length: Math.min(length, throughSeq + 1) }, (_, seq) => seq)
        )
        // The matching entry may be the first of a page.
        assert.isAtMost(Math.max(...journal.reads), throughSeq + 1)
        assert.deepStrictEqual(seqs(yield* EntryPages.collect(journal, sessionId)).length, length)
      })
  )

  it.effect.prop("reads a range and no entry beyond it", [AnyLength, AnyLength, AnyLength], ([length, one, other]) =>
    Effect.gen(function* () {
      const requests: Array<number> = []
      const journal = {
        entries: (_: Session.SessionId, fromSeq: number, limit: number) =>
          Effect.sync(() => {
            requests.push(fromSeq + limit)
            return Array.from({ length }, (_, seq) => entryAt(seq)).slice(fromSeq, fromSeq + limit)
          })
      }
      const [from, to] = [Math.min(one, other), Math.max(one, other)]
      const found = yield* EntryPages.range(journal, sessionId, { from, to })
      assert.deepStrictEqual(
        seqs(found),
        Array.from({ length: Math.max(0, Math.min(length, to) - from) }, (_, index) => from + index)
      )
      assert.isAtMost(Math.max(0, ...requests), to)
    })
  )

  it.effect.prop("returns those of a tree once, in the order of their commits", [AnyLength], ([length]) =>
    Effect.gen(function* () {
      const journal = journalOf(length)
      const seen: Array<Entry.Entry> = []
      const store = journal as unknown as SessionStore["Service"] // reading a tree needs only its entries
      yield* TreeEntries.forEach(store, sessionId, (entry) => Effect.sync(() => void seen.push(entry)))
      assert.deepStrictEqual(
        seqs(seen),
        Array.from({ length }, (_, seq) => seq)
      )
    })
  )
})
