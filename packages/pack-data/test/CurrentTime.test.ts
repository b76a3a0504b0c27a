import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { CurrentTime } from "../src/index.ts"
import { run } from "./Harness.ts"

const at = (millis: number, parameters: typeof CurrentTime.parameters.Type) =>
  Effect.andThen(TestClock.setTime(millis), run(CurrentTime, parameters))

describe("current_time", () => {
  it.effect("returns the instant in UTC and the local time with the zone's offset", () =>
    Effect.gen(function* () {
      const winter = yield* at(Date.UTC(2026, 0, 15, 23, 30), { timeZone: "Europe/Paris" })
      assert.deepStrictEqual(winter.output, {
        instant: "2026-01-15T23:30:00.000Z",
        local: "2026-01-16T00:30:00.000+01:00",
        timeZone: "Europe/Paris"
      })
      const summer = yield* at(Date.UTC(2026, 6, 15, 12), { timeZone: "Europe/Paris" })
      assert.strictEqual(summer.output.local, "2026-07-15T14:00:00.000+02:00")
    })
  )

  it.effect("knows zones with offsets that are not whole hours", () =>
    Effect.gen(function* () {
      const { output } = yield* at(0, { timeZone: "Asia/Kathmandu" })
      assert.strictEqual(output.local, "1970-01-01T05:30:00.000+05:30")
    })
  )

  it.effect("uses the machine's zone when none is named", () =>
    Effect.gen(function* () {
      const { display, output } = yield* at(0, {})
      assert.strictEqual(output.timeZone, Intl.DateTimeFormat().resolvedOptions().timeZone)
      assert.strictEqual(output.instant, "1970-01-01T00:00:00.000Z")
      assert.include(display, output.local)
    })
  )

  it.effect("reports an unknown zone as a mistake in timeZone", () =>
    Effect.gen(function* () {
      for (const timeZone of ["Mars/Olympus", "Europe/Paris; rm", "../etc"]) {
        const error = yield* Effect.flip(at(0, { timeZone }))
        assert(error._tag === "ValidationError")
        assert.strictEqual(error.field, "timeZone")
        assert.include(error.message, timeZone)
      }
    })
  )
})
