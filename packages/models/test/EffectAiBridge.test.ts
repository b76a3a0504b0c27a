/**
 * Tests of the second bridge's own behaviour (`Bridge.test.ts` has the rest), with scripted effect/ai language models.
 */
import { ask, assistant, calls, end, prompt, toolCall, toolError, user } from "@bough/runtime/testing/ModelProbe"
import { assert, describe, it } from "@effect/vitest"
import * as AiError from "effect/ai/AiError"
import * as LanguageModel from "effect/ai/LanguageModel"
import type * as Response from "effect/ai/Response"
import * as Tool from "effect/ai/Tool"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as EffectAiBridge from "../src/EffectAiBridge.ts"
import * as Bridges from "./Bridges.ts"

type ScriptedStream = Stream.Stream<Response.StreamPartEncoded, AiError.AiError>

/** A language model with this script, bridged, with its requests. */
const bridged = Effect.fnUntraced(function* (text: ScriptedStream) {
  const requests: Array<LanguageModel.ProviderOptions> = []
  const model = yield* LanguageModel.make({
    generateText: () => Effect.die("not streamed"),
    streamText: (options) => {
      requests.push(options)
      return text
    }
  })
  const options: EffectAiBridge.EffectAiBridgeOptions = {
    ...Bridges.described,
    model,
    manners: { mediaInToolResults: true, cacheMark: null, declares: null }
  }
  return { asked: requests, options, service: EffectAiBridge.make(options) }
})

const parts = (...parts: ReadonlyArray<Response.StreamPartEncoded>): ScriptedStream => Stream.fromIterable(parts)

const finish = (reason: Response.FinishReason): Response.StreamPartEncoded => ({
  type: "finish",
  reason,
  usage: {
    inputTokens: { uncached: 1, total: 1_000_000, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1_000_000, text: 1, reasoning: 0 }
  }
})

const call = (id: string, name: string, params: unknown): Response.StreamPartEncoded => ({
  type: "tool-call",
  id,
  name,
  params
})

const failing = (reason: AiError.AiErrorReason): ScriptedStream =>
  Stream.fail(new AiError.AiError({ module: "Test", method: "streamText", reason }))

describe("EffectAiBridge", () => {
  it.effect("requests no more tokens than a reply may have, by the provider's own parameter", () =>
    Effect.gen(function* () {
      const limits: Array<number | null> = []
      const answering = (limit: number | null) =>
        LanguageModel.make({
          generateText: () => Effect.die("not streamed"),
          streamText: () => {
            limits.push(limit)
            return parts(finish("stop"))
          }
        })
      const service = EffectAiBridge.make({
        ...(yield* bridged(parts())).options,
        model: yield* answering(null),
        limited: (maxOutputTokens) => Effect.runSync(answering(maxOutputTokens))
      })
      assert.strictEqual(service.outputPerMillionUsd, 2)
      yield* ask(service, prompt("hi"))
      yield* ask(service, { ...prompt("hi"), maxOutputTokens: 70 })
      assert.deepStrictEqual(limits, [null, 70])
    })
  )

  it.effect("passes on calls as the model wrote them: undeclared, malformed, with any spaces", () =>
    Effect.gen(function* () {
      const { service } = yield* bridged(
        parts(
          { type: "tool-params-start", id: "a", name: "read_file" },
          { type: "tool-params-delta", id: "a", delta: `{ "path": ` },
          { type: "tool-params-delta", id: "a", delta: `"x" }` },
          { type: "tool-params-end", id: "a" },
          call("a", "read_file", { path: "x" }),
          call("b", "no_such_tool", { any: 1 }),
          call("c", "read_file", { path: 7 }),
          finish("tool-calls")
        )
      )
      const reply = yield* ask(service, prompt("go", ["read_file"]))
      assert.isNull(reply.error)
      assert.deepStrictEqual(calls(reply), [
        { id: "a", name: "read_file", arguments: `{ "path": "x" }` },
        { id: "b", name: "no_such_tool", arguments: `{"any":1}` },
        { id: "c", name: "read_file", arguments: `{"path":7}` }
      ])
      assert.strictEqual(end(reply)?.reason, "toolCalls")
    })
  )

  it.effect("declares the tools with their JSON Schema unchanged, and sends the conversation", () =>
    Effect.gen(function* () {
      const { asked, service } = yield* bridged(parts(finish("stop")))
      const pixel = { mediaType: "image/png", data: "iVBORw0KGgo=" }
      const asking = prompt(
        [
          user("look", [pixel]),
          assistant(
            { _tag: "Reasoning", text: "hm", signature: `{"anthropic":{"signature":"s1g"}}` },
            { ...toolCall("a", "read_file", { path: "x" }), signature: `{"google":{"thoughtSignature":"t"}}` }
          ),
          toolError("a", "read_file", "no")
        ],
        ["read_file"]
      )
      assert.isNull((yield* ask(service, asking)).error)
      const [{ prompt: sent, tools }] = asked
      assert.deepStrictEqual(
        tools.map((tool) => [tool.name, Tool.getJsonSchema(tool)]),
        [["read_file", asking.tools[0].parameters]]
      )
      const messages = sent.content.map(({ content, role }) => ({ role, content }))
      assert.strictEqual(messages[0].content, "be brief")
      const [, said, thought, answered] = messages.map(({ content }) => JSON.parse(JSON.stringify(content)))
      assert.deepInclude(said[0], { type: "text", text: "look" })
      assert.deepInclude(said[1], { type: "file", mediaType: pixel.mediaType })
      assert.deepStrictEqual(Buffer.from(Object.values<number>(said[1].data)).toString("base64"), pixel.data)
      assert.deepInclude(thought[0], { text: "hm", options: { anthropic: { signature: "s1g" } } })
      assert.deepInclude(thought[1], {
        id: "a",
        name: "read_file",
        params: { path: "x" },
        options: { google: { thoughtSignature: "t" } }
      })
      assert.deepInclude(answered[0], { id: "a", name: "read_file", isFailure: true, result: "no" })
    })
  )

  it.effect("reports an error in one line, with a fix, and how long to wait", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [AiError.AiErrorReason, reason: string, retryable: boolean]> = [
        [new AiError.RateLimitError({ retryAfter: Duration.seconds(7) }), "RateLimited", true],
        [new AiError.AuthenticationError({ kind: "InvalidKey" }), "Refused", false],
        [new AiError.InternalProviderError({ description: "boom s3cret" }), "ServerFailed", true],
        [new AiError.InvalidRequestError({ description: "no" }), "Unsupported", false]
      ]
      for (const [reason, expected, retryable] of cases) {
        const { service } = yield* bridged(failing(reason))
        const { error } = yield* ask(service, prompt("go"))
        assert.strictEqual(error?.reason, expected)
        assert.strictEqual(error?.retryable, retryable)
        assert.match(error?.message ?? "", /^test\/any: \S/)
        assert.notInclude(error?.message, "s3cret")
        assert.notStrictEqual(error?.hint, "")
        assert.strictEqual(error?.retryAfterMillis, expected === "RateLimited" ? 7000 : null)
      }
    })
  )
})
