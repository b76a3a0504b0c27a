/** Tests of policy and approvals: which calls need one, what a decision covers, and when it no longer applies. */
import { type Policy, RuleText } from "@bough/policy"
import type { Approval } from "@bough/protocol"
import { ToolError } from "@bough/protocol"
import { Capability, Grant, Invocation, type Tool, ToolContext } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { requestFor, done, fake, file, holding, type Setting, world } from "./Harness.ts"
import { any } from "./Tools.ts"

const call = requestFor("read_file", { path: "a" })

const rules = (...texts: ReadonlyArray<string>): Policy.Policy => ({
  rules: texts.map((text) => Result.getOrThrow(RuleText.parse(text))),
  approve: "ask"
})

const elevated = (parts: Partial<Tool.Any> = {}): Tool.Any => any({ tier: "Elevated", replay: "Unsafe", ...parts })

const calling = (tool: Tool.Any, setting: Partial<Setting> = {}) => world({ tools: [tool], ...setting })

/** A preview of a file that has one content after another. */
const changing = (...digests: ReadonlyArray<string>) => {
  let reads = 0
  return () =>
    Effect.sync((): Approval.Preview => {
      const digest = digests[Math.min(reads++, digests.length - 1)]
      return { render: `a.txt is ${digest}`, preconditions: [file(digest)] }
    })
}

describe("Decide", () => {
  it.effect("a call that a rule denies does not run, and the rule is named", () =>
    Effect.gen(function* () {
      const { end, records } = calling(any({ execute: () => Effect.die("it ran") }), {
        policy: rules("deny read_file path=a")
      })
      const { outcome, receipt } = yield* end(call)
      assert.deepStrictEqual(outcome, {
        _tag: "Rejected",
        error: { _tag: "PermissionDenied", tier: "ReadOnly", reason: 'denied by the rule "deny read_file path=a"' }
      })
      assert.isNull(receipt)
      assert.deepStrictEqual(records.order, ["ended Rejected"])
    })
  )

  it.effect("the intent of an approved call carries the approval, and the receipt names who gave it", () =>
    Effect.gen(function* () {
      const { end, records } = calling(elevated(), { answers: ["approve"] })
      const { outcome, receipt } = yield* end(call)
      assert.strictEqual(outcome._tag, "Succeeded")
      assert.deepStrictEqual(records.order, ["requested", "started 1", "ended Succeeded"])
      assert.strictEqual(records.started[0].approval?.request.approvalId, "approval-1")
      assert.deepStrictEqual<unknown>(receipt?.authority, {
        _tag: "User",
        approvalId: "approval-1",
        principal: "ana"
      })
    })
  )

  it.effect("a Safe call that was approved records its intent too", () =>
    Effect.gen(function* () {
      const { end, records } = calling(elevated({ replay: "Safe" }), { answers: ["approve"] })
      yield* end(call)
      assert.deepStrictEqual(records.order, ["requested", "started 1", "ended Succeeded"])
    })
  )

  it.effect("a denied call does not run, and the user's reason reaches the model", () =>
    Effect.gen(function* () {
      const { end, records } = calling(elevated({ execute: () => Effect.die("it ran") }), {
        answers: [{ deny: "use the staging server" }]
      })
      const { outcome } = yield* end(call)
      assert.deepStrictEqual(outcome, {
        _tag: "Rejected",
        error: {
          _tag: "PermissionDenied",
          tier: "Elevated",
          reason: "denied by ana",
          userMessage: "use the staging server"
        }
      })
      assert.strictEqual(records.ended[0].denied?.request.approvalId, "approval-1")
    })
  )

  it.effect("a call without an approver is parked, and has no end", () =>
    Effect.gen(function* () {
      const { dispatch, records } = calling(elevated(), { answers: ["park"] })
      const dispatched = yield* dispatch(call)
      assert.strictEqual(dispatched._tag, "Parked")
      assert.deepStrictEqual(records.order, ["requested"])
    })
  )

  it.effect("without a preview the user is shown the arguments", () =>
    Effect.gen(function* () {
      const { dispatch, records } = calling(elevated())
      yield* dispatch(call)
      assert.strictEqual(records.requests[0].preview.render, "read_file\npath: a")
    })
  )

  it.effect("a preview contains no known secret", () =>
    Effect.gen(function* () {
      const preview = () => Effect.succeed({ render: "- token: hunter2-token", preconditions: [] })
      const { dispatch, records } = calling(elevated({ preview }), { secrets: ["hunter2-token"] })
      yield* dispatch(call)
      assert.strictEqual(records.requests[0].preview.render, "- token: [redacted]")
    })
  )

  it.effect("the preconditions of capabilities are part of the approval", () =>
    Effect.gen(function* () {
      const context = ToolContext.provide(ToolContext.empty("Main"), Capability.Execution, {
        make: () => fake({}),
        reach: "Open",
        preconditions: [{ _tag: "SandboxProfile", profile: "no network" }]
      })
      const tool = elevated({ preview: changing("one"), capabilities: [Capability.Execution] })
      const { dispatch, records } = calling(tool, { context })
      yield* dispatch(call)
      assert.deepStrictEqual(records.requests[0].preview.preconditions, [
        file("one"),
        { _tag: "SandboxProfile", profile: "no network" }
      ])
    })
  )

  it.effect("asks no approval for a call whose preview shows that it cannot work", () =>
    Effect.gen(function* () {
      const preview = () => Effect.fail(new ToolError.ExecutionError({ message: "there is no a.txt" }))
      const { end, records } = calling(elevated({ preview }), { answers: ["approve"] })
      assert.strictEqual((yield* end(call)).outcome._tag, "Failed")
      assert.deepStrictEqual(records.order, ["ended Failed"])
    })
  )

  it.effect("an approval lapses when its preview has changed, and is requested again with the current one", () =>
    Effect.gen(function* () {
      // Shown, changed when it is read again, shown again, and still the same.
      const tool = elevated({ preview: changing("one", "two", "two", "two") })
      const { end, records } = calling(tool, { answers: ["approve"] })
      assert.strictEqual((yield* end(call)).outcome._tag, "Succeeded")
      assert.deepStrictEqual(records.order, ["requested", "lapsed", "requested", "started 1", "ended Succeeded"])
      assert.deepStrictEqual(records.lapsed, ["the state in the preview has changed"])
      assert.deepStrictEqual(records.started[0].preconditions, [file("two")])
      assert.strictEqual(records.started[0].approval?.request.approvalId, "approval-2")
    })
  )

  it.effect("a call whose preview changes every time fails after three approvals, none of them used", () =>
    Effect.gen(function* () {
      const tool = elevated({ preview: changing("1", "2", "3", "4", "5", "6", "7", "8") })
      const { end, records } = calling(tool, { answers: ["approve"] })
      const { outcome } = yield* end(call)
      assert.deepStrictEqual(records.order, [
        "requested",
        "lapsed",
        "requested",
        "lapsed",
        "requested",
        "lapsed",
        "ended Failed"
      ])
      assert.include(JSON.stringify(outcome), "approved 3 times")
    })
  )

  it.effect("an approval lapses when the tier of the call has risen meanwhile", () =>
    Effect.gen(function* () {
      let tracked = true
      const context = ToolContext.provide(ToolContext.empty("Main"), Capability.Execution, {
        make: () => fake({}),
        reach: "Open",
        preconditions: []
      })
      const tool = any({
        tier: "System",
        replay: "Unsafe",
        capabilities: [Capability.Execution],
        classify: () => Effect.sync(() => ({ tier: tracked ? ("System" as const) : ("Elevated" as const) }))
      })
      const approveWhileItChanges = () => {
        tracked = false
        return "approve" as const
      }
      const { end, records } = calling(tool, { context, answers: [approveWhileItChanges, { deny: null }] })
      assert.strictEqual((yield* end(call)).outcome._tag, "Rejected")
      assert.deepStrictEqual(records.lapsed, ["the tier of the call is higher now"])
      assert.deepStrictEqual(
        records.requests.map(({ call }) => call.tier),
        ["System", "Elevated"]
      )
    })
  )

  it.effect("an approval lapses when its file is gone, and the call fails", () =>
    Effect.gen(function* () {
      let reads = 0
      const preview = () =>
        reads++ === 0
          ? Effect.succeed({ render: "a.txt", preconditions: [file("one")] })
          : Effect.fail(new ToolError.ExecutionError({ message: "there is no a.txt" }))
      const { end, records } = calling(elevated({ preview }), { answers: ["approve"] })
      assert.strictEqual((yield* end(call)).outcome._tag, "Failed")
      assert.deepStrictEqual(records.order, ["requested", "lapsed", "ended Failed"])
    })
  )

  it.effect("an approval lapses when the call would now get another grant", () =>
    Effect.gen(function* () {
      let weighed = 0
      const paths = ["/etc/hosts", "/etc/shadow"]
      const classify = () =>
        Effect.sync(() => {
          const path = paths[Math.min(weighed++, 1)]
          return { tier: "Elevated" as const, grants: [{ _tag: "Path" as const, path }] }
        })
      const { end, records } = calling(any({ classify }), { answers: ["approve", { deny: null }] })
      assert.strictEqual((yield* end(call)).outcome._tag, "Rejected")
      assert.deepStrictEqual(records.lapsed, ["the call needs other hosts or paths"])
    })
  )

  it.effect("a call that no longer needs an approval runs without one", () =>
    Effect.gen(function* () {
      let weighed = 0
      const classify = () =>
        Effect.sync(() => ({ tier: weighed++ === 0 ? ("Elevated" as const) : ("ReadOnly" as const) }))
      const tool = any({ classify, preview: changing("one", "two") })
      const { end, records } = calling(tool, { answers: ["approve"] })
      const { receipt } = yield* end(call)
      assert.deepStrictEqual(records.order, ["requested", "lapsed", "ended Succeeded"])
      assert.deepStrictEqual<unknown>(receipt?.authority, { _tag: "Automatic" })
    })
  )

  it.effect("a deny rule that was made while the approval was pending denies", () =>
    Effect.gen(function* () {
      let policy = rules()
      const made = calling(elevated(), {
        answers: [
          () => {
            policy = rules("deny read_file")
            return "approve"
          }
        ]
      })
      Object.defineProperty(made.caller, "policy", { get: () => policy })
      assert.strictEqual((yield* made.end(call)).outcome._tag, "Rejected")
      assert.deepStrictEqual(made.records.order, ["requested", "lapsed", "ended Rejected"])
    })
  )

  const beyond: Grant.Grant = { _tag: "Path", path: "/etc/hosts" }

  const granted = (setting: Partial<Setting>, tier: "System" | "Elevated") =>
    Effect.gen(function* () {
      let grants: ReadonlyArray<Grant.Grant> | null = null
      const tool = any({
        classify: () => Effect.succeed({ tier, grants: [beyond] }),
        execute: () =>
          Effect.gen(function* () {
            ;({ grants } = yield* Invocation.Invocation)
            return done
          })
      })
      yield* calling(tool, { context: holding(), ...setting }).end(call)
      return grants
    })

  it.effect("an approval grants the capability that raised the call", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* granted({ answers: ["approve"] }, "Elevated"), [beyond])
    })
  )

  it.effect("an exactly matching rule grants it too", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* granted({ policy: rules("read_file path=a") }, "Elevated"), [beyond])
    })
  )

  it.effect("an undecided request grants nothing", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* granted({}, "System"), [])
    })
  )
})
