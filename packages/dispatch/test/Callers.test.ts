/** Tests that the dispatcher applies a rule only to the callers that the rule names. */
import { Policy, type Rule, RuleText } from "@bough/policy"
import { Capability } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type DispatchContext, RuleExamples } from "../src/index.ts"
import * as Withheld from "../src/Withheld.ts"
import * as Harness from "./Harness.ts"
import { readFile, writeFile } from "./Tools.ts"

const rule = (text: string): Rule.Rule => Result.getOrThrow(RuleText.parse(text))

const worldOf = (kind: "Main" | "Branch", rules: ReadonlyArray<string>, channel?: string) => {
  const world = Harness.world({
    tools: [readFile, writeFile],
    policy: { ...Policy.defaults, rules: rules.map(rule) },
    context: { ...Harness.holding(Capability.WorkspaceRead, Capability.WorkspaceWrite), kind }
  })
  const caller: DispatchContext.DispatchContext = channel === undefined ? world.caller : { ...world.caller, channel }
  return { world, caller }
}

const endOf = (kind: "Main" | "Branch", rules: ReadonlyArray<string>) =>
  Effect.map(
    worldOf(kind, rules).world.end(Harness.requestFor("write_file", { path: "a.txt" })),
    ({ outcome }) => outcome._tag
  )

describe("Callers", () => {
  it.effect("a rule about Branches stops a Branch and no Main", () =>
    Effect.gen(function* () {
      const rules = ["deny write_file @kind=Branch"]
      assert.strictEqual(yield* endOf("Branch", rules), "Rejected")
      assert.strictEqual(yield* endOf("Main", rules), "Succeeded")
    })
  )

  it.effect("a rule about an agent matches the session's agent", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* endOf("Main", ["deny write_file @agent=tester"]), "Rejected")
      assert.strictEqual(yield* endOf("Main", ["deny write_file @agent=other"]), "Succeeded")
    })
  )

  it.each([
    [undefined, null],
    ["terminal", null],
    ["web", "secrets/"]
  ])("a rule about the channel web applies to that channel alone: %s", (channel, withheld) => {
    const { caller } = worldOf("Main", ["deny read_file path=secrets/ @channel=web"], channel)
    const call = { tool: readFile, withheld: new Map() } as Parameters<typeof Withheld.withheldOf>[0]
    assert.strictEqual(Withheld.withheldOf(call, caller)?.places[0]?.path ?? null, withheld)
  })

  it("examples are calls of the callers that the rule names", () => {
    const world = { registry: new Map([[writeFile.name, writeFile]]), workspaceRoot: "/work" }
    const branchRule = rule("write_file path=src/ @kind=Branch")
    const examples = { match: ["write_file path=src/a.ts"], notMatch: ["write_file path=lib/a.ts"] }
    assert.isTrue(Result.isSuccess(RuleExamples.check(branchRule, examples, world)))
  })
})
