/** Tests of allowed, asked and denied calls. */
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { HostRule, Policy, type Rule, RuleText } from "../src/index.ts"
import { approve, facts as anyFacts, root, rule as anyRule, rules as anyRules } from "./Facts.ts"

/** The reason of a call's taint. */
const tainting = "this address was made by the model"

const runs = { arbitrary: { runs: 500 } }

const rule = (text: string): Rule.Rule => Result.getOrThrow(RuleText.parse(text))

const call = (fields: Partial<Policy.Facts>): Policy.Facts => ({
  tool: "run_command",
  tier: "System",
  reach: "Open",
  tainted: null,
  newHost: null,
  raised: null,
  arguments: { argv: ["npm", "test"], timeoutMillis: 120_000 },
  defaults: { timeoutMillis: 120_000 },
  workspaceRoot: root,
  destination: null,
  ...fields
})

const decide = (fields: Partial<Policy.Facts>, texts: ReadonlyArray<string> = [], answer: Policy.Approve = "ask") =>
  Policy.evaluate({ rules: texts.map(rule), approve: answer }, call(fields))

describe("Policy", () => {
  it.each([
    ["ReadOnly", "Open", "Allow"],
    ["ReadOnly", "Undeclared", "Allow"],
    ["Workspace", "Confined", "Allow"],
    ["Workspace", "Open", "Ask"],
    ["Workspace", "Undeclared", "Ask"],
    ["System", "Undeclared", "Ask"],
    ["System", "Confined", "Allow"],
    ["System", "Open", "Ask"],
    ["Elevated", "Confined", "Ask"],
    ["ReadOnly", "Host", "Ask"]
  ] as const)("without rules a %s call that is %s gets %s", (tier, reach, expected) => {
    assert.strictEqual(decide({ tier, reach })._tag, expected)
  })

  it("an allow rule covers a System ask and is named as the authority", () => {
    assert.deepStrictEqual(decide({}, ['run_command argv=["npm","test"]']), {
      _tag: "Allow",
      authority: { _tag: "Rule", rule: 'run_command argv=["npm","test"]' }
    })
  })

  it("a call that needs no approval names no rule as its authority", () => {
    assert.deepStrictEqual(decide({ tier: "Workspace", reach: "Confined" }, ["run_command"]), {
      _tag: "Allow",
      authority: { _tag: "Automatic" }
    })
  })

  it.each([["run_command"], ["*"], ['run_command argv=["npm"]'], ["run_command timeoutMillis=120000"]])(
    "%s does not cover an Elevated ask",
    (text) => {
      assert.strictEqual(decide({ tier: "Elevated" }, [text])._tag, "Ask")
    }
  )

  it("a rule that names every argument but defaults covers an Elevated ask", () => {
    assert.strictEqual(decide({ tier: "Elevated" }, ['run_command argv=["npm","test"]'])._tag, "Allow")
  })

  it("an argument other than its default must be named to cover an Elevated ask", () => {
    const slow = { tier: "Elevated", arguments: { argv: ["npm", "test"], timeoutMillis: 1 } } as const
    assert.strictEqual(decide(slow, ['run_command argv=["npm","test"]'])._tag, "Ask")
    assert.strictEqual(decide(slow, ['run_command argv=["npm","test"] timeoutMillis=1'])._tag, "Allow")
  })

  it("a directory's rule does not cover an Elevated ask about its content", () => {
    const write = { tool: "write_file", tier: "Elevated", arguments: { path: "src/AGENTS.md" } } as const
    assert.strictEqual(decide(write, ["write_file path=src/"])._tag, "Ask")
    assert.strictEqual(decide(write, ["write_file path=src"])._tag, "Ask")
    assert.strictEqual(decide(write, ["write_file path=src/AGENTS.md"])._tag, "Allow")
  })

  it("taint asks whatever rules and configuration allow", () => {
    assert.strictEqual(decide({ tier: "ReadOnly", tainted: tainting }, ["*", "run_command"], "allow")._tag, "Ask")
  })

  it("an unapproved host asks, and only an allow rule that names it covers the ask", () => {
    const newHost = "the model made the address"
    const page = { tool: "web_fetch", tier: "ReadOnly", arguments: { url: "https://x.example/?d=1" }, newHost } as const
    const facts = { ...page, destination: HostRule.destinationOf(page.arguments.url) }
    assert.deepStrictEqual(decide(facts, []), { _tag: "Ask", reason: newHost, everyTime: false })
    for (const text of ["web_fetch", "*", "web_fetch host=y.example", 'web_fetch url="https://x.example/?d=1"']) {
      assert.strictEqual(decide(facts, [text], "allow")._tag, "Ask", text)
    }
    assert.deepStrictEqual(decide(facts, ["web_fetch host=x.example"]), {
      _tag: "Allow",
      authority: { _tag: "Rule", rule: "web_fetch host=x.example" }
    })
    assert.strictEqual(decide(facts, ["web_fetch host=x.example", "ask web_fetch"])._tag, "Ask")
    assert.strictEqual(decide(facts, ["web_fetch host=x.example", "deny * host=x.example"])._tag, "Deny")
    assert.strictEqual(decide({ ...facts, tainted: tainting }, ["web_fetch host=x.example"])._tag, "Ask")
    assert.strictEqual(decide(facts, [], "deny")._tag, "Deny")
    // No allow rule could cover an Elevated call by its host alone.
    assert.deepInclude(decide({ ...facts, tier: "Elevated" }, []), { _tag: "Ask", everyTime: true })
  })

  it("a redirect to a host that a rule asks about or denies is stopped, unless that ask was answered", () => {
    const from = call({ tool: "web_fetch", tier: "ReadOnly", arguments: { url: "https://a.example/" } })
    const subject = { ...from, destination: HostRule.destinationOf("https://a.example/") }
    const to = HostRule.destinationOf("https://b.example/")
    assert.isNotNull(to)
    const against = (...texts: ReadonlyArray<string>) =>
      Policy.ruleAgainst({ rules: texts.map(rule), approve: "ask" }, subject, to)?.text ?? null
    assert.strictEqual(against("ask web_fetch host=b.example"), "ask web_fetch host=b.example")
    assert.strictEqual(
      against("ask web_fetch host=b.example", "deny * host=example"),
      "deny * host=example",
      "a deny goes before an ask"
    )
    assert.isNull(against("ask web_fetch host=example"), "the ask covered the call itself")
    assert.isNull(against("ask web_fetch", "deny write_file host=b.example", "web_fetch host=b.example"))
  })

  it("a rule about an argument that is called host allows no host", () => {
    const input = { host: "x.example", url: "https://x.example/" }
    const facts = { tool: "go", tier: "ReadOnly", arguments: input, newHost: "made" } as const
    const there = { ...facts, destination: HostRule.destinationOf(input.url) }
    assert.strictEqual(decide(there, ["go host=x.example"])._tag, "Ask")
  })

  it("approve: allow covers System asks and no Elevated ones", () => {
    assert.deepStrictEqual(decide({}, [], "allow"), {
      _tag: "Allow",
      authority: { _tag: "Config", source: "approve: allow" }
    })
    assert.strictEqual(decide({ tier: "Elevated" }, [], "allow")._tag, "Ask")
    assert.strictEqual(decide({ reach: "Host" }, [], "allow")._tag, "Ask")
  })

  it("approve: allow does not override a rule that asks", () => {
    assert.strictEqual(decide({ tier: "ReadOnly" }, ["ask run_command"], "allow")._tag, "Ask")
  })

  it("approve: deny turns asks into denials and leaves the rest", () => {
    assert.strictEqual(decide({}, [], "deny")._tag, "Deny")
    assert.strictEqual(decide({ tier: "ReadOnly" }, [], "deny")._tag, "Allow")
  })

  it("a denial names the rule", () => {
    const denied = decide({ tier: "ReadOnly" }, ["deny run_command"])
    assert.deepStrictEqual(denied, { _tag: "Deny", reason: 'denied by the rule "deny run_command"' })
  })

  const permissive = { Deny: 0, Ask: 1, Allow: 2 }
  const rank = (policy: Policy.Policy, facts: Policy.Facts) => permissive[Policy.evaluate(policy, facts)._tag]

  it.prop(
    "one matching deny rule denies, among any other rules",
    [anyRules, anyFacts, approve],
    ([rules, facts, answer]) => {
      const all = [...rules, rule(`deny ${facts.tool}`)]
      assert.strictEqual(Policy.evaluate({ rules: all, approve: answer }, facts)._tag, "Deny")
    },
    runs
  )

  it.prop(
    "one matching ask rule never lets a call pass",
    [anyRules, anyFacts, approve],
    ([rules, facts, answer]) => {
      const all = [...rules, rule(`ask ${facts.tool}`)]
      assert.notStrictEqual(Policy.evaluate({ rules: all, approve: answer }, facts)._tag, "Allow")
    },
    runs
  )

  it.prop(
    "a further deny or ask never permits more, a further allow never less",
    [anyRules, anyRule, anyFacts, approve],
    ([rules, further, facts, answer]) => {
      const before = rank({ rules, approve: answer }, facts)
      const after = rank({ rules: [...rules, further], approve: answer }, facts)
      assert.isTrue(further.effect === "allow" ? after >= before : after <= before)
    },
    runs
  )

  it.prop(
    "the order of rules does not matter",
    [anyRules, anyFacts, approve],
    ([rules, facts, answer]) => {
      assert.strictEqual(
        rank({ rules, approve: answer }, facts),
        rank({ rules: rules.toReversed(), approve: answer }, facts)
      )
    },
    runs
  )

  it.prop(
    "a higher tier, taint or the host never permits more",
    [anyRules, anyFacts, approve],
    ([rules, facts, answer]) => {
      const policy = { rules, approve: answer }
      const before = rank(policy, facts)
      assert.isTrue(rank(policy, { ...facts, tier: "Elevated" }) <= before)
      assert.isTrue(rank(policy, { ...facts, tainted: tainting }) <= before)
      assert.isTrue(rank(policy, { ...facts, newHost: "nobody agreed to it" }) <= before)
      assert.isTrue(rank(policy, { ...facts, reach: "Host" }) <= before)
    },
    runs
  )

  it.prop(
    "no rule at all lets a tainted call pass",
    [anyRules, anyFacts, approve],
    ([rules, facts, answer]) => {
      assert.notStrictEqual(Policy.evaluate({ rules, approve: answer }, { ...facts, tainted: tainting })._tag, "Allow")
    },
    runs
  )
})
