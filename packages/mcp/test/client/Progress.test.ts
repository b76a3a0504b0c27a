/** The progress of a server's call: how often it is delivered, and which report is the last. */
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import * as Progress from "../../src/client/Progress.ts"
import { atOnce, coalesced, everyMillis } from "../../src/coalesced.ts"

/** The times at which a server reports, in milliseconds after the report before. */
const Pauses = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 400 }))).check(
  Schema.isMaxLength(60)
)

describe("the progress of a server", () => {
  it.effect.prop(
    "is delivered a few times at once, then a few times a second, in order, and its last report always",
    { pauses: Arbitrary.schema(Pauses) },
    ({ pauses }) =>
      Effect.gen(function* () {
        const delivered: Array<number> = []
        const work = coalesced(
          ({ progress }: Progress.ServerProgress) => Effect.sync(() => void delivered.push(progress)),
          (onProgress) =>
            Effect.forEach(
              pauses,
              (pause, index) =>
                Effect.andThen(
                  Effect.sleep(pause),
                  Effect.sync(() => onProgress({ progress: index }))
                ),
              { discard: true }
            )
        )
        const running = yield* Effect.forkChild(work)
        const total = pauses.reduce((sum, pause) => sum + pause, 0)
        for (let at = 0; at <= total; at += 10) yield* TestClock.adjust(10)
        yield* Fiber.join(running)
        assert.deepStrictEqual(
          delivered,
          delivered.toSorted((one, other) => one - other)
        )
        assert.strictEqual(new Set(delivered).size, delivered.length)
        assert.strictEqual(delivered.at(-1), pauses.length === 0 ? undefined : pauses.length - 1)
        assert.deepStrictEqual(delivered.slice(0, atOnce), [...pauses.keys()].slice(0, atOnce))
        // Those at once, one per pause, and the last one.
        assert.isAtMost(delivered.length, atOnce + 1 + Math.floor(total / everyMillis))
      })
  )

  it.effect("that comes after the call is not delivered", () =>
    Effect.gen(function* () {
      const delivered: Array<string> = []
      let late: ((reported: Progress.ServerProgress) => void) | undefined
      const deliver = (reported: Progress.ServerProgress) =>
        Effect.sync(() => void delivered.push(Progress.textOf(reported)))
      yield* coalesced(deliver, (onProgress) => {
        late = onProgress
        return Effect.sync(() => onProgress({ progress: 1, total: 2, message: "half\u001b[2J\nway" }))
      })
      late?.({ progress: 2 })
      yield* TestClock.adjust(1000)
      assert.deepStrictEqual(delivered, ["half[2J way"])
    })
  )
})
