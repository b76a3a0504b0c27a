/** Tests of packs in the AI SDK: its own loop, with a scripted model. */
import { assert, describe, it } from "@effect/vitest"
import {
  generateText,
  isStepCount,
  type ModelMessage,
  streamText,
  type ToolApprovalResponse,
  type ToolResultPart
} from "ai"
import { MockLanguageModelV4, simulateReadableStream } from "ai/test"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type AiSdkOutput, CallFailed, toAiSdk } from "../src/AiSdk.ts"
import { dot, openWorld } from "./World.ts"

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined }
}

const calling = (toolName: string, input: unknown, toolCallId = "call-1") => ({
  content: [{ type: "tool-call" as const, toolCallId, toolName, input: JSON.stringify(input) }],
  finishReason: { unified: "tool-calls" as const, raw: undefined },
  usage,
  warnings: []
})

const saying = (text: string) => ({
  content: [{ type: "text" as const, text }],
  finishReason: { unified: "stop" as const, raw: undefined },
  usage,
  warnings: []
})

/** A model that makes one call and then says "done". */
const modelOf = (toolName: string, input: unknown) =>
  new MockLanguageModelV4({ doGenerate: [calling(toolName, input), saying("done")] })

const stopWhen = isStepCount(3)

/** The result of its call that the model got. */
const resultOf = ({ doGenerateCalls }: MockLanguageModelV4): ToolResultPart["output"] => {
  const message = doGenerateCalls.at(-1)?.prompt.at(-1)
  const part = message?.role === "tool" ? message.content.find(({ type }) => type === "tool-result") : undefined
  // As JSON: undefined values are not sent.
  return part?.type === "tool-result"
    ? (JSON.parse(JSON.stringify(part.output)) as ToolResultPart["output"])
    : assert.fail("no result")
}

const ask = "write an elevated note"

/** Asks for an Elevated note and returns the messages up to the request, and the request. */
const asking = async (world: Awaited<ReturnType<typeof openWorld>>, text = "x") => {
  const { shown, toolApproval, tools } = toAiSdk(world.opened)
  const prompt: ModelMessage = { role: "user", content: ask }
  const model = new MockLanguageModelV4({ doGenerate: [calling("write_note", { path: "elevated.txt", text })] })
  const result = await generateText({ model, tools, toolApproval, messages: [prompt], stopWhen })
  const request = result.content.find((part) => part.type === "tool-approval-request")
  if (request?.type !== "tool-approval-request") return assert.fail("nothing was asked")
  return { shown, tools, toolApproval, request, messages: [prompt, ...result.responseMessages] }
}

const answered = (
  { messages, request }: Awaited<ReturnType<typeof asking>>,
  answer: Pick<ToolApprovalResponse, "approved" | "reason">
): Array<ModelMessage> => [
  ...messages,
  { role: "tool", content: [{ type: "tool-approval-response", approvalId: request.approvalId, ...answer }] }
]

const done = () => new MockLanguageModelV4({ doGenerate: [saying("done")] })

describe("toAiSdk", () => {
  it("a call that policy allows runs in the loop, and the model reads the tool's own text", async () => {
    await using world = await openWorld()
    const { toolApproval, tools } = toAiSdk(world.opened)
    const model = modelOf("read_day", {})
    const result = await generateText({ model, tools, toolApproval, prompt: "go", stopWhen })
    assert.deepStrictEqual(resultOf(model), { type: "text", value: "the day is 2026-01-02" })
    const output = result.steps[0].toolResults[0]?.output
    assert.deepStrictEqual<unknown>(output, {
      status: "success",
      output: { at: "2026-01-02T00:00:00.000Z", size: "12" },
      text: "the day is 2026-01-02",
      display: "A day",
      media: []
    })
  })

  it("the model is given name, description and schema", async () => {
    await using world = await openWorld()
    const model = modelOf("read_day", {})
    await generateText({ model, tools: toAiSdk(world.opened).tools, prompt: "go", stopWhen })
    const declared = model.doGenerateCalls[0].tools?.find(({ name }) => name === "write_note")
    assert.deepInclude(declared, { type: "function", name: "write_note", description: "Write a note" })
    assert.deepStrictEqual<unknown>(declared?.type === "function" ? declared.inputSchema : null, {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, description: "Where to" },
        text: { type: "string", default: "empty" }
      },
      required: ["path"],
      additionalProperties: false
    })
  })

  it("an Elevated call waits for the user, who is shown its reason and preview, and runs once approved", async () => {
    await using world = await openWorld()
    const pending = await asking(world)
    assert.strictEqual(pending.request.reason, "it is an elevated note\nelevated.txt: nothing becomes x")
    assert.strictEqual(pending.shown("call-1")?.preview, "elevated.txt: nothing becomes x")
    assert.isFalse(existsSync(join(world.root, "elevated.txt")))
    const { toolApproval, tools } = pending
    await generateText({ model: done(), tools, toolApproval, messages: answered(pending, { approved: true }) })
    assert.strictEqual(readFileSync(join(world.root, "elevated.txt"), "utf8"), "x")
  })

  it("needsApproval alone asks too", async () => {
    await using world = await openWorld()
    const { tools } = toAiSdk(world.opened)
    const model = modelOf("write_note", { path: "elevated.txt", text: "x" })
    const result = await generateText({ model, tools, prompt: ask, stopWhen })
    assert.include(
      result.content.map(({ type }) => type),
      "tool-approval-request"
    )
    assert.isFalse(existsSync(join(world.root, "elevated.txt")))
  })

  it("a denied call is reported in the framework's way, and does not run", async () => {
    await using world = await openWorld()
    const pending = await asking(world)
    const { toolApproval, tools } = pending
    const model = done()
    const messages = answered(pending, { approved: false, reason: "not today" })
    await generateText({ model, tools, toolApproval, messages })
    assert.deepStrictEqual<unknown>(resultOf(model), { type: "execution-denied", reason: "not today" })
    assert.isFalse(existsSync(join(world.root, "elevated.txt")))
  })

  it("an approval does not count once the preview has changed", async () => {
    await using world = await openWorld()
    const pending = await asking(world)
    writeFileSync(join(world.root, "elevated.txt"), "precious")
    const { toolApproval, tools } = pending
    const model = done()
    await generateText({ model, tools, toolApproval, messages: answered(pending, { approved: true }) })
    assert.include(JSON.stringify(resultOf(model)), "differs from the approved one")
    assert.strictEqual(readFileSync(join(world.root, "elevated.txt"), "utf8"), "precious")
  })

  it("an approval does not count for other arguments under the same id", async () => {
    await using world = await openWorld()
    const pending = await asking(world)
    const messages = answered(pending, { approved: true })
    const forged = JSON.parse(
      JSON.stringify(messages).replaceAll(`"text":"x"`, `"text":"forged"`)
    ) as Array<ModelMessage>
    const { toolApproval, tools } = pending
    await generateText({ model: done(), tools, toolApproval, messages: forged })
    assert.isFalse(existsSync(join(world.root, "elevated.txt")))
  })

  it("an approval of another process does not count", async () => {
    await using world = await openWorld()
    const pending = await asking(world)
    const { toolApproval, tools } = toAiSdk(world.opened)
    const model = done()
    await generateText({ model, tools, toolApproval, messages: answered(pending, { approved: true }) })
    assert.include(JSON.stringify(resultOf(model)), "no approver is configured")
    assert.isFalse(existsSync(join(world.root, "elevated.txt")))
  })

  it("an approval counts for one call", async () => {
    await using world = await openWorld()
    const pending = await asking(world)
    const { toolApproval, tools } = pending
    const messages = answered(pending, { approved: true })
    await generateText({ model: done(), tools, toolApproval, messages })
    writeFileSync(join(world.root, "elevated.txt"), "later")
    await generateText({ model: done(), tools, toolApproval, messages })
    assert.strictEqual(readFileSync(join(world.root, "elevated.txt"), "utf8"), "later")
  })

  it("a call that a rule denies is denied without an approval request", async () => {
    await using world = await openWorld({ rules: ["deny write_note path=secret.txt"] })
    const { toolApproval, tools } = toAiSdk(world.opened)
    const model = modelOf("write_note", { path: "secret.txt" })
    await generateText({ model, tools, toolApproval, prompt: "go", stopWhen })
    const { reason, type } = resultOf(model) as { readonly type: string; readonly reason: string }
    assert.strictEqual(type, "execution-denied")
    assert.include(reason, "denied by the rule")
  })

  it.each([
    ["write_note", { pth: "a" }, "ValidationError", /^Error: .*path/s],
    ["fail_as", { how: "execution" }, "ExecutionError", /^Error: the disk is full \(delete something\)/],
    ["fail_as", { how: "permission" }, "PermissionDenied", /not for you/],
    ["fail_as", { how: "timeout" }, "Timeout", /timed out after \d+ ms/]
  ])("%s %j fails as %s, with a message for the model", async (name, input, tag, words) => {
    await using world = await openWorld()
    const { toolApproval, tools } = toAiSdk(world.opened)
    const model = modelOf(name, input)
    const result = await generateText({ model, tools, toolApproval, prompt: "go", stopWhen })
    const output = resultOf(model)
    assert.match(output.type === "error-text" ? output.value : output.type, words)
    const failed = result.steps[0].content.find(({ type }) => type === "tool-error")
    const error = failed?.type === "tool-error" ? failed.error : null
    assert.isTrue(error instanceof CallFailed && error.error._tag === tag)
  })

  it("progress is preliminary results, and media are files for the model", async () => {
    await using world = await openWorld()
    const { toolApproval, tools } = toAiSdk(world.opened)
    const streamed = new MockLanguageModelV4({
      doStream: [
        {
          stream: simulateReadableStream({
            chunks: [
              { type: "tool-call", toolCallId: "call-1", toolName: "count_up", input: '{"to":2}' },
              { type: "finish", finishReason: { unified: "tool-calls", raw: undefined }, usage }
            ]
          })
        }
      ]
    })
    const progress: Array<unknown> = []
    const { stream } = streamText({ model: streamed, tools, toolApproval, prompt: "go" })
    for await (const part of stream) {
      if (part.type !== "tool-result") continue
      const output = part.output as AiSdkOutput
      progress.push(output.status === "running" ? output.progress : part.preliminary)
    }
    assert.deepStrictEqual(progress, ["at 1", "at 2", true, undefined])
    const model = modelOf("draw", {})
    await generateText({ model, tools, toolApproval, prompt: "go", stopWhen })
    assert.deepStrictEqual<unknown>(resultOf(model), {
      type: "content",
      value: [
        { type: "text", text: '{"text":"a dot"}' },
        { type: "file", mediaType: "image/png", data: { type: "data", data: dot } }
      ]
    })
  })

  it("a long output is truncated for the model and complete for the program", async () => {
    await using world = await openWorld()
    const { toolApproval, tools } = toAiSdk(world.opened)
    const model = modelOf("say_much", {})
    const result = await generateText({ model, tools, toolApproval, prompt: "go", stopWhen })
    assert.isAtMost(JSON.stringify(resultOf(model)).length, 18_000)
    assert.isAbove(JSON.stringify(result.steps[0].toolResults[0]?.output).length, 40_000)
  })

  it("an abort interrupts the tool", async () => {
    await using world = await openWorld()
    const { toolApproval, tools } = toAiSdk(world.opened)
    const controller = new AbortController()
    const running = generateText({
      model: modelOf("wait_forever", {}),
      tools,
      toolApproval,
      prompt: "go",
      stopWhen,
      abortSignal: controller.signal
    })
    const ended = running.then(
      () => "done",
      (error: unknown) => String(error)
    )
    await world.waits.started.promise
    controller.abort()
    assert.match(await ended, /abort/i)
    // Before the pack is closed, which would end the call too.
    await world.waits.interrupted.promise
  })
})
