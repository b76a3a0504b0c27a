/** Tests of the rule that "always" saves. */
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { sampled } from "../../../test/thorough.ts"
import { HostRule, type Policy, Policy as Policies, RuleMatch, RuleOf, RuleText } from "../src/index.ts"
import { facts as anyFacts, root } from "./Facts.ts"

const runs = { arbitrary: { runs: 500 } }

const call = (tool: string, tier: Policy.Facts["tier"], value: unknown): Policy.Facts => ({
  tool,
  tier,
  reach: "Open",
  tainted: null,
  newHost: null,
  raised: null,
  arguments: value,
  defaults: { timeoutMillis: 120_000, cwd: "." },
  workspaceRoot: root,
  destination: null
})

const textOf = (facts: Policy.Facts) => RuleOf.ruleOf(facts)?.text ?? null

describe("ruleFromCall", () => {
  it("names the arguments of a command, without those at their default", () => {
    const facts = call("run_command", "System", { argv: ["npm", "test"], cwd: ".", timeoutMillis: 120_000 })
    assert.strictEqual(textOf(facts), 'run_command argv=["npm","test"]')
  })

  it("names the path of a Workspace call and not the written text", () => {
    assert.strictEqual(
      textOf(call("write_file", "Workspace", { path: "src/a b.ts", content: "x" })),
      'write_file path="src/a b.ts"'
    )
  })

  it("names the command of a call of any tier", () => {
    const facts = call("run_command", "Workspace", { argv: ["npm", "test"], cwd: "src" })
    assert.strictEqual(textOf(facts), 'run_command argv=["npm","test"] cwd=src')
  })

  it("names the written text of an Elevated call", () => {
    assert.strictEqual(
      textOf(call("write_file", "Elevated", { path: "AGENTS.md", content: "x" })),
      "write_file path=AGENTS.md content=x"
    )
  })

  it("names the host and the method of a System call with a destination, and not the sent data", () => {
    const sent = { url: "http://localhost:3000/a", method: "POST", body: "x" }
    const facts = { ...call("http_request", "System", sent), destination: HostRule.destinationOf(sent.url) }
    assert.strictEqual(textOf(facts), "http_request host=localhost:3000 method=POST")
    assert.include(textOf({ ...facts, tier: "Elevated" }) ?? "", "body=x")
  })

  it("names the host of a read, which it allows, and the paths of one that has both", () => {
    const page = { url: "https://docs.example/a?b=c" }
    const facts = { ...call("web_fetch", "ReadOnly", page), destination: HostRule.destinationOf(page.url) }
    assert.strictEqual(textOf(facts), "web_fetch host=docs.example")
    const saved = { ...facts, tool: "download", tier: "Workspace", arguments: { ...page, path: "a/b" } } as const
    assert.strictEqual(textOf(saved), "download host=docs.example path=a/b")
  })

  it("names a tool without its arguments if its scope is the tool, at its host, but never for an Elevated call", () => {
    const facts = { ...call("tickets__get", "System", { id: 7, path: "../x", "a.b": 1 }), ruleScope: "Tool" } as const
    assert.strictEqual(textOf(facts), "tickets__get")
    const destination = HostRule.destinationOf("https://tickets.example/mcp")
    assert.strictEqual(textOf({ ...facts, destination }), "tickets__get host=tickets.example")
    assert.strictEqual(textOf({ ...facts, destination, arguments: { host: "a", method: "x" } }), "tickets__get")
    assert.strictEqual(textOf({ ...facts, tier: "Elevated", arguments: { id: 7 } }), "tickets__get id=7")
    assert.strictEqual(textOf({ ...facts, ruleScope: null, arguments: { id: 7 } }), "tickets__get id=7")
  })

  it("offers nothing if the rule would be too long to judge, or a path leads upwards", () => {
    assert.isNull(textOf(call("write_file", "Elevated", { path: "a", content: "x".repeat(2_000) })))
    assert.isNull(textOf(call("write_file", "Workspace", { path: "src/../a" })))
  })

  it.prop(
    "parses to itself and matches its original call",
    [anyFacts],
    ([facts]) => {
      const rule = RuleOf.ruleOf(facts)
      if (rule === null) return
      assert.deepStrictEqual(Result.getOrThrow(RuleText.parse(rule.text)), rule)
      assert.isTrue(RuleMatch.matches(rule, facts))
    },
    runs
  )

  it.prop(
    "covers the ask that it was made from, unless taint raised it",
    [anyFacts],
    ([facts]) => {
      const rule = RuleOf.ruleOf(facts)
      if (rule === null || facts.tainted !== null) return
      // Only Elevated calls run on the host.
      if (facts.reach === "Host" && facts.tier !== "Elevated") return
      // A user approves the host of an Elevated call with the call itself.
      if (facts.newHost !== null && facts.tier === "Elevated") return
      const untainted = Policies.evaluate({ rules: [rule], approve: "ask" }, facts)
      assert.strictEqual(untainted._tag, "Allow")
    },
    sampled(runs)
  )

  it.prop(
    "never matches another argv, or a path outside",
    [anyFacts, anyFacts],
    ([facts, other]) => {
      const rule = RuleOf.ruleOf(facts)
      if (rule === null || !RuleMatch.matches(rule, other)) return
      assert.strictEqual(other.tool, facts.tool)
      if (rule.fields.some(({ name }) => name === "host")) {
        return assert.deepStrictEqual(other.destination, facts.destination)
      }
      const [a, b] = [facts.arguments, other.arguments] as ReadonlyArray<{
        readonly argv?: unknown
        readonly path?: string
      }>
      assert.deepStrictEqual(a.argv, b.argv)
      if (a.path !== undefined) assert.isTrue(within(b.path ?? "", a.path), `${b.path} is not within ${a.path}`)
    },
    runs
  )
})

/** The simplest implementation of "at or below". */
const within = (path: string, directory: string): boolean => {
  const at = (text: string) => new URL(text.replaceAll("//", "/"), `file://${root}/`).pathname.replace(/\/$/u, "")
  return at(path) === at(directory) || at(path).startsWith(`${at(directory)}/`)
}
