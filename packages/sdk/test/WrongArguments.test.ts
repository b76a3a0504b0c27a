/** Wrong arguments from programs without types: each error names the place and the fix. */
import { Experiment, SessionKind, Tool, ToolPack, ToolSchema } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { messageOf } from "../../../test/wrongArguments.ts"
import { approveShown, open } from "../src/index.ts"

const sum = Tool.make("sum_up", {
  version: 1,
  description: "Adds up",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [],
  parameters: Schema.Struct({}),
  output: Schema.Struct({}),
  execute: () => Effect.succeed(Tool.result({ output: {}, display: "Done" }))
})
const pack = ToolPack.make(sum)

const values: ReadonlyArray<unknown> = [undefined, null, 1, "x", true, {}, [], () => {}]
const wrong = values as ReadonlyArray<never>
const present = wrong.slice(1)

describe("a wrong argument", () => {
  it("of an experiment names the argument", () => {
    for (const value of wrong) {
      assert.match(
        messageOf(() => Experiment.make(value, sum)),
        /Experiment\.make: argument 1 must be a tool of Tool\.make/
      )
      assert.match(
        messageOf(() => Experiment.make(sum, value)),
        /argument 2 must be a tool .*Experiment\.make\(version1, version2\)/
      )
    }
    for (const value of [null, 1, "x", true] as unknown as ReadonlyArray<never>) {
      assert.match(
        messageOf(() => Experiment.make(sum, sum, value)),
        /argument 3 must be options, as in \{ share: 0\.1 \}/
      )
    }
  })

  it("of a session kind, a default or a declaration names the place", () => {
    for (const value of wrong) {
      assert.match(
        messageOf(() => SessionKind.Main.tools(value)),
        /SessionKind\.Main\.tools: the argument must be a pack/
      )
      assert.match(
        messageOf(() => ToolSchema.withDefault(value, 1 as never)),
        /ToolSchema\.withDefault: argument 1 must be/
      )
      assert.match(
        messageOf(() => Tool.fromAsync("sum_up", value)),
        /^(?:Type)?Error: sum_up: /
      )
    }
  })

  it("of approveShown says which digest", () => {
    for (const value of wrong.filter((one) => one !== "x")) {
      assert.match(
        messageOf(() => approveShown(value)),
        /approveShown: pass the digest of a judgement/
      )
    }
  })

  it("of open names the option and its form", async () => {
    const options = [
      "approve",
      "channel",
      "onReceipt",
      "provide",
      "secrets",
      "user",
      "environment",
      "network",
      "memory"
    ]
    for (const name of options) {
      const given = { root: ".", [name]: 1 } as never
      const message = await open(pack, given).then(
        () => "no error",
        (thrown: unknown) => String(thrown)
      )
      assert.match(message, new RegExp(`open: ${name} must be `))
    }
    for (const value of present) {
      const message = await open(pack, { root: ".", provide: [value] } as never).then(
        () => "no error",
        (thrown: unknown) => String(thrown)
      )
      assert.match(message, /open: provide must be a list of provisions, as in \[Capability\.provide/)
    }
  })
})
