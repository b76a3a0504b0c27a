/** Tests of the rule that "always" saves. */
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { HostRule, type Policy, Policy as Policies, RuleMatch, RuleOf, RuleText } from "../src/index.ts"
import { facts as anyFacts, root } from "./Facts.ts"

const runs = { arbitrary: { runs: 500 } }

const call = (tool: string, tier: Policy.Facts["tier"], given: unknown): Policy.Facts => ({
  tool,
  tier,
  reach: "Open",
  tainted: null,
  newHost: null,
  raised: null,
  arguments: given,
  defaults: { timeoutMillis: 120_000, cwd: "." },
  workspaceRoot: root,
  destination: null
})

const textOf = (facts: Policy.Facts) => RuleOf.ruleOf(facts)?.text ?? null

describe("RuleOf", () => {
  it("names the arguments of a command, without those at their default", () => {
    const facts = call("run_command", "System", { argv: ["npm", "test"], cwd: ".", timeoutMillis: 120_000 })
    assert.strictEqual(textOf(facts), 'run_command argv=["npm","test"]')
  })

  it("names the path of a Workspace call and not what is written there", () => {
    assert.strictEqual(
      textOf(call("write_file", "Workspace", { path: "src/a b.ts", content: "x" })),
      'write_file path="src/a b.ts"'
    )
  })

  it("names the command of a call of any tier", () => {
    const facts = call("run_command", "Workspace", { argv: ["npm", "test"], cwd: "src" })
    assert.strictEqual(textOf(facts), 'run_command argv=["npm","test"] cwd=src')
  })

  it("names what is written by an Elevated call", () => {
    assert.strictEqual(
      textOf(call("write_file", "Elevated", { path: "AGENTS.md", content: "x" })),
      "write_file path=AGENTS.md content=x"
    )
  })

  it("names the host and the method of a System call that goes somewhere, and not what it sends", () => {
    const sent = { url: "http://localhost:3000/a", method: "POST", body: "x" }
    const facts = { ...call("http_request", "System", sent), destination: HostRule.destinationOf(sent.url) }
    assert.strictEqual(textOf(facts), "http_request host=localhost:3000 method=POST")
    assert.include(textOf({ ...facts, tier: "Elevated" }) ?? "", "body=x")
  })

  it("names the host of a read, which it opens, and the paths of one that has both", () => {
    const page = { url: "https://docs.example/a?b=c" }
    const facts = { ...call("web_fetch", "ReadOnly", page), destination: HostRule.destinationOf(page.url) }
    assert.strictEqual(textOf(facts), "web_fetch host=docs.example")
    const saved = { ...facts, tool: "download", tier: "Workspace", arguments: { ...page, path: "a/b" } } as const
    assert.strictEqual(textOf(saved), "download host=docs.example path=a/b")
  })

  it("offers nothing where the rule would be too long to judge, or a path leads upwards", () => {
    assert.isNull(textOf(call("write_file", "Elevated", { path: "a", content: "x".repeat(2_000) })))
    assert.isNull(textOf(call("write_file", "Workspace", { path: "src/../a" })))
  })

  it.prop(
    "reads back as itself and matches the call it was made from",
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
    "answers the ask that it was made from, unless taint raised it",
    [anyFacts],
    ([facts]) => {
      const rule = RuleOf.ruleOf(facts)
      if (rule === null || facts.tainted !== null) return
      // Nothing runs on the host but as Elevated.
      if (facts.reach === "Host" && facts.tier !== "Elevated") return
      // A person agrees to the host of an Elevated call with the call itself.
      if (facts.newHost !== null && facts.tier === "Elevated") return
      const untainted = Policies.evaluate({ rules: [rule], approve: "ask" }, facts)
      assert.strictEqual(untainted._tag, "Allow")
    },
    runs
  )

  it.prop(
    "never speaks of another argv, or of a path outside",
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

/** The plainest reading of "at or below". */
const within = (path: string, directory: string): boolean => {
  const at = (text: string) => new URL(text.replaceAll("//", "/"), `file://${root}/`).pathname.replace(/\/$/u, "")
  return at(path) === at(directory) || at(path).startsWith(`${at(directory)}/`)
}
