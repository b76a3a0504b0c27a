/** Tests of predictors on scripted models, with real tools on real directories. */
import { FilesPack } from "@bough/pack-files"
import { Model } from "@bough/runtime"
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { Capability, Tool, ToolPack } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { z } from "zod"
import { open, type PredictionError, Predictor, type RecordedRun, run } from "../src/index.ts"

const triage = Predictor.make("triage", {
  instructions: "Sort the ticket",
  input: Schema.Struct({ text: Schema.String }),
  output: Schema.Struct({ kind: Schema.Literals(["bug", "question"]), due: Schema.optionalKey(Schema.DateFromString) }),
  examples: [{ input: { text: "It crashes" }, output: { kind: "bug" } }],
  limits: { steps: 6 }
})

const withReplies = <A, E>(
  effect: Effect.Effect<A, E, Model.Model>,
  steps: ReadonlyArray<ScriptedModel.Step | Reply.Reply>,
  options: ScriptedModel.ScriptedModelOptions = {}
) =>
  Effect.gen(function* () {
    const { model, script } = yield* ScriptedModel.make(steps, options)
    const result = yield* Effect.result(Effect.provideService(effect, Model.Model, model))
    yield* script.assertDone
    return { result, prompts: yield* script.prompts }
  })

const succeeded = <A>(result: Result.Result<A, PredictionError>): A => {
  if (Result.isFailure(result)) assert.fail(result.failure.message)
  return result.success
}

const failed = (result: Result.Result<unknown, PredictionError>): PredictionError => {
  if (Result.isSuccess(result)) assert.fail("it succeeded")
  return result.failure
}

const give = (output: unknown, usage?: Reply.Usage) => Reply.toolCall("return_result", output, usage)

describe("Predictor", () => {
  it.effect("returns typed output, and shows the model instructions, examples, schema and input", () =>
    Effect.gen(function* () {
      const { prompts, result } = yield* withReplies(run(triage, { text: "How do I log in?" }), [
        give({ kind: "question", due: "2026-11-24T00:00:00.000Z" }, { inputTokens: 20, outputTokens: 7 })
      ])
      const prediction = succeeded(result)
      assert.strictEqual(prediction.output.due?.getTime(), Date.UTC(2026, 10, 24))
      assert.deepStrictEqual(prediction.usage, {
        inputTokens: 20,
        cachedInputTokens: 0,
        outputTokens: 7,
        costUsd: null
      })
      assert.lengthOf(prediction.trace, 1)
      const [{ messages, system, tools }] = prompts
      assert.include(system, "Sort the ticket")
      assert.deepStrictEqual(
        messages.map((message) =>
          message._tag === "Assistant"
            ? message.parts.map((part) => "arguments" in part && part.arguments)
            : message._tag === "User"
              ? message.text
              : message.output
        ),
        ['{"text":"It crashes"}', ['{"kind":"bug"}'], "Accepted", '{"text":"How do I log in?"}']
      )
      assert.deepStrictEqual(
        tools.map(({ name }) => name),
        ["return_result"]
      )
      assert.include(JSON.stringify(tools[0].parameters), '"enum":["bug","question"]')
    })
  )

  it.effect("answers an invalid output with the reason, twice, and fails after the third", () =>
    Effect.gen(function* () {
      const twice = yield* withReplies(run(triage, { text: "x" }), [
        give({ kind: "feature" }),
        { expect: { toolResult: /kind/u, toolResultIsError: true }, reply: give("{ cut") },
        { expect: { toolResult: /malformed JSON/u }, reply: give({ kind: "bug" }) }
      ])
      assert.strictEqual(succeeded(twice.result).json, '{"kind":"bug"}')
      const thrice = yield* withReplies(run(triage, { text: "x" }), [
        give({}),
        give({ kind: 5 }),
        give({ kind: "bug", more: 1 })
      ])
      const error = failed(thrice.result)
      assert.strictEqual(error.reason, "InvalidOutput")
      assert.include(error.message, "more")
      assert.deepStrictEqual([error.trace.length, error.usage.inputTokens], [3, 30])
    })
  )

  it.effect("accepts an output in the text instead of the call, and asks for it if none is valid", () =>
    Effect.gen(function* () {
      const prediction = yield* withReplies(run(triage, { text: "x" }), [
        Reply.text('Here it is:\n```json\n{"kind":"bug"}\n```')
      ])
      assert.strictEqual(succeeded(prediction.result).json, '{"kind":"bug"}')
      const none = yield* withReplies(run(triage, { text: "x" }), [
        Reply.text("It is a bug"),
        { expect: { user: "call return_result" }, reply: give({ kind: "bug" }) }
      ])
      assert.strictEqual(succeeded(none.result).json, '{"kind":"bug"}')
      const text = Predictor.make("summary", { instructions: "Sum it up", input: Schema.String, output: Schema.String })
      const plain = yield* withReplies(run(text, "a long text"), [Reply.text("short")])
      assert.strictEqual(succeeded(plain.result).output, "short")
    })
  )

  it.effect("refuses an invalid input without asking a model", () =>
    Effect.gen(function* () {
      const { prompts, result } = yield* withReplies(run(triage, { text: 5 } as never), [])
      const { message, reason } = failed(result)
      assert.deepStrictEqual([reason, prompts.length], ["InvalidInput", 0])
      assert.match(message, /^text: /u)
      assert.notInclude(message, "JSON Schema")
    })
  )

  it.effect("stays within its limits of steps, tokens and cost, and runs no call of a cut reply", () =>
    Effect.gen(function* () {
      const endless = Array.from({ length: 2 }, () => Reply.toolCall("unknown_tool", {}))
      const steps = yield* withReplies(run(triage, { text: "x" }, { limits: { steps: 2 } }), endless)
      assert.include(failed(steps.result).message, "limits.steps (2)")
      const tokens = yield* withReplies(run(triage, { text: "x" }, { limits: { outputTokens: 20 } }), [
        { expect: (prompt) => assert.strictEqual(prompt.maxOutputTokens, 20), reply: give({}, { outputTokens: 19 }) }
      ])
      assert.include(failed(tokens.result).message, "limits.outputTokens (20)")
      const unpriced = yield* withReplies(run(triage, { text: "x" }, { limits: { costUsd: 1 } }), [])
      assert.strictEqual(failed(unpriced.result).reason, "UnpricedModel")
      const cost = yield* withReplies(
        run(triage, { text: "x" }, { limits: { costUsd: 0.5 } }),
        [give({}, { costUsd: 0.5 })],
        { priced: true }
      )
      assert.include(failed(cost.result).message, "limits.costUsd (0.5)")
      const cut = yield* withReplies(run(triage, { text: "x" }), [
        [...give({ kind: "bug" }).slice(0, -1), Reply.end("length")],
        { expect: { toolResult: /not run/u }, reply: give({ kind: "bug" }) }
      ])
      assert.strictEqual(succeeded(cut.result).trace.length, 2)
    })
  )

  it.effect("reports why the model did not answer, with the usage until then", () =>
    Effect.gen(function* () {
      const { result } = yield* withReplies(run(triage, { text: "x" }), [give({}), Reply.error("RateLimited")])
      const { hint, reason, usage } = failed(result)
      assert.deepStrictEqual(
        [reason, hint, usage.inputTokens],
        ["ModelFailed", "this failure is part of the script", 10]
      )
    })
  )

  it("accepts schemas of zod and JSON Schema, and refuses invalid declarations", async () => {
    const zod = Predictor.make("zod", {
      instructions: "Count",
      input: z.object({ word: z.string(), times: z.number().default(2) }),
      output: z.object({ count: z.string().transform(Number) })
    })
    const { model } = await Effect.runPromise(ScriptedModel.make([give({ count: "7" })]))
    await using count = await open(zod, { model })
    const { json, output } = await count({ word: "a" })
    assert.deepStrictEqual([output.count satisfies number, json], [7, '{"count":"7"}'])
    const facts = { instructions: "x", input: Schema.String, output: Schema.String }
    assert.throws(() => Predictor.make("No", facts), "snake_case")
    assert.throws(() => Predictor.make("a", { ...facts, limits: { steps: 0 } }), "above 0")
    assert.throws(() => Predictor.make("a", { ...facts, input: z.string() as never }), 'Predictor.make("a"): its JSON')
    assert.throws(
      () => Predictor.make("a", { ...facts, examples: [{ input: "x", output: 5 as never }] }),
      "examples.0: output"
    )
    const taken = ToolPack.make({ ...FilesPack.readOnly.tools.read_file, name: "return_result" } as never)
    assert.throws(() => Predictor.make("a", { ...facts, tools: taken }), "return_result")
  })
})

const send = Tool.make("send_text", {
  description: "Send it",
  version: 1,
  tier: "System",
  replay: "Unsafe",
  capabilities: [Capability.NetworkWrite],
  parameters: Schema.Struct({ text: Schema.String }),
  output: Schema.String,
  egress: { texts: ({ text }) => [text] },
  execute: () => Effect.succeed(Tool.result({ output: "sent", display: "Sent" }))
})

describe("a wrong argument of a predictor", () => {
  const values: ReadonlyArray<unknown> = [undefined, null, 1, "x", {}, [], () => {}]
  const wrong = values as ReadonlyArray<never>
  const input = z.object({ text: z.string() })
  const sound = Predictor.make("sort_mail", { instructions: "Sort the mail", input, output: input })

  it("names the fact of the declaration", () => {
    for (const value of [undefined, null, 1, "x", () => {}] as unknown as ReadonlyArray<never>) {
      assert.throws(() => Predictor.make("sort_mail", value), /Predictor\.make\("sort_mail"\): its facts are missing/)
    }
    for (const value of wrong.filter((one) => one !== "x")) {
      const facts = { instructions: value, input, output: input }
      assert.throws(() => Predictor.make("sort_mail", facts), /instructions must be a text/)
    }
    const facts = { instructions: "Sort", input, output: input, examples: {} as never }
    assert.throws(() => Predictor.make("sort_mail", facts), /examples must be a list/)
  })

  it("of open names the predictor, the model or the root", async () => {
    const message = (opening: Promise<unknown>) =>
      opening.then(
        () => "no error",
        (thrown: unknown) => String(thrown)
      )
    for (const value of wrong) {
      assert.match(await message(open(value, { model: "x/y" } as never)), /the first argument must be a predictor/)
      if (value !== "x") assert.match(await message(open(sound, { model: value })), /the options need a model/)
      assert.match(await message(open(sound, value)), /the options need a model/)
    }
    const facts = { instructions: "Sort", input, output: input, tools: FilesPack.readOnly }
    const withTools = Predictor.make("sort_mail", facts)
    assert.match(
      await message(open(withTools as never, { model: "x/y" } as never)),
      /sort_mail has tools, which need the root/
    )
  })
})

describe("Predictor with tools", () => {
  const inDirectory = async (use: (root: string) => Promise<void>) => {
    const root = mkdtempSync(join(tmpdir(), "predictor-"))
    writeFileSync(join(root, "a.txt"), "one\ntwo\n")
    await use(root).finally(() => rmSync(root, { recursive: true }))
  }
  const script = (steps: ReadonlyArray<ScriptedModel.Step | Reply.Reply>) =>
    Effect.runPromise(ScriptedModel.make(steps))

  it("calls tools through the dispatcher: arguments checked, results read, a receipt for each", () =>
    inDirectory(async (root) => {
      const counter = Predictor.make("count_lines", {
        instructions: "Count the lines",
        input: Schema.Struct({ path: Schema.String }),
        output: Schema.Struct({ lines: Schema.Int }),
        tools: FilesPack.readOnly
      })
      const { model } = await script([
        Reply.toolCall("read_file", { paths: "a.txt" }),
        { expect: { toolResult: /unknown key "paths"/u }, reply: Reply.toolCall("read_file", { path: "a.txt" }) },
        { expect: { toolResult: /two/u }, reply: Reply.toolCall("read_file", { path: "../../etc/passwd" }) },
        { expect: { toolResultIsError: true }, reply: give({ lines: 2 }) }
      ])
      const runs: Array<RecordedRun.RecordedRun> = []
      await using count = await open(counter, { model, root, onRun: (one) => runs.push(one) })
      const { output, trace } = await count({ path: "a.txt" })
      assert.strictEqual(output.lines satisfies number, 2)
      const calls = trace.flatMap((step) => step.calls)
      assert.deepStrictEqual(
        calls.map(({ name, receipt, status }) => [name, status, receipt?.tool ?? null]),
        [
          ["read_file", "failed", null],
          ["read_file", "succeeded", "read_file"],
          ["read_file", "failed", null],
          ["return_result", "succeeded", null]
        ]
      )
      assert.deepStrictEqual(
        runs.map(({ input, output, predictor, steps }) => ({ input, output, predictor, steps })),
        [{ input: '{"path":"a.txt"}', output: '{"lines":2}', predictor: "count_lines", steps: 4 }]
      )
    }))

  it("asks if policy asks, and runs nothing without an approver", () =>
    inDirectory(async (root) => {
      const writer = Predictor.make("remove", {
        instructions: "Remove it",
        input: Schema.Struct({ path: Schema.String }),
        output: Schema.Struct({ done: Schema.Boolean }),
        tools: FilesPack.all
      })
      const steps = [Reply.toolCall("delete_path", { path: "a.txt" }), give({ done: true })]
      const denied = await script(steps)
      await using without = await open(writer, { model: denied.model, root, rules: ["ask delete_path"] })
      const { trace } = await without({ path: "a.txt" })
      assert.strictEqual(trace[0].calls[0].status, "rejected")
      assert.strictEqual(readFileSync(join(root, "a.txt"), "utf8"), "one\ntwo\n")
      const questions: Array<string> = []
      const approved = await script(steps)
      await using asking = await open(writer, {
        model: approved.model,
        root,
        rules: ["ask delete_path"],
        approve: ({ preview }) => questions.push(preview.render) > 0
      })
      await asking({ path: "a.txt" })
      assert.lengthOf(questions, 1)
      assert.throws(() => readFileSync(join(root, "a.txt")))
    }))

  it("asks before text of the model leaves, once it has read private and untrusted text", () =>
    inDirectory(async (root) => {
      const reading = Tool.make("read_mail", {
        description: "Read it",
        version: 1,
        tier: "ReadOnly",
        replay: "Safe",
        capabilities: [Private],
        parameters: Schema.Struct({}),
        output: Schema.String,
        execute: () => Effect.succeed(Tool.result({ output: "the code is 1234", display: "Read" }))
      })
      const mail = Predictor.make("mail", {
        instructions: "Say hello",
        input: Schema.String,
        output: Schema.String,
        tools: ToolPack.make(reading, send)
      })
      const { model } = await script([
        Reply.toolCall("send_text", { text: "hello" }),
        Reply.toolCall("read_mail", {}),
        Reply.toolCall("send_text", { text: "1234" }),
        Reply.toolCall("send_text", { text: "hello" }),
        give({ result: "done" })
      ])
      const provide = [Capability.provide(Private, { service: {} })]
      await using say = await open(mail, { model, root, network: {}, provide, rules: ["allow send_text"] })
      const { trace } = await say("hello")
      const calls = trace.flatMap((step) => step.calls)
      assert.deepStrictEqual(
        calls.map(({ status }) => status),
        ["succeeded", "succeeded", "rejected", "succeeded", "succeeded"]
      )
      assert.include(calls[2].text, "made by the model")
    }))
})

class Private extends Capability.make("mail/Inbox", {
  floor: "ReadOnly",
  reach: "Confined",
  labels: ["private", "untrusted"]
})<Private, object>() {}
