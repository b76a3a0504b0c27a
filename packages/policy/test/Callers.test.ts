/** Tests of rules that name agents, channels or session kinds. */
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { type Callers, Policy, Rule, RuleMatch, RuleText } from "../src/index.ts"
import { facts as anyFacts, rule as anyRule } from "./Facts.ts"

const parsed = (text: string): Rule.Rule => Result.getOrThrow(RuleText.parse(text))

const caller: Callers.Caller = { agent: "ana", channel: "web", kind: "Branch" }

const covers = (text: string, by: Callers.Caller | undefined): boolean =>
  RuleMatch.matches(parsed(text), {
    tool: "write_file",
    arguments: { path: "src/a.ts" },
    defaults: {},
    workspaceRoot: "/work",
    destination: null,
    ...(by === undefined ? {} : { caller: by })
  })

describe("Callers", () => {
  it.each([
    "deny write_file @kind=Branch",
    "deny write_file @agent=ana",
    "ask * @channel=web",
    "write_file path=src/ @kind=Branch @agent=ana @channel=web"
  ])("%s matches the caller that it names", (text) => {
    assert.isTrue(covers(text, caller))
  })

  it.each([
    "deny write_file @kind=Worker",
    "deny write_file @agent=ANA",
    "ask * @channel=terminal",
    "write_file path=src/ @kind=Branch @agent=ana @channel=terminal",
    "deny write_file path=lib/ @kind=Branch"
  ])("%s does not match another", (text) => {
    assert.isFalse(covers(text, caller))
  })

  it("a named channel does not match a missing one", () => {
    assert.isFalse(covers("deny write_file @channel=web", { ...caller, channel: null }))
  })

  it("an unknown caller matches ask and deny rules, and no allow rule", () => {
    assert.isTrue(covers("deny write_file @kind=Main", undefined))
    assert.isTrue(covers("ask write_file @channel=web", undefined))
    assert.isFalse(covers("write_file @kind=Main", undefined))
  })

  it.each([
    ["deny write_file @kind=Leaf", 'names the unknown kind "Leaf"; the kinds are Main, Branch, Worker'],
    ["deny write_file @who=ana", 'has the unknown field "@who"; the fields with @ are @agent, @channel, @kind, @tier'],
    ["deny write_file @agent=5", 'has no value for "@agent"'],
    ["deny write_file @kind=Main @kind=Branch", 'names the field "@kind" twice']
  ])("%s is refused", (text, what) => {
    const read = RuleText.parse(text)
    assert.isTrue(Result.isFailure(read))
    if (Result.isFailure(read)) assert.include(read.failure.message, what)
  })

  it.each([
    ["deny * @tier=System @channel=web", "System", "Deny"],
    ["deny * @tier=System @channel=web", "Elevated", "Deny"],
    ["deny * @tier=System @channel=web", "Workspace", "Allow"],
    ["deny * @tier=System @channel=terminal", "System", "Ask"],
    ["ask * @tier=ReadOnly", "ReadOnly", "Ask"],
    ["write_file @tier=System", "System", "Allow"],
    ["write_file @tier=Workspace", "System", "Ask"]
  ] as const)("%s decides for a call that is %s: %s", (text, tier, decision) => {
    const facts: Policy.Facts = {
      tool: "write_file",
      arguments: {},
      defaults: {},
      workspaceRoot: "/work",
      destination: null,
      tier,
      reach: tier === "System" ? "Open" : "Confined",
      raised: null,
      tainted: null,
      newHost: null,
      caller
    }
    assert.strictEqual(Policy.evaluate({ rules: [parsed(text)], approve: "ask" }, facts)._tag, decision)
  })

  it("refuses an unknown tier", () => {
    assert.isTrue(Result.isFailure(RuleText.parse("deny * @tier=Root")))
  })

  it("is not a field of a tool", () => {
    const known: Rule.KnownFields = new Map([["write_file", ["path"]]])
    assert.isTrue(Result.isSuccess(RuleText.read("deny write_file path=x @kind=Main", known)))
  })

  it.prop(
    "naming a caller narrows what a rule covers, and for that caller changes nothing",
    [anyRule, anyFacts],
    ([rule, facts]) => {
      const { effect, fields, tool } = rule
      const ofAnyone = Rule.make(effect, tool, fields)
      if (RuleMatch.matches(rule, facts)) assert.isTrue(RuleMatch.matches(ofAnyone, facts))
      const { channel, ...known } = facts.caller as Callers.Caller
      const ofThis = Rule.forCallers(ofAnyone, channel === null ? known : { ...known, channel })
      assert.strictEqual(RuleMatch.matches(ofThis, facts), RuleMatch.matches(ofAnyone, facts))
    },
    { arbitrary: { runs: 500 } }
  )

  it("decides for that caller alone", () => {
    const facts: Policy.Facts = {
      tool: "write_file",
      arguments: {},
      defaults: {},
      workspaceRoot: "/work",
      destination: null,
      tier: "Workspace",
      reach: "Confined",
      raised: null,
      tainted: null,
      newHost: null,
      caller
    }
    const policy: Policy.Policy = { rules: [parsed("deny write_file @kind=Branch")], approve: "ask" }
    assert.strictEqual(Policy.evaluate(policy, facts)._tag, "Deny")
    assert.strictEqual(Policy.evaluate(policy, { ...facts, caller: { ...caller, kind: "Main" } })._tag, "Allow")
  })
})
