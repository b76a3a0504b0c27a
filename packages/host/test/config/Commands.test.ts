/** The configuration of commands, as the sandbox takes it. */
import { Limits } from "@bough/sandbox"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { toSettings } from "../../src/config/Commands.ts"

describe("Settings of commands", () => {
  it.effect("are empty without a configuration", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* toSettings(undefined), {})
      assert.deepStrictEqual(yield* toSettings({}), {})
    })
  )

  it.effect("replace single limits and leave the others", () =>
    Effect.gen(function* () {
      const { limits } = yield* toSettings({ limits: { memoryBytes: null, processes: 5 } })
      assert.deepStrictEqual(limits, { ...Limits.defaults, dataBytes: null, processes: 5 })
    })
  )

  it.effect("are passed on by the sandbox's names", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* toSettings({
          environment: ["A"],
          readOnlyPaths: ["/opt/x"],
          unixSockets: true,
          maxOutputBytes: 5,
          bubblewrap: "/x/bwrap"
        }),
        { environmentKeys: ["A"], readOnlyPaths: ["/opt/x"], unixSockets: true, maxOutputBytes: 5, program: "/x/bwrap" }
      )
    })
  )

  it.effect("refuse paths that are not absolute", () =>
    Effect.gen(function* () {
      for (const written of [{ readOnlyPaths: ["tools"] }, { bubblewrap: "bwrap" }]) {
        assert.include((yield* Effect.flip(toSettings(written))).message, "not an absolute path")
      }
    })
  )
})
