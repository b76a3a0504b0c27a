import type { Environment } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { GetEnv, SetEnv } from "../src/index.ts"
import { run } from "./Harness.ts"

const variables = (): Environment.Environment["Service"] => {
  const own = new Map<string, Environment.Variable>([["LANG", { value: "C", from: "process" }]])
  const get = (name: string) => Effect.sync(() => own.get(name) ?? null)
  return {
    get,
    set: (name, value) => Effect.tap(get(name), () => Effect.sync(() => own.set(name, { value, from: "session" })))
  }
}

describe("get_env and set_env", () => {
  it.effect("report the previous value, its origin, and the new value", () =>
    Effect.gen(function* () {
      const environment = variables()
      assert.deepStrictEqual((yield* run(GetEnv, { name: "LANG" }, environment)).output, {
        value: "C",
        from: "process"
      })
      assert.deepStrictEqual((yield* run(GetEnv, { name: "STAGE" }, environment)).output, { value: null })
      assert.deepStrictEqual((yield* run(SetEnv, { name: "STAGE", value: "one" }, environment)).output, {
        previous: null
      })
      assert.deepStrictEqual((yield* run(SetEnv, { name: "STAGE", value: "two" }, environment)).output, {
        previous: "one"
      })
      const read = yield* run(GetEnv, { name: "STAGE" }, environment)
      assert.deepStrictEqual(read.output, { value: "two", from: "session" })
      assert.notInclude(read.display, "two")
    })
  )

  it("accept names that an environment can contain", () => {
    const isFit = Schema.is(GetEnv.parameters)
    for (const name of ["A", "_a9", "npm_config_cache"]) assert.isTrue(isFit({ name }), name)
    for (const name of ["", "9A", "A=B", "A B", "A\n", "A".repeat(129), "ä"]) assert.isFalse(isFit({ name }), name)
    assert.isFalse(Schema.is(SetEnv.parameters)({ name: "A", value: "x".repeat(8193) }))
  })
})
