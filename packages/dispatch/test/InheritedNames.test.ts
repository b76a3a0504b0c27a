/** Fields whose names every object inherits are read only from the arguments and the output, at any depth. */
import { Tool } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { requestFor, world } from "./Harness.ts"

const names = ["constructor", "toString", "valueOf", "hasOwnProperty"] as const

const fields = Object.fromEntries(names.map((name) => [name, Schema.optionalKey(Schema.String)])) as {
  readonly [Name in (typeof names)[number]]: Schema.optionalKey<Schema.String>
}

/** Returns its arguments, and the value of each name that it finds in them. */
const echo = (found: Array<unknown>) =>
  Tool.make("echo", {
    description: "Echo.",
    version: 1,
    tier: "ReadOnly",
    replay: "Safe",
    capabilities: [],
    parameters: Schema.Struct({ ...fields, in: Schema.optionalKey(Schema.Struct(fields)) }),
    output: Schema.Struct({ ...fields, in: Schema.optionalKey(Schema.Struct(fields)) }),
    execute: (parameters) => {
      for (const one of [parameters, parameters.in]) found.push(...names.map((name) => one?.[name]))
      return Effect.succeed(Tool.result({ output: { ...parameters }, display: "Done" }))
    }
  })

describe("fields with inherited names", () => {
  it.effect.each([
    ["left out", {}],
    ["left out below", { in: {} }],
    ["given", { constructor: "a", in: { toString: "b" } }]
  ] as const)("%s are what the arguments hold", ([, input]) =>
    Effect.gen(function* () {
      const found: Array<unknown> = []
      const { end } = world({ tools: [echo(found)] })
      const { outcome } = yield* end(requestFor("echo", input))
      assert.deepInclude(outcome, { _tag: "Succeeded", output: JSON.stringify(input) })
      assert.sameMembers(
        found.filter((value) => value !== undefined),
        "constructor" in input && Object.hasOwn(input, "constructor") ? ["a", "b"] : []
      )
    })
  )

  it.effect("are refused with their path if they do not fit", () =>
    Effect.gen(function* () {
      const { outcome } = yield* world({ tools: [echo([])] }).end(
        requestFor("echo", { in: { toString: 3, valueOf: "a" } })
      )
      assert.include(JSON.stringify(outcome), "in.toString")
      assert.notInclude(JSON.stringify(outcome), "valueOf:")
    })
  )
})
