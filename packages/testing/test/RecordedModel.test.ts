/** Tests of recording and replaying a conversation through real files. */
import { Session } from "@bough/protocol"
import { Model } from "@bough/runtime"
import * as Reply from "@bough/runtime/testing/Reply"
import * as ScriptedModel from "@bough/runtime/testing/ScriptedModel"
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as RecordedModel from "../src/RecordedModel.ts"

const directory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "bough-cassette-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const prompt = (text: string, toolCallId = "ours-1"): Model.Prompt => ({
  system: "be brief",
  messages: [
    { _tag: "User", text, media: [] },
    {
      _tag: "ToolResult",
      toolCallId: Session.ToolCallId.make(toolCallId),
      providerCallId: "theirs-1",
      name: "read_file",
      output: "{}",
      isError: false,
      media: []
    }
  ],
  tools: [{ name: "read_file", description: "reads", parameters: { type: "object" } }]
})

/** The parts of the reply, and its failure. */
const ask = (model: Model.Model["Service"], prompt: Model.Prompt) =>
  Effect.suspend(() => {
    const parts: Array<Model.ModelPart> = []
    return model.stream(prompt).pipe(
      Stream.runForEach((part) => Effect.sync(() => parts.push(part))),
      Effect.match({
        onFailure: ({ reason, retryAfterMillis }) => ({ parts, error: { reason, retryAfterMillis } }),
        onSuccess: () => ({ parts, error: null })
      })
    )
  })

const recorded = Effect.fnUntraced(function* (
  replies: ReadonlyArray<Reply.Reply>,
  options: RecordedModel.RecordedModelOptions,
  prompts: ReadonlyArray<Model.Prompt>
) {
  const { model } = yield* ScriptedModel.make(replies, { name: "scripted/real" })
  const recorder = yield* RecordedModel.record(model, options)
  return yield* Effect.forEach(prompts, (request) => ask(recorder, request))
})

const replies = [
  Reply.fragmented(Reply.before("let me look", Reply.toolCall("read_file", { path: "a.txt" })), [3]),
  Reply.error("RateLimited", { retryable: true, retryAfterMillis: 1200 }),
  Reply.cut(Reply.text("half")),
  Reply.text("done", { inputTokens: 3, outputTokens: 4, costUsd: 0.5 })
]

describe("RecordedModel", () => {
  it.live("replays the recording, part by part, failures included", () =>
    Effect.gen(function* () {
      const path = join(yield* directory, "new", "talk.jsonl")
      const prompts = ["one", "two", "three", "four"].map((text) => prompt(text))
      const first = yield* recorded(replies, { path }, prompts)
      const { assertDone, model } = yield* RecordedModel.replay({ path })
      const second = yield* Effect.forEach(prompts, (request) => ask(model, request))
      assert.deepStrictEqual(second, first)
      assert.strictEqual(model.name, "scripted/real")
      assert.isTrue(model.priced)
      yield* assertDone
    })
  )

  it.live("matches a prompt whose own call ids differ, and no other", () =>
    Effect.gen(function* () {
      const path = join(yield* directory, "talk.jsonl")
      yield* recorded([Reply.text("hello")], { path }, [prompt("hi", "ours-1")])
      const again = yield* RecordedModel.replay({ path })
      assert.isNull((yield* ask(again.model, prompt("hi", "ours-2"))).error)
      const base = prompt("hi")
      const changed: ReadonlyArray<Model.Prompt> = [
        prompt("hi!"),
        { ...base, system: "be long" },
        { ...base, tools: [] },
        { ...base, messages: base.messages.slice(0, 1) }
      ]
      for (const other of changed) {
        const { model } = yield* RecordedModel.replay({ path })
        const error = yield* Effect.flip(Stream.runDrain(model.stream(other)))
        assert.strictEqual(error.reason, "ScriptMismatch")
        assert.include(error.message, `call 1 differs from the recorded call in ${path}`)
        assert.include(error.hint, "layerRecord")
      }
    })
  )

  it.live("requires the recorded order", () =>
    Effect.gen(function* () {
      const path = join(yield* directory, "talk.jsonl")
      yield* recorded([Reply.text("1"), Reply.text("2")], { path }, [prompt("one"), prompt("two")])
      const { model } = yield* RecordedModel.replay({ path })
      assert.strictEqual((yield* ask(model, prompt("two"))).error?.reason, "ScriptMismatch")
    })
  )

  it.live("fails a call beyond the last reply, and at the end if replies are left", () =>
    Effect.gen(function* () {
      const path = join(yield* directory, "talk.jsonl")
      yield* recorded([Reply.text("1"), Reply.text("2")], { path }, [prompt("one"), prompt("two")])
      const exit = yield* Effect.flatMap(Model.Model, (model) => ask(model, prompt("one"))).pipe(
        Effect.provide(RecordedModel.layerReplay({ path })),
        Effect.exit
      )
      assert.include(
        Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "",
        `replies 2 to 2 of ${path} were never asked for`
      )
      const { model } = yield* RecordedModel.replay({ path })
      yield* ask(model, prompt("one"))
      yield* ask(model, prompt("two"))
      const error = yield* Effect.flip(Stream.runDrain(model.stream(prompt("three"))))
      assert.include(error.message, `call 3 is beyond the 2 replies of ${path}`)
    })
  )

  it.live("fails for a missing, torn or newer cassette, and says how to record", () =>
    Effect.gen(function* () {
      const root = yield* directory
      const torn = join(root, "torn.jsonl")
      const newer = join(root, "newer.jsonl")
      writeFileSync(torn, `{"version":1,"model":"x`)
      writeFileSync(newer, `{"version":2,"model":"x","digest":"","asked":"","parts":[],"ended":"whole"}\n`)
      for (const [path, message] of [
        [join(root, "none.jsonl"), "no cassette at"],
        [torn, "line 1 of"],
        [newer, "line 1 of"]
      ] as const) {
        const error = yield* Effect.flip(RecordedModel.replay({ path }))
        assert.strictEqual(error.reason, "ScriptMismatch")
        assert.include(error.message, message)
        assert.include(error.message, path)
        assert.include(error.hint, "layerRecord")
      }
    })
  )

  it.live("stores no secret, also when it was split over fragments, and replays without it", () =>
    Effect.gen(function* () {
      const path = join(yield* directory, "talk.jsonl")
      const redact = (text: string) => text.replaceAll("sk-secret-1", "[key]").replaceAll("sk-secret-2", "[key]")
      const leaky = Reply.fragmented(
        Reply.before("your key is sk-secret-1!", Reply.toolCall("read_file", { path: "sk-secret-1" })),
        [4]
      )
      const failure = Reply.error("Refused", { message: "sk-secret-1 is wrong" })
      const before = yield* recorded([leaky, failure], { path, redact }, [prompt("sk-secret-1"), prompt("again")])
      assert.include(JSON.stringify(before), `"text":"sk-s"`)
      const stored = readFileSync(path, "utf8")
      assert.notInclude(stored, "sk-")
      assert.include(stored, "[key]")
      const { model } = yield* RecordedModel.replay({ path, redact })
      const { parts } = yield* ask(model, prompt("sk-secret-2"))
      const answer = parts.map((part) => (part._tag === "Text" ? part.text : "")).join("")
      assert.strictEqual(answer, "your key is [key]!")
    })
  )

  it.live("records an interrupted reply as one that never continues", () =>
    Effect.gen(function* () {
      const path = join(yield* directory, "talk.jsonl")
      const { model: real } = yield* ScriptedModel.make([Reply.hang(Reply.text("thinking")), Reply.text("next")])
      const interruptAfterFirstPart = Effect.fnUntraced(function* (model: Model.Model["Service"]) {
        const first = yield* Deferred.make<Model.ModelPart>()
        const fiber = yield* model.stream(prompt("one")).pipe(
          Stream.runForEach((part) => Deferred.succeed(first, part)),
          Effect.forkChild
        )
        const part = yield* Deferred.await(first)
        yield* Fiber.interrupt(fiber)
        return part
      })
      const recorder = yield* RecordedModel.record(real, { path })
      yield* interruptAfterFirstPart(recorder)
      yield* ask(recorder, prompt("two"))
      const { assertDone, model } = yield* RecordedModel.replay({ path })
      assert.deepStrictEqual(yield* interruptAfterFirstPart(model), { _tag: "Text", text: "thinking" })
      assert.isNull((yield* ask(model, prompt("two"))).error)
      yield* assertDone
    })
  )

  it.live("records and replays as layers over the same code", () =>
    Effect.gen(function* () {
      const path = join(yield* directory, "talk.jsonl")
      const program = Effect.flatMap(Model.Model, (model) => ask(model, prompt("one")))
      const live = RecordedModel.layerRecord({ path }).pipe(Layer.provide(ScriptedModel.layer([Reply.text("live")])))
      const first = yield* Effect.provide(program, live)
      const second = yield* Effect.provide(program, RecordedModel.layerReplay({ path }))
      assert.deepStrictEqual(second, first)
    })
  )
})
