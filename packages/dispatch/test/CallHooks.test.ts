/** Tests of hooks around calls: their input, and that neither they nor a broken result can end a session. */
import { ToolError } from "@bough/protocol"
import { Tool } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { CallHooks } from "../src/index.ts"
import { requestFor, world } from "./Harness.ts"

const secret = "hunter2-is-no-good"

const loose = (execute: () => unknown): Tool.Any =>
  Tool.make("loose", {
    version: 1,
    description: "Returns anything",
    tier: "ReadOnly",
    replay: "Safe",
    capabilities: [],
    parameters: Schema.Struct({}),
    output: Schema.Unknown,
    execute: execute as never
  })

type HookedResult = Parameters<CallHooks.CallHooks["after"]>[1]

/** Hooks without an objection, and their input after each call. */
const listening = (changes: Partial<CallHooks.CallHooks> = {}) => {
  const hookedCalls: Array<HookedResult> = []
  const hooks: CallHooks.CallHooks = {
    before: () => Effect.succeed(null),
    after: (_call, result) => Effect.sync(() => void hookedCalls.push(result)),
    ...changes
  }
  return { hookedCalls, hooks }
}

const raise = (): never => {
  throw new Error("boom")
}

describe("Hooks after a call", () => {
  const broken: ReadonlyArray<readonly [what: string, returned: unknown]> = [
    ["undefined", undefined],
    ["null", null],
    ["a string", "done"],
    ["no display", { output: {} }],
    ["a number as display", { output: {}, display: 3 }],
    [
      "a display that throws",
      {
        output: {},
        get display() {
          return raise()
        }
      }
    ],
    ["an output that is not JSON", { output: { f: () => 1 }, display: "ok" }]
  ]
  for (const [what, returned] of broken) {
    it.effect(`learn of a bug of the tool if it returned ${what}, and the call ends as without them`, () =>
      Effect.gen(function* () {
        const { hooks, hookedCalls } = listening()
        const tools = [loose(() => Effect.succeed(returned))]
        const { outcome } = yield* world({ tools, hooks }).end(requestFor("loose"))
        assert.deepStrictEqual(outcome, (yield* world({ tools }).end(requestFor("loose"))).outcome)
        const error = outcome._tag === "Failed" ? ToolError.describe(outcome.error) : assert.fail(outcome._tag)
        assert.deepStrictEqual(hookedCalls, [{ isError: true, text: error }])
      })
    )
  }

  it.effect("read no secret of a result or of an error", () =>
    Effect.gen(function* () {
      const ends = [
        () => Effect.succeed({ output: {}, display: `found ${secret}` }),
        () => Effect.fail(new ToolError.ExecutionError({ message: `lost ${secret}` })),
        () => Effect.die(new Error(secret))
      ]
      for (const execute of ends) {
        const { hooks, hookedCalls } = listening()
        yield* world({ tools: [loose(execute)], hooks, secrets: [secret] }).end(requestFor("loose"))
        assert.strictEqual(hookedCalls.length, 1)
        assert.notInclude(hookedCalls[0]?.text, secret)
      }
    })
  )

  it.effect("change nothing if they fail", () =>
    Effect.gen(function* () {
      const tools = [loose(() => Effect.succeed({ output: 1, display: "ok" }))]
      for (const after of [() => Effect.die("broken"), raise, () => Effect.interrupt]) {
        const { hooks } = listening({ after })
        assert.strictEqual((yield* world({ tools, hooks }).end(requestFor("loose"))).outcome._tag, "Succeeded")
      }
    })
  )
})

describe("Hooks before a call", () => {
  it.effect("that fail deny it", () =>
    Effect.gen(function* () {
      let ran = 0
      const tools = [loose(() => Effect.sync(() => (ran++, { output: 1, display: "ok" })))]
      for (const before of [() => Effect.die(new Error("boom")), raise]) {
        const { hooks } = listening({ before })
        const { outcome } = yield* world({ tools, hooks }).end(requestFor("loose"))
        const error = outcome._tag === "Rejected" ? ToolError.describe(outcome.error) : assert.fail(outcome._tag)
        assert.include(error, "its hooks could not run: Error: boom")
      }
      assert.strictEqual(ran, 0)
    })
  )
})
