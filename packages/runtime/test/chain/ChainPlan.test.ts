/** Tests of the checks before a chain runs: its order, and its faults. */
import { Tool } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as ChainPlan from "../../src/chain/ChainPlan.ts"
import * as References from "../../src/chain/References.ts"

const facts = {
  version: 1,
  description: "Does",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: []
} as const

const read = Tool.make("read", {
  ...facts,
  parameters: Schema.Struct({ path: Schema.String, limit: Schema.optionalKey(Schema.Int) }),
  output: Schema.Struct({
    text: Schema.String,
    lines: Schema.Array(Schema.Struct({ number: Schema.Natural })),
    next: Schema.NullOr(Schema.String)
  }),
  execute: () => Effect.succeed({ output: { text: "", lines: [], next: null }, display: "" })
})

const either = Tool.make("either", {
  ...facts,
  parameters: Schema.Struct({ path: Schema.String }),
  output: Schema.Union([
    Schema.Struct({ kind: Schema.Literal("text"), text: Schema.String }),
    Schema.Struct({ kind: Schema.Literal("image"), data: Schema.String })
  ]),
  execute: () => Effect.succeed({ output: { kind: "text", text: "" } as const, display: "" })
})

const tools: ReadonlyArray<Tool.Any> = [read, either]

const toolOf = (name: string) =>
  Result.fromNullishOr(
    tools.find((tool) => tool.name === name),
    () => `unknown tool "${name}"`
  )

const link = (name: string, parameters: Readonly<Record<string, unknown>>, tool = "read") => ({
  name,
  tool,
  arguments: parameters
})
const from = (name: string, at: string) => ({ $from: name, at })

const issuesOf = (...links: ReadonlyArray<ReturnType<typeof link>>) =>
  Result.match(ChainPlan.plan(links, toolOf), {
    onSuccess: () => [],
    onFailure: (issues) => issues.map(({ message, path }) => `${path}: ${message}`)
  })

describe("the plan of a chain", () => {
  it("names the field of every fault, before anything runs", () => {
    const one = link("one", { path: "a" })
    const wrong: ReadonlyArray<readonly [ReadonlyArray<ReturnType<typeof link>>, RegExp]> = [
      [[one, link("one", { path: "b" })], /^links\.1\.name: link 0 has this name too$/],
      [[link("one", {}, "raed")], /^links\.0\.tool: unknown tool "raed"$/],
      [[link("one", { pth: "a" })], /^links\.0\.arguments\.pth: /],
      [
        [one, link("two", { path: from("uno", "/text") })],
        /^links\.1\.arguments\.path: there is no link "uno"; there is one, two$/
      ],
      [
        [one, link("two", { path: from("one", "/txt") })],
        /^links\.1\.arguments\.path: the output of read has no part "\/txt"; it has \/text, \/lines, \/next$/
      ],
      [
        [link("one", { path: "a" }, "either"), link("two", { path: from("one", "/txt") })],
        /the output of either has no part "\/txt"; it has \/kind, \/text, \/data$/
      ],
      [[one, link("two", { path: from("one", "/lines/x/number") })], /has no part "\/lines\/x\/number"/],
      [
        [one, link("two", { path: from("one", "/lines/0/number") })],
        /^links\.1\.arguments\.path: read takes string here, and "\/lines\/0\/number" of read is (integer|number)$/
      ],
      [
        [one, link("two", { path: from("one", "/text"), limit: from("one", "/text") })],
        /^links\.1\.arguments\.limit: read takes integer here/
      ],
      [[one, link("two", { path: from("one", "text") })], /^links\.1\.arguments\.path: "text" is not a JSON pointer/],
      [[one, link("two", { path: { ...from("one", "/text"), more: 1 } })], /a reference is \{"\$from"/],
      [[one, link("two", { limit: from("one", "/lines/0/number") })], /^links\.1\.arguments\.path: is missing$/],
      [
        [one, link("two", { path: from("one", "/text"), pth: "a" })],
        /^links\.1\.arguments\.pth: read takes path, limit$/
      ],
      [
        [link("one", { path: from("one", "/text") })],
        /^links\.0\.arguments: these links wait for each other: one, one$/
      ],
      [
        [
          link("a", { path: from("c", "/text") }),
          link("b", { path: from("a", "/text") }),
          link("c", { path: from("b", "/text") })
        ],
        /^links\.0\.arguments: these links wait for each other: a, c, b, a$/
      ],
      [
        Array.from({ length: 17 }, (_, index) => link(`l${index}`, { path: "a" })),
        /^links: at most 16 links, and these are 17$/
      ],
      [
        Array.from({ length: 9 }, (_, index) =>
          link(`l${index}`, { path: index === 0 ? "a" : from(`l${index - 1}`, "/text") })
        ),
        /^links\.8: at most 8 links may follow from each other$/
      ]
    ]
    for (const [links, expected] of wrong) assert.match(issuesOf(...links)[0] ?? "nothing", expected)
  })

  it("accepts a part that may be valid", () => {
    assert.deepStrictEqual(issuesOf(link("one", { path: "a" }), link("two", { path: from("one", "/next") })), [])
  })

  it.prop(
    "puts each link after those that it refers to, and otherwise keeps the order",
    [
      Arbitrary.schema(
        Schema.Array(Schema.Struct({ to: Schema.Natural, from: Schema.Natural })).check(Schema.isMaxLength(12))
      )
    ],
    ([input]) => {
      const size = 7
      const links = Array.from({ length: size }, (_, index) => {
        const sources = input.filter(({ to }) => to % size === index).map((edge) => edge.from % size)
        const limit = sources.length === 0 ? {} : { limit: from(`l${sources[0]}`, "/lines/0/number") }
        const path = sources.length > 1 ? from(`l${sources[1]}`, "/text") : "a"
        return link(`l${index}`, { path, ...limit })
      })
      const planned = ChainPlan.plan(links, toolOf)
      if (Result.isFailure(planned)) {
        assert.match(planned.failure[0].message, /these links wait for each other/)
        return
      }
      const seen = new Set<string>()
      for (const { name, references } of planned.success) {
        for (const reference of references) assert.isTrue(seen.has(reference.from))
        seen.add(name)
      }
      assert.strictEqual(seen.size, size)
    }
  )
})

describe("references", () => {
  it.prop(
    "return the value at their pointer, with any keys",
    [Arbitrary.schema(Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Array(Schema.Finite)])))],
    ([output]) => {
      for (const [key, value] of Object.entries(output)) {
        const at = `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`
        const resolved = References.resolve({ deep: [{ inner: from("one", at) }] }, new Map([["one", output]]))
        assert.deepStrictEqual(Result.getOrThrow(resolved), { deep: [{ inner: value }] })
      }
    }
  )

  it("find nothing that only a prototype has", () => {
    for (const at of ["/constructor", "/toString", "/__proto__", "/a/length", "/a/01", "/a/-"]) {
      assert.isTrue(Result.isFailure(References.resolve(from("one", at), new Map([["one", { a: [1, 2] }]]))), at)
    }
  })
})
