/** Promises that a tool returns by mistake: their later rejection does not end the process. */
import { Capability, Tool } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { holding, requestFor, world } from "./Harness.ts"

const lost = (): Promise<never> => Promise.reject(new Error("lost"))

const ok = (output: unknown, more: object = {}) => Effect.succeed({ output, display: "ok", ...more })

const make = (execute: () => unknown, more: object = {}): Tool.Any =>
  Tool.make("hasty", {
    version: 1,
    description: "Forgets to await",
    tier: "ReadOnly",
    replay: "Safe",
    capabilities: [Capability.NetworkRead],
    parameters: Schema.Struct({}),
    output: Schema.Unknown,
    execute: execute as never,
    ...more
  })

/** Each of them ends with an error that names the tool. */
const failing: Readonly<Record<string, () => Tool.Any>> = {
  "a result": () => make(lost),
  "an output": () => make(() => ok(lost())),
  "a part of an output": () => make(() => ok({ rows: [{ row: lost() }] })),
  "a value of a map": () => make(() => ok({ rows: new Map([["first", lost()]]) })),
  "a member of a set": () => make(() => ok(new Set([lost()]))),
  "an output of a schema without fields": () => make(() => ok({ rows: lost() }), { output: Schema.Struct({}) }),
  "a list of artifacts": () => make(() => ok({}, { artifacts: lost() })),
  "a member beside one that throws": () => make(() => ok(throwing({ rows: lost() }))),
  "a text for the model": () => make(() => ok({}), { forModel: lost }),
  "a time limit": () => make(() => ok({}), { timeoutMillis: lost }),
  // @effect-diagnostics-next-line promiseInEffectSuccess:off
  "a classification": () => make(() => ok({}), { classify: () => Effect.succeed(lost()) }),
  "a classification that is no Effect": () => make(() => ok({}), { classify: lost }),
  "a preview": () => make(() => ok({}), { tier: "Elevated", preview: () => Effect.succeed({ render: lost() }) }),
  "a sent address": () => make(() => ok({}), { egress: { address: lost } }),
  "a list of sent texts": () => make(() => ok({}), { egress: { texts: () => [lost()] } }),
  "an error": () => make(() => Effect.fail(lost())),
  // @effect-diagnostics-next-line globalErrorInEffectFailure:off
  "the cause of an error": () => make(() => Effect.fail(new Error("hasty", { cause: lost() }))),
  "a defect": () => make(() => Effect.die({ cause: lost() }))
}

const throwing = (value: object): object =>
  Object.defineProperty(value, "late", {
    enumerable: true,
    get: () => {
      throw new Error("late")
    }
  })

const end = (tool: Tool.Any) =>
  world({ tools: [tool], context: holding(Capability.NetworkRead), answers: ["approve"] }).end(requestFor("hasty"))

/** Runs the effect, and returns the rejections that no code has handled by its end. */
const unhandled = (run: Effect.Effect<void>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const others = process.listeners("unhandledRejection")
      const seen: Array<unknown> = []
      process.removeAllListeners("unhandledRejection")
      process.on("unhandledRejection", (reason) => seen.push(reason))
      return { others, seen }
    }),
    ({ seen }) =>
      Effect.gen(function* () {
        yield* run
        // Node reports rejections after the microtasks of a turn of the event loop.
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
        return seen.map(String)
      }),
    ({ others }) =>
      Effect.sync(() => {
        process.removeAllListeners("unhandledRejection")
        for (const listener of others) process.on("unhandledRejection", listener)
      })
  )

describe("a rejected promise that a tool returns as", () => {
  for (const [name, tool] of Object.entries(failing)) {
    it.live(`${name} ends with its call`, () =>
      Effect.gen(function* () {
        const run = Effect.gen(function* () {
          const { outcome } = yield* end(tool())
          const error = outcome._tag === "Failed" ? outcome.error : assert.fail(outcome._tag)
          assert.include(JSON.stringify(error), "a bug in the tool hasty")
        })
        assert.deepStrictEqual(yield* unhandled(run), [])
      })
    )
  }

  it.live("a key that no schema declares ends with its call", () =>
    Effect.gen(function* () {
      const run = Effect.gen(function* () {
        const { outcome } = yield* end(
          make(() => ok({ extra: lost() }), { output: Schema.Struct({ a: Schema.optionalKey(Schema.String) }) })
        )
        assert.strictEqual(outcome._tag, "Succeeded")
      })
      assert.deepStrictEqual(yield* unhandled(run), [])
      assert.deepStrictEqual(yield* unhandled(Effect.sync(() => void lost())), ["Error: lost"])
    })
  )
})
