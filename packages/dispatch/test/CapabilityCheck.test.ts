/** Tests of refusing tools that a session may not have. */
import { RuleText } from "@bough/policy"
import { Capability, SessionKind, ToolContext } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { requestFor, holding, Path, world } from "./Harness.ts"
import { any } from "./Tools.ts"

/** An untyped declaration's claims about a capability of Bough. */
const milder = { key: Capability.Execution.key, labels: Capability.Execution.labels, floor: "ReadOnly" } as never

describe("CapabilityCheck", () => {
  it.effect("nothing of a tool runs if a capability is missing, not even its decoder", () =>
    Effect.gen(function* () {
      const ran: Array<string> = []
      const trap = (name: string) => () => Effect.sync(() => ran.push(name)) as never
      const tool = any({
        tier: "System",
        replay: "Unsafe",
        capabilities: [Capability.WorkspaceRead, Capability.Execution, Capability.WorkspaceWrite],
        parameters: Path,
        classify: trap("classify"),
        preview: trap("preview"),
        findExisting: trap("findExisting"),
        execute: trap("execute"),
        timeoutMillis: () => {
          ran.push("timeoutMillis")
          return 1
        }
      })
      const { end, records } = world({
        tools: [tool],
        context: { ...holding(Capability.WorkspaceRead), kind: "Worker" }
      })
      const { outcome, receipt } = yield* end(requestFor("read_file", "not even JSON"))
      assert.deepStrictEqual(outcome, {
        _tag: "Failed",
        error: {
          _tag: "PermissionDenied",
          tier: "System",
          reason: "this Worker session has no Execution, WorkspaceWrite, which read_file needs"
        },
        schema: null
      })
      assert.isNull(receipt)
      assert.deepStrictEqual(ran, [])
      assert.deepStrictEqual(records.order, ["ended Failed"])
    })
  )

  it.effect.each([
    ["a tier above ReadOnly", { tier: "Workspace" }],
    ["Elevated, without capabilities", { tier: "Elevated" }],
    ["a tier that there is not", { tier: "readonly" as never }],
    ["no tier at all", { tier: undefined as never }],
    ["a floor above ReadOnly", { tier: "ReadOnly", capabilities: [Capability.Execution] }],
    ["a floor that it makes milder", { tier: "ReadOnly", capabilities: [milder] }]
  ] as const)(
    "of a Worker no code of a tool runs that has %s, even if it is approved and rules allow it",
    ([, facts]) =>
      Effect.gen(function* () {
        const ran: Array<string> = []
        const trap = (name: string) => () => Effect.sync(() => ran.push(name)) as never
        const tool = any({ ...facts, classify: trap("classify"), preview: trap("preview"), execute: trap("execute") })
        const { end, records } = world({
          tools: [tool],
          context: { ...holding(Capability.WorkspaceRead, Capability.Execution), kind: "Worker" },
          policy: { rules: [Result.getOrThrow(RuleText.parse("allow read_file"))], approve: "allow" },
          answers: ["approve"]
        })
        const { outcome } = yield* end(requestFor("read_file", { path: "a" }))
        assert.match(JSON.stringify(outcome), /PermissionDenied.*(a Worker only reads|has no Execution)/)
        assert.deepStrictEqual([ran, records.requests], [[], []])
      })
  )

  it.effect("of a Worker a call whose tier classify raises is refused; another one runs", () =>
    Effect.gen(function* () {
      const classify = ({ path }: { readonly path: string }) =>
        Effect.succeed(
          path === ".env" ? ({ tier: "Elevated", reason: "it is secret" } as const) : ({ tier: "ReadOnly" } as const)
        )
      const { end, records } = world({
        tools: [any({ classify })],
        context: { ...holding(Capability.WorkspaceRead), kind: "Worker" },
        answers: ["approve"]
      })
      const { outcome } = yield* end(requestFor("read_file", { path: ".env" }))
      assert.include(JSON.stringify(outcome), "this call of read_file is Elevated (it is secret)")
      assert.lengthOf(records.requests, 0)
      assert.strictEqual((yield* end(requestFor("read_file", { path: "a" }))).outcome._tag, "Succeeded")
    })
  )

  it.effect.each([
    ["Workspace", []],
    ["System", []],
    ["Elevated", []],
    ["Workspace", [Capability.WorkspaceRead]],
    ["System", [Capability.WorkspaceRead, Capability.SpilledOutput]]
  ] as const)("a tool that is %s and declares only reading capabilities (%j) asks", ([tier, capabilities]) =>
    Effect.gen(function* () {
      const { end, records } = world({
        tools: [any({ tier, capabilities })],
        context: holding(Capability.WorkspaceRead, Capability.SpilledOutput),
        answers: [{ deny: null }]
      })
      const { outcome } = yield* end(requestFor("read_file", { path: "a" }))
      assert.strictEqual(outcome._tag, "Rejected")
      assert.lengthOf(records.requests, 1)
    })
  )

  it("every capability of a session kind keeps its floor, whatever a declaration claims", () => {
    const all = Object.values(SessionKind.byName).flatMap(({ holds }) => [...holds])
    assert.isAbove(all.length, 0)
    for (const capability of all) {
      assert.strictEqual(
        Capability.floorOf({ key: capability.key, floor: "ReadOnly" } as never),
        capability.floor,
        capability.key
      )
    }
  })

  it("an empty context lacks everything", () => {
    assert.lengthOf(ToolContext.missing(ToolContext.empty("Main"), [Capability.WorkspaceRead]), 1)
  })
})
