/** The page reads a session's entries with several requests at once: in order and without a gap while it grows. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { pageSize, readEntries } from "../../page/src/api/storedEntries.ts"

const upTo = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))
/** The growth of the session during one read, and the length of that read in turns of the event loop. */
const Answer = Schema.Struct({ grows: upTo(2 * pageSize), turns: upTo(5) })

describe("readEntries", () => {
  it.effect.prop(
    "passes on every stored entry in order, without a gap, however the session grows and the pages arrive",
    [upTo(7 * pageSize), upTo(50), Schema.NonEmptyArray(Answer)],
    ([stored, fromSeq, answers]) =>
      Effect.promise(async () => {
        let count = stored
        let requests = 0
        const used: Array<number> = []
        const readPage = async (first: number) => {
          const { grows, turns } = answers[requests++ % answers.length]
          for (let turn = 0; turn < turns; turn++) await Promise.resolve()
          const items = Array.from({ length: Math.max(0, Math.min(pageSize, count - first)) }, (_, at) => first + at)
          const nextSeq = count > first + pageSize ? first + pageSize : null
          // A session that grew for ever would be read for ever.
          if (requests < 20) count += grows
          return { items, nextSeq }
        }
        await readEntries(fromSeq, readPage, (items) => void used.push(...items))
        assert.deepStrictEqual(
          used,
          Array.from({ length: used.length }, (_, at) => fromSeq + at)
        )
        assert.isAtLeast(used.length, stored - fromSeq)
      })
  )

  it("reads a short session with one request, and one of 2,400 entries with 12, five at once", async () => {
    const count = 2400
    /** Returns the number of requests that a read takes, and the largest number of them that were open at once. */
    const requestsFor = async (stored: number) => {
      let open = 0
      let maxConcurrent = 0
      let total = 0
      await readEntries(
        0,
        async (first) => {
          total += 1
          maxConcurrent = Math.max(maxConcurrent, ++open)
          await new Promise((resolve) => setImmediate(resolve))
          open -= 1
          return { items: [], nextSeq: stored > first + pageSize ? first + pageSize : null }
        },
        () => undefined
      )
      return { maxConcurrent, total }
    }
    assert.deepStrictEqual(await requestsFor(pageSize), { maxConcurrent: 1, total: 1 })
    assert.deepStrictEqual(await requestsFor(count), { maxConcurrent: 5, total: 12 })
  })
})
