import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { Sleep } from "../src/index.ts"
import { run } from "./Harness.ts"

describe("sleep", () => {
  it.effect("ends once the time has passed and not before", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(run(Sleep, { millis: 60_000 }), { startImmediately: true })
      yield* TestClock.adjust(59_999)
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.deepStrictEqual((yield* Fiber.join(fiber)).output, { sleptMillis: 60_000 })
    })
  )

  it.effect("ends at once when it is interrupted", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(run(Sleep, { millis: 600_000 }), { startImmediately: true })
      yield* Fiber.interrupt(fiber)
      assert.isDefined(fiber.pollUnsafe())
    })
  )

  it("has a timeout beyond its wait, and waits ten minutes at most", () => {
    const isFit = Schema.is(Sleep.parameters)
    assert.deepStrictEqual(
      [0, 600_000, 600_001, -1, 0.5, Infinity].map((millis) => isFit({ millis })),
      [true, true, false, false, false, false]
    )
    for (const millis of [0, 600_000]) assert.isAbove(Sleep.timeoutMillis({ millis }), millis)
  })
})
