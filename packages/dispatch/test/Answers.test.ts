/** Tests of the results of a tool's other functions: one typed error each, and nothing is allowed by mistake. */
import { ToolError } from "@bough/protocol"
import { Capability, Progress, Tool } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { requestFor, done, file, holding, prior, world } from "./Harness.ts"
import { any } from "./Tools.ts"

const raise = (thrown: unknown): never => {
  throw thrown
}

const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

/** Ends a call of the tool, and says whether its handler ran. */
const end = (parts: Partial<Tool.Any>) =>
  Effect.gen(function* () {
    let ran = false
    const execute = () =>
      Effect.sync(() => {
        ran = true
        return done
      })
    const tool = any({ execute, ...parts })
    const { outcome } = yield* world({ tools: [tool], answers: ["approve"] }).end(
      requestFor("read_file", { path: "a" })
    )
    return { outcome, ran: () => ran }
  })

const bugOf = ({ outcome }: Effect.Success<ReturnType<typeof end>>): string => {
  const error = outcome._tag === "Failed" ? outcome.error : assert.fail(outcome._tag)
  const text = ToolError.describe(error)
  assert.match(text, /^a bug in the tool read_file: /)
  return text
}

describe("the reason of a classification", () => {
  it.effect.each(["reason", "everyTime"] as const)("is redacted, in complete characters and short: %s", (field) =>
    Effect.gen(function* () {
      const words = `hunter2-hunter2 \ud800 ${"x".repeat(100_000)}`
      const classify = () => Effect.succeed({ tier: "Elevated", [field]: words } as const)
      const { end, records } = world({ tools: [any({ classify })], answers: ["approve"], secrets: ["hunter2-hunter2"] })
      yield* end(requestFor("read_file", { path: "a" }))
      const { reason } = records.requests[0]
      assert.include(reason, "[redacted]")
      assert.notInclude(reason, "hunter2")
      assert.isTrue(reason.isWellFormed())
      assert.isBelow(reason.length, 3_000)
    })
  )
})

describe("the result of a tool", () => {
  const answers: ReadonlyArray<readonly [what: string, answer: unknown]> = [
    ["nothing", undefined],
    ["null", null],
    ["text", "Elevated"],
    ["an unknown tier", { tier: "Root" }],
    ["a tier in lower-case letters", { tier: "elevated" }],
    ["no tier", { reason: "x" }],
    ["a reason that is not text", { tier: "ReadOnly", reason: 3 }],
    ["grants that are not a list", { tier: "ReadOnly", grants: {} }],
    ["an unknown grant", { tier: "ReadOnly", grants: [{ _tag: "Everything" }] }],
    ["a getter that throws", Object.defineProperty({}, "tier", { get: () => raise("no"), enumerable: true })],
    ["a revoked proxy", revoked()]
  ]

  it.effect.each(answers)("classify allows nothing with %s", ([, answer]) =>
    Effect.map(end({ classify: () => Effect.succeed(answer as never) }), (ended) => {
      assert.include(bugOf(ended), "classify")
      assert.isFalse(ended.ran())
    })
  )

  it.effect.each([
    ["nothing", undefined],
    ["no render", { preconditions: [] }],
    ["a render that is not text", { render: 3, preconditions: [] }],
    ["an unknown precondition", { render: "x", preconditions: [{ _tag: "Weather" }] }],
    ["preconditions that are not a list", { render: "x", preconditions: "none" }]
  ])("preview asks no user with %s", ([, answer]) =>
    Effect.map(end({ tier: "Elevated", preview: () => Effect.succeed(answer as never) }), (ended) => {
      assert.include(bugOf(ended), "preview")
      assert.isFalse(ended.ran())
    })
  )

  it.effect("the excess text of a preview is not recorded", () =>
    Effect.gen(function* () {
      const preconditions = [{ ...file("sha256:0"), mood: "fine" }]
      const tool = any({ replay: "Idempotent", preview: () => Effect.succeed({ render: "x", preconditions }) })
      const { end: ended, records } = world({ tools: [tool] })
      yield* ended(requestFor("read_file", { path: "a" }))
      assert.deepStrictEqual(records.started[0].preconditions, [file("sha256:0")])
    })
  )

  it.effect.each([
    ["nothing", undefined],
    ["text", "done"],
    ["a broken result", { output: 3, display: "" }]
  ])("findExisting proves nothing with %s", ([, answer]) =>
    Effect.gen(function* () {
      const tool = any({
        replay: "Idempotent",
        preview: () => Effect.succeed({ render: "x", preconditions: [file("sha256:1")] }),
        findExisting: () => Effect.succeed(answer as never)
      })
      const started = prior({ path: "a" }, { preconditions: [file("sha256:0")] })
      const { outcome } = yield* world({ tools: [tool] }).end(requestFor("read_file", { path: "a" }, started))
      assert.strictEqual(outcome._tag, "Unknown")
    })
  )

  it.effect.each([[NaN], [-1], ["soon"], [undefined], [{}]])("timeoutMillis is not a time: %s", ([millis]) =>
    Effect.map(end({ timeoutMillis: () => millis as never }), (ended) => {
      assert.include(bugOf(ended), "timeoutMillis")
      assert.isFalse(ended.ran())
    })
  )

  it.effect.each([[3], [undefined], [null], [{}]])("progress is not text: %j", ([line]) =>
    Effect.map(
      end({
        execute: () =>
          Effect.gen(function* () {
            yield* (yield* Progress.Progress).report(line as never)
            return done
          })
      }),
      (ended) => assert.include(bugOf(ended), "progress")
    )
  )

  it.effect.each([[NaN], [-1], [101], [Infinity], ["half"], [null], [{}]])(
    "progress is not a percentage: %s",
    ([percent]) =>
      Effect.map(
        end({
          execute: () =>
            Effect.gen(function* () {
              yield* (yield* Progress.Progress).report("line", percent as never)
              return done
            })
        }),
        (ended) => assert.include(bugOf(ended), "percentage")
      )
  )

  const leaks: ReadonlyArray<readonly [how: string, egress: unknown, says: string]> = [
    ["throws", { address: () => raise(new Error("boom")) }, "egress failed: Error: boom"],
    ["names no text", { texts: () => [3] }, "egress returned a value that is not a text"],
    ["names no list", { texts: () => 3 }, "egress"]
  ]

  it.effect.each(leaks)("egress lets nothing out if it %s", ([, egress, says]) =>
    Effect.map(end({ egress: egress as never }), (ended) => {
      assert.include(bugOf(ended), says)
      assert.isFalse(ended.ran())
    })
  )

  it.effect("capabilities are available to all of them", () =>
    Effect.gen(function* () {
      const tool = any({
        capabilities: [Capability.WorkspaceRead],
        classify: () => Effect.succeed({ tier: "ReadOnly" })
      })
      const context = holding(Capability.WorkspaceRead)
      const { outcome } = yield* world({ tools: [tool], context }).end(requestFor("read_file", { path: "a" }))
      assert.strictEqual(outcome._tag, "Succeeded")
    })
  )
})
