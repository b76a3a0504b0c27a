/** The delay of an address grows with its rejected credentials, and applies only to addresses of its kind. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { defaultPolicy, delayMillis, layer, SignInFailures } from "../../src/accounts/SignInFailures.ts"
import * as GatewayDatabase from "../../src/database/GatewayDatabase.ts"
import { temporaryFolder } from "./database.ts"

describe("SignInFailures", () => {
  it("never shortens the delay with a further failure, and bounds it", () => {
    const delays = Array.from({ length: 2000 }, (_, failures) => delayMillis(failures, defaultPolicy))
    assert.isTrue(delays.every((delay, index) => index === 0 || delay >= delays[index - 1]))
    assert.strictEqual(delays[defaultPolicy.freeAttempts], 0)
    assert.strictEqual(delays[defaultPolicy.freeAttempts + 1], defaultPolicy.firstDelayMillis)
    assert.strictEqual(delays.at(-1), defaultPolicy.longestDelayMillis)
  })

  it.effect("delays one address, also after a restart, until it was quiet for long enough", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const within = Effect.provide(Layer.provide(layer(), GatewayDatabase.layer(folder)))
      yield* within(
        Effect.gen(function* () {
          const failures = yield* SignInFailures
          for (let count = 1; count <= defaultPolicy.freeAttempts; count++)
            assert.strictEqual(yield* failures.record("192.0.2.1"), count)
          assert.strictEqual(yield* failures.waitMillis("192.0.2.1"), 0)
          yield* failures.record("192.0.2.1")
          assert.strictEqual(yield* failures.waitMillis("192.0.2.1"), 1000)
          assert.strictEqual(yield* failures.waitMillis("192.0.2.2"), 0)
        })
      )
      yield* within(
        Effect.gen(function* () {
          const failures = yield* SignInFailures
          assert.strictEqual(yield* failures.waitMillis("192.0.2.1"), 1000)
          yield* TestClock.adjust(defaultPolicy.memoryMillis)
          assert.strictEqual(yield* failures.record("192.0.2.1"), 1)
        })
      )
    })
  )
})
