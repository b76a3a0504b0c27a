/** Tests of calls that an earlier process started and did not end. */
import { RuleText } from "@bough/policy"
import type { Entry } from "@bough/protocol"
import { ToolError } from "@bough/protocol"
import { Capability, type Tool } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Call } from "../src/index.ts"
import { requestFor, done, file, prior, type Setting, world } from "./Harness.ts"
import { any } from "./Tools.ts"

const parameters = { path: "a" }

const user = { _tag: "User", approvalId: "approval-0", principal: "ana" } as NonNullable<Call.Prior["authority"]>

const resume = (parts: Partial<Tool.Any>, before: Partial<Call.Prior> = {}, setting: Partial<Setting> = {}) =>
  Effect.gen(function* () {
    let runs = 0
    const tool = any({
      execute: () =>
        Effect.sync(() => {
          runs++
          return done
        }),
      ...parts
    })
    const { end, records } = world({ tools: [tool], ...setting })
    const ended = yield* end(requestFor(tool.name, parameters, prior(parameters, before)))
    return { ended, records, runs }
  })

const unknownBecause = (outcome: Entry.Outcome): string =>
  outcome._tag === "Unknown" ? outcome.message : assert.fail(JSON.stringify(outcome))

describe("Rerun", () => {
  it.effect("a Safe call runs again, with an intent", () =>
    Effect.gen(function* () {
      const { ended, runs, records } = yield* resume({ replay: "Safe" })
      assert.strictEqual(runs, 1)
      assert.deepStrictEqual(records.order, ["started 2", "ended Succeeded"])
      assert.strictEqual(ended.receipt?.attempt, 2)
    })
  )

  it.effect("a Safe call whose start was not recorded runs again", () =>
    Effect.gen(function* () {
      const { runs } = yield* resume({ replay: "Safe" }, { argumentsDigest: "", authority: null })
      assert.strictEqual(runs, 1)
    })
  )

  it.effect("an Unsafe call is unknown and does not run", () =>
    Effect.gen(function* () {
      const { ended, runs, records } = yield* resume({ replay: "Unsafe" })
      assert.strictEqual(runs, 0)
      assert.match(
        unknownBecause(ended.outcome),
        /^outcome unknown: it was interrupted between its start and its result; check before doing it again/u
      )
      assert.deepStrictEqual(records.order, ["ended Unknown"])
      assert.isFalse(records.ended[0].safe)
    })
  )

  it.effect.each(["Safe", "Idempotent", "Unsafe"] as const)(
    "another version of an %s tool makes it unknown",
    (replay) =>
      Effect.gen(function* () {
        const { ended, runs } = yield* resume({ replay, version: 2 })
        assert.strictEqual(runs, 0)
        assert.include(unknownBecause(ended.outcome), "version 1 is now 2")
      })
  )

  it.effect("other arguments than at its start make it unknown", () =>
    Effect.gen(function* () {
      const { ended, runs } = yield* resume({ replay: "Idempotent" }, { argumentsDigest: "sha256:other" })
      assert.strictEqual(runs, 0)
      assert.include(unknownBecause(ended.outcome), "arguments")
    })
  )

  it.effect("after three attempts it fails with that reason", () =>
    Effect.gen(function* () {
      const { ended, runs } = yield* resume({ replay: "Safe" }, { attempts: 3 })
      assert.strictEqual(runs, 0)
      assert.isTrue(ended.outcome._tag === "Failed" && ended.outcome.error._tag === "ExecutionError")
      assert.include(JSON.stringify(ended.outcome), "started 3 times and never finished")
    })
  )

  const previewing = (digest: string) => () => Effect.succeed({ render: digest, preconditions: [file(digest)] })

  it.effect("an Idempotent call runs again while its preconditions hold", () =>
    Effect.gen(function* () {
      const { runs, records } = yield* resume(
        { replay: "Idempotent", preview: previewing("one") },
        { preconditions: [file("one")] }
      )
      assert.strictEqual(runs, 1)
      assert.deepStrictEqual(records.started[0].preconditions, [file("one")])
    })
  )

  it.effect.each([
    ["one", 1],
    ["two", 0]
  ] as const)("an Idempotent call that was judged by a fact, which is now %s", ([digest, expected]) =>
    Effect.gen(function* () {
      const fact = (digest: string) => ({ key: "branch other", digest })
      const classify = () => Effect.succeed({ tier: "ReadOnly" as const, facts: [fact(digest)] })
      const before = { _tag: "Fact" as const, ...fact("one") }
      const { runs } = yield* resume(
        { replay: "Idempotent", classify, preview: previewing("one") },
        { preconditions: [file("one"), before] }
      )
      assert.strictEqual(runs, expected)
    })
  )

  it.effect("an Idempotent call whose effect exists returns it, under the attempt that made it", () =>
    Effect.gen(function* () {
      const { ended, runs, records } = yield* resume(
        { replay: "Idempotent", preview: previewing("two"), findExisting: () => Effect.succeed(done) },
        { preconditions: [file("one")], attempts: 2, authority: user }
      )
      assert.strictEqual(runs, 0)
      assert.deepStrictEqual(records.order, ["ended Succeeded"])
      assert.deepInclude(ended.receipt, { attempt: 2, authority: user })
    })
  )

  it.effect.each([
    ["nothing can tell", null],
    ["it is not there", () => Effect.succeed(null)],
    ["looking fails", () => Effect.fail(new ToolError.ExecutionError({ message: "x" }))]
  ] as const)("an Idempotent call in a changed world is unknown if %s", ([, findExisting]) =>
    Effect.gen(function* () {
      const { ended, runs } = yield* resume(
        { replay: "Idempotent", preview: previewing("two"), findExisting },
        { preconditions: [file("one")] }
      )
      assert.strictEqual(runs, 0)
      assert.include(unknownBecause(ended.outcome), "what it relied on has changed")
    })
  )

  it.effect("a preview that fails now counts as a changed world", () =>
    Effect.gen(function* () {
      const preview = () => Effect.fail(new ToolError.ExecutionError({ message: "the file is gone" }))
      const { ended } = yield* resume({ replay: "Idempotent", preview }, { preconditions: [file("one")] })
      assert.strictEqual(ended.outcome._tag, "Unknown")
    })
  )

  it.effect.each(["Safe", "Idempotent"] as const)("an approval that was consumed is requested again: %s", (replay) =>
    Effect.gen(function* () {
      const { runs, records } = yield* resume(
        { replay, tier: "Elevated" },
        { authority: user },
        { answers: ["approve"] }
      )
      assert.strictEqual(runs, 1)
      assert.deepStrictEqual(records.order, ["requested", "started 2", "ended Succeeded"])
      assert.include(records.requests[0].reason, "it was approved and started before")
      assert.strictEqual(records.started[0].approval?.request.approvalId, "approval-1")
    })
  )

  it.effect("an approval that was consumed is requested again even if no check asks now, except by a rule", () =>
    Effect.gen(function* () {
      const again = yield* resume({ replay: "Safe", tier: "ReadOnly" }, { authority: user }, { answers: ["approve"] })
      assert.deepStrictEqual(again.records.order, ["requested", "started 2", "ended Succeeded"])
      const policy = { rules: [Result.getOrThrow(RuleText.parse("allow read_file path=a"))], approve: "ask" } as const
      const ruled = yield* resume({ replay: "Safe", tier: "Elevated" }, { authority: user }, { policy })
      assert.deepStrictEqual(ruled.records.order, ["started 2", "ended Succeeded"])
    })
  )

  it.effect.each(["Safe", "Idempotent"] as const)("a denial of the repeated request: %s", (replay) =>
    Effect.gen(function* () {
      const answers = [{ deny: "no" }]
      const { ended, runs } = yield* resume({ replay, tier: "Elevated" }, { authority: user }, { answers })
      assert.strictEqual(runs, 0)
      // The earlier effect of an Idempotent call is unknown; a Safe call had no effect.
      assert.strictEqual(ended.outcome._tag, replay === "Safe" ? "Rejected" : "Unknown")
    })
  )

  it.effect("an existing effect is found before any other check can fail, after any number of starts", () =>
    Effect.gen(function* () {
      const gone = () => Effect.fail(new ToolError.ExecutionError({ message: "there is no file" }))
      for (const attempts of [1, 3]) {
        const { ended, runs } = yield* resume(
          { replay: "Idempotent", classify: gone, preview: gone, findExisting: () => Effect.succeed(done) },
          { preconditions: [file("one")], attempts, authority: user, tier: "Elevated" }
        )
        assert.deepStrictEqual([runs, ended.outcome._tag, ended.receipt?.tier], [0, "Succeeded", "Elevated"])
      }
    })
  )

  it.effect("a file that is unchanged since before the start is not an effect", () =>
    Effect.gen(function* () {
      const digest = "sha256:one"
      const found = { ...done, artifacts: [{ _tag: "FileWritten", path: "a.txt", bytes: 1, digest } as const] }
      const { ended, runs } = yield* resume(
        { replay: "Idempotent", preview: previewing(digest), findExisting: () => Effect.succeed(found) },
        { preconditions: [file(digest)] }
      )
      assert.deepStrictEqual([runs, ended.outcome._tag], [1, "Succeeded"])
    })
  )

  it.effect("a file that was written with the content of another one is an effect", () =>
    Effect.gen(function* () {
      const digest = "sha256:one"
      const found = { ...done, artifacts: [{ _tag: "FileWritten", path: "copy.txt", bytes: 1, digest } as const] }
      const { ended, runs } = yield* resume(
        { replay: "Idempotent", preview: previewing(digest), findExisting: () => Effect.succeed(found) },
        { preconditions: [file(digest)] }
      )
      assert.deepStrictEqual([runs, ended.outcome._tag], [0, "Succeeded"])
    })
  )

  it.effect("a pending approval may be interrupted any number of times", () =>
    Effect.gen(function* () {
      const { runs } = yield* resume({ replay: "Safe", releasesPermit: true }, { attempts: 30 })
      assert.strictEqual(runs, 1)
    })
  )

  it.effect("a call that ran without an approval is asked about if policy asks now", () =>
    Effect.gen(function* () {
      const { records } = yield* resume({ replay: "Idempotent", tier: "Elevated" }, {}, { answers: ["approve"] })
      assert.deepStrictEqual(records.order, ["requested", "started 2", "ended Succeeded"])
    })
  )

  it.effect("a started call that policy denies now is unknown, not refused", () =>
    Effect.gen(function* () {
      const policy = { rules: [Result.getOrThrow(RuleText.parse("deny read_file"))], approve: "ask" } as const
      const { ended, runs } = yield* resume({ replay: "Idempotent" }, {}, { policy })
      assert.strictEqual(runs, 0)
      assert.include(unknownBecause(ended.outcome), "denied by the rule")
    })
  )

  it.effect("a started call of a tool that no longer exists, or is no longer allowed in the session, is unknown", () =>
    Effect.gen(function* () {
      const gone = world({ tools: [] })
      assert.include(
        unknownBecause((yield* gone.end(requestFor("gone", parameters, prior(parameters)))).outcome),
        "unknown tool"
      )
      const { ended } = yield* resume({ replay: "Unsafe", capabilities: [Capability.Execution] })
      assert.include(unknownBecause(ended.outcome), "no Execution")
    })
  )
})
