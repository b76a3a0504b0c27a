import { Capability, Requirement, Tool, ToolContext } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

class Database extends Capability.make("acme/Database", { floor: "ReadOnly" })<
  Database,
  { readonly rows: Effect.Effect<number> }
>() {}

const tool = (requires: ReadonlyArray<string>) =>
  Tool.make("count_rows", {
    version: 1,
    description: "Counts",
    tier: "ReadOnly",
    replay: "Safe",
    capabilities: [Database, Capability.NetworkRead],
    requires,
    parameters: Schema.Struct({}),
    output: Schema.Null,
    execute: () => Effect.succeed({ output: null, display: "" })
  })

const empty = ToolContext.empty("Main")
const served = (lacks?: Readonly<Record<string, string>>) =>
  ToolContext.provide(empty, Database, {
    ...ToolContext.constant({ rows: Effect.succeed(1) }),
    ...(lacks === undefined ? {} : { lacks })
  })

describe("the requirements of a tool", () => {
  it("is a provided capability, or a feature that its adapter does not report missing", () => {
    const facts = [
      [tool([]), empty, null],
      [tool(["Database"]), empty, "nothing here provides Database"],
      [tool(["Database"]), served(), null],
      [tool(["Database.writes"]), served(), null],
      [
        tool(["Database.writes"]),
        served({ writes: "it is a replica: name a primary" }),
        "it is a replica: name a primary"
      ],
      [tool(["Database.reads"]), served({ writes: "it is a replica" }), null],
      [tool(["Database.constructor"]), served({}), null]
    ] as const
    for (const [input, context, reason] of facts) assert.strictEqual(Requirement.missing(input, context), reason)
    const known = new Map([["Database", "start it with docker"]])
    assert.strictEqual(Requirement.missing(tool(["Database"]), empty, known), "start it with docker")
  })

  it.each([["Vault"], ["acme/Database"], [""], ["Database.a.b"], ["Database."]])(
    "names a declared capability (not %j)",
    (name) => {
      assert.throws(() => tool([name]), /requires\[0\]: must be a declared capability or a feature of one/)
    }
  )
})
