/**
 * Waiting for output in turns of the event loop: a process that could not read does not treat its own delay as silence.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { silence } from "../src/internal/WaitForQuiet.ts"

describe("waitForQuiet", () => {
  it.live("readable data after a long block is counted", () =>
    Effect.gen(function* () {
      let count = 0
      const waiting = yield* Effect.forkChild(
        Effect.map(
          silence(() => count),
          () => count
        )
      )
      yield* Effect.sleep(1)
      // As when processes are started: timers are due at once afterwards, and the readable data comes only then.
      setImmediate(() => {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600)
        setImmediate(() => count++)
      })
      assert.strictEqual(yield* Fiber.join(waiting), 1)
    })
  )

  it.effect("ends when nothing happens, and restarts when data comes", () =>
    Effect.gen(function* () {
      let count = 0
      let isOver = false
      yield* Effect.forkChild(
        Effect.andThen(
          silence(() => count),
          Effect.sync(() => (isOver = true))
        )
      )
      for (let turn = 0; turn < 100; turn++) {
        if (turn % 9 === 0) count++
        yield* TestClock.adjust(25)
      }
      assert.isFalse(isOver)
      yield* TestClock.adjust(250)
      assert.isTrue(isOver)
    })
  )
})
