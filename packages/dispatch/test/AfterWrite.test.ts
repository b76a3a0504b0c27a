/** Tests of a capability's remarks about the files that a call has written. */
import { Capability, type Tool, ToolContext } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { requestFor, done, type Setting, world } from "./Harness.ts"
import { readFile, writeFile } from "./Tools.ts"

const secret = "hunter2-is-no-good"
const artifacts = [
  { _tag: "FileWritten", path: "a.ts", bytes: 1, digest: "sha256:1" },
  { _tag: "FileMoved", from: "b.ts", to: "c.ts" },
  { _tag: "RequestSent", method: "GET", url: "https://example.org/", status: 200 }
] as const

const writing = (
  afterWrite: NonNullable<ToolContext.ProvidedService<unknown>["afterWrite"]>,
  { execute, ...setting }: Partial<Setting> & { readonly execute?: () => Effect.Effect<never> } = {}
) => {
  const provided = { ...ToolContext.constant({}), afterWrite }
  let context = ToolContext.provide(ToolContext.empty("Main"), Capability.WorkspaceRead, provided as never)
  context = ToolContext.provide(context, Capability.WorkspaceWrite, ToolContext.constant({}) as never)
  const runs = { ...writeFile, execute: execute ?? (() => Effect.succeed({ ...done, artifacts })) }
  return world({ tools: [runs, readFile], context, secrets: [secret], ...setting })
}

/** A tool that reads nothing itself. */
const onlyWrites: Tool.Any = {
  ...writeFile,
  capabilities: [Capability.WorkspaceWrite],
  classify: null,
  execute: () => Effect.succeed({ ...done, artifacts })
}

const write = requestFor("write_file", { path: "a" })

describe("After a call that wrote files", () => {
  it.effect("the model reads the remark of a capability about them, redacted", () =>
    Effect.gen(function* () {
      const seen: Array<ReadonlyArray<string>> = []
      const { end } = writing(({ invocation, paths }) =>
        Effect.sync(() => (seen.push([invocation.sessionId, ...paths]), `a.ts has 1 error: ${secret}`))
      )
      const { outcome } = yield* end(write)
      assert.deepStrictEqual(seen[0]?.slice(1), ["a.ts", "b.ts", "c.ts"])
      assert.strictEqual(outcome._tag, "Succeeded")
      const text = outcome._tag === "Succeeded" ? (outcome.text ?? "") : ""
      assert.include(text, "\na.ts has 1 error: ")
      assert.notInclude(text, secret)
    })
  )

  it.effect("the session gets the labels of the remark, and none without a remark", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [string | null, ReadonlyArray<string>]> = [
        ["a.ts has 1 error", ["private", "untrusted"]],
        [null, []]
      ]
      for (const [text, labels] of cases) {
        const { end, records } = writing(({ mark }) => (mark("untrusted"), Effect.succeed(text)), {
          tools: [onlyWrites]
        })
        yield* end(write)
        assert.deepStrictEqual(records.ended[0]?.labels.toSorted(), labels)
      }
    })
  )

  it.effect("the result is unchanged without a remark, or if the capability fails", () =>
    Effect.gen(function* () {
      for (const afterWrite of [Effect.succeed(null), Effect.die("broken")]) {
        const { outcome } = yield* writing(() => afterWrite).end(write)
        assert.deepInclude(outcome, { _tag: "Succeeded" })
        assert.notProperty(outcome, "text")
      }
    })
  )

  it.effect("no remark is requested for a call that wrote nothing, or failed", () =>
    Effect.gen(function* () {
      const { end } = writing(() => Effect.die("asked"))
      assert.strictEqual((yield* end(requestFor("read_file", { path: "a" }))).outcome._tag, "Succeeded")
      const failing = writing(() => Effect.succeed("asked"), { execute: () => Effect.die("broken") })
      assert.notInclude(JSON.stringify((yield* failing.end(write)).outcome), "asked")
    })
  )

  it.effect("the result waits for the remark only for a limited time", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(writing(() => Effect.never).end(write))
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual((yield* Fiber.join(fiber)).outcome._tag, "Succeeded")
    })
  )

  it.effect("an interruption ends the wait, and the call is recorded with its result", () =>
    Effect.gen(function* () {
      const { end, records } = writing(() => Effect.never)
      const fiber = yield* Effect.forkChild(end(write), { startImmediately: true })
      yield* Effect.yieldNow
      assert.lengthOf(records.ended, 0)
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(records.ended[0]?.ended.outcome._tag, "Succeeded")
    })
  )
})
