import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as ActiveTime from "../src/budget/ActiveTime.ts"

/** The counted time of an effect, and of ten seconds before and after it. */
const counted = (of: (time: ActiveTime.ActiveTime) => Effect.Effect<unknown>) =>
  Effect.gen(function* () {
    const time = ActiveTime.make(() => 0)
    yield* TestClock.adjust("10 seconds")
    const fiber = yield* Effect.forkChild(of(time))
    for (let seconds = 0; seconds < 20; seconds++) yield* TestClock.adjust("1 second")
    yield* Fiber.join(fiber)
    yield* TestClock.adjust("10 seconds")
    return ActiveTime.unrecordedMillis(time)
  })

const second = Effect.sleep("1 second")

describe("ActiveTime", () => {
  it.effect("counts work and nothing around it", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* counted((time) => ActiveTime.whileWorking(time, second)), 1000)
    })
  )

  it.effect("excludes waits, also two at once", () =>
    Effect.gen(function* () {
      const worked = yield* counted((time) => {
        const wait = ActiveTime.whileWaiting(time, Effect.sleep("3 seconds"))
        const waits = Effect.all([wait, Effect.delay(wait, "1 second")], { concurrency: 2 })
        return ActiveTime.whileWorking(time, Effect.andThen(Effect.andThen(second, waits), second))
      })
      assert.strictEqual(worked, 2000)
    })
  )

  it.effect("does not start to count because a wait is over", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* counted((time) => ActiveTime.whileWaiting(time, second)), 0)
    })
  )
})
