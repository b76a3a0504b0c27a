/** Tests of the scripted model: it plays its script, and reports a script that was not played. */
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { Model } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"

const prompt = (text: string, tools: ReadonlyArray<string> = []): Model.Prompt => ({
  system: "be brief",
  messages: [{ _tag: "User", text, media: [] }],
  tools: tools.map((name) => ({ name, description: name, parameters: {} }))
})

const ask = (text: string, tools?: ReadonlyArray<string>) =>
  Effect.flatMap(Model.Model, (model) => Stream.runCollect(model.stream(prompt(text, tools))))

const words = (parts: ReadonlyArray<Model.ModelPart>) =>
  parts.map((part) => (part._tag === "Text" ? part.text : "")).join("")

const argumentsOf = (parts: ReadonlyArray<Model.ModelPart>, callId: string) =>
  parts.map((part) => (part._tag === "ToolCallArguments" && part.callId === callId ? part.text : "")).join("")

const defectOf = (exit: Exit.Exit<unknown, unknown>): string =>
  Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "no defect"

describe("ScriptedModel", () => {
  it.effect("plays its steps in order, each once", () =>
    Effect.gen(function* () {
      assert.strictEqual(words(yield* ask("a")), "one")
      assert.strictEqual(words(yield* ask("b")), "two")
    }).pipe(Effect.provide(ScriptedModel.layer([Reply.text("one"), { reply: Reply.text("two") }])))
  )

  it.effect("fails at the end of the test, naming the steps that were never requested", () =>
    Effect.gen(function* () {
      const exit = yield* ask("a").pipe(
        Effect.provide(
          ScriptedModel.layer([
            Reply.text("one"),
            { name: "the summary", reply: Reply.text("two") },
            Reply.text("three")
          ])
        ),
        Effect.exit
      )
      assert.include(defectOf(exit), "step 2 (the summary) was never requested; step 3 was never requested")
    })
  )

  it.effect("keeps the test's own failure when steps are left", () =>
    Effect.gen(function* () {
      const error = yield* Effect.fail("mine").pipe(
        Effect.provide(ScriptedModel.layer([Reply.text("one")])),
        Effect.flip
      )
      assert.strictEqual(error, "mine")
    })
  )

  it.effect("fails a surplus call with its request, and again at the end if that was swallowed", () =>
    Effect.gen(function* () {
      const { model, script } = yield* ScriptedModel.make([Reply.text("one")])
      yield* Stream.runDrain(model.stream(prompt("first")))
      const error = yield* Effect.flip(Stream.runDrain(model.stream(prompt("and the second?"))))
      assert.strictEqual(error.reason, "ScriptMismatch")
      assert.include(error.message, "and the second?")
      const late = yield* Effect.flip(script.assertDone)
      assert.include(late.message, "call 2 is beyond the 1 steps")
    })
  )

  it.effect("fails a call with an unexpected prompt, and shows the request", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [ScriptedModel.Step["expect"] & {}, string | null]> = [
        [{ user: "wea" }, null],
        [{ user: /^weather$/ }, null],
        [{ user: "rain" }, "the newest user message is not rain"],
        [{ toolResult: "x" }, "the newest tool result is not x"],
        [{ toolResultIsError: true }, "the newest tool result is not an error"],
        [{ system: "verbose" }, "the system prompt is not verbose"],
        [{ tools: ["read_file", "fly"] }, "these tools are not declared: fly"],
        [(request) => assert.strictEqual(request.tools.length, 1), null],
        [(request) => assert.strictEqual(request.tools.length, 7, "seven tools"), "seven tools"]
      ]
      for (const [expect, wrong] of cases) {
        const { model, script } = yield* ScriptedModel.make([{ expect, reply: Reply.text("sunny") }])
        const reply = yield* Stream.runCollect(model.stream(prompt("weather", ["read_file"]))).pipe(
          Effect.map(words),
          Effect.catch((error) => Effect.succeed(error.message))
        )
        if (wrong === null) {
          assert.strictEqual(reply, "sunny")
          yield* script.assertDone
        } else {
          assert.include(reply, wrong)
          assert.include(reply, `"weather"`)
          assert.include((yield* Effect.flip(script.assertDone)).message, wrong)
        }
      }
    })
  )

  it.effect("gives the calls of every step ids of their own", () =>
    Effect.gen(function* () {
      const call = Reply.toolCall("read_file", { path: "a" })
      const { model } = yield* ScriptedModel.make([call, call])
      const ids = yield* Stream.runCollect(Stream.concat(model.stream(prompt("a")), model.stream(prompt("b")))).pipe(
        Effect.map((parts) => parts.flatMap((part) => (part._tag === "ToolCallStart" ? [part.callId] : [])))
      )
      assert.deepStrictEqual(ids, ["call_1_1", "call_2_1"])
    })
  )

  it.effect.prop(
    "streams the same in fragments of any size, with the arguments of parallel calls alternating",
    [
      Schema.String,
      Schema.String,
      Schema.NonEmptyArray(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 })))
    ],
    ([text, path, sizes]) =>
      Effect.gen(function* () {
        const calls = [
          { name: "read_file", arguments: { path } },
          { name: "raw", arguments: "{not json" }
        ]
        const reply = Reply.fragmented(Reply.before(text, Reply.toolCalls(calls)), sizes)
        const { model } = yield* ScriptedModel.make([reply])
        const parts = yield* Stream.runCollect(model.stream(prompt("go")))
        assert.strictEqual(words(parts), text)
        assert.strictEqual(argumentsOf(parts, "call_1_1"), JSON.stringify({ path }))
        assert.strictEqual(argumentsOf(parts, "call_1_2"), "{not json")
        assert.strictEqual(parts.at(-1)?._tag, "End")
        const order = parts.flatMap((part) => (part._tag === "ToolCallArguments" ? [part.callId] : []))
        if (order.length > 2) assert.deepStrictEqual(order.slice(0, 2), ["call_1_1", "call_1_2"])
      })
  )

  it.effect("a cut reply streams its parts, then fails without End", () =>
    Effect.gen(function* () {
      const { model } = yield* ScriptedModel.make([Reply.cut(Reply.toolCall("read_file", { path: "a" }))])
      const seen: Array<string> = []
      const error = yield* model.stream(prompt("go")).pipe(
        Stream.runForEach((part) => Effect.sync(() => seen.push(part._tag))),
        Effect.flip
      )
      assert.deepStrictEqual(seen, ["ToolCallStart", "ToolCallArguments"])
      assert.strictEqual(error.reason, "StreamCut")
    })
  )

  it.effect("a scripted failure keeps its reason and its retry time", () =>
    Effect.gen(function* () {
      const { model } = yield* ScriptedModel.make([
        Reply.error("RateLimited", { retryable: true, retryAfterMillis: 1500 })
      ])
      const error = yield* Effect.flip(Stream.runDrain(model.stream(prompt("go"))))
      assert.strictEqual(error.reason, "RateLimited")
      assert.strictEqual(error.retryAfterMillis, 1500)
      assert.isTrue(error.retryable)
    })
  )

  it.effect("a hanging reply streams its parts and can be interrupted", () =>
    Effect.gen(function* () {
      const { model, script } = yield* ScriptedModel.make([Reply.hang(Reply.text("thinking"))])
      const seen: Array<string> = []
      const fiber = yield* model.stream(prompt("go")).pipe(
        Stream.runForEach((part) => Effect.sync(() => seen.push(part._tag))),
        Effect.forkChild
      )
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(seen, ["Text"])
      yield* Fiber.interrupt(fiber)
      yield* script.assertDone
    })
  )

  it.effect("a slow reply waits on the clock before each part", () =>
    Effect.gen(function* () {
      const { model } = yield* ScriptedModel.make([Reply.slowly(Reply.text("late"), 1000)])
      const seen: Array<string> = []
      yield* model.stream(prompt("go")).pipe(
        Stream.runForEach((part) => Effect.sync(() => seen.push(part._tag))),
        Effect.forkChild
      )
      yield* TestClock.adjust("999 millis")
      assert.deepStrictEqual(seen, [])
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(seen, ["Text"])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(seen, ["Text", "End"])
    })
  )
})
