/**
 * Tests of this bridge's own behaviour (`Bridge.test.ts` has the rest), with language models that differ from the
 * servers of the provider tests.
 */
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider"
import {
  ask,
  assistant,
  calls,
  end,
  prompt,
  reasoning,
  text,
  toolCall,
  toolError,
  toolResult,
  user
} from "@bough/runtime/testing/ModelProbe"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as AiSdkBridge from "../src/AiSdkBridge.ts"
import * as Bridges from "./Bridges.ts"

/** A provider that streams these parts, and records its requests. */
const provider = (parts: ReadonlyArray<LanguageModelV4StreamPart>, ends = true) => {
  const requests: Array<LanguageModelV4CallOptions> = []
  const model: LanguageModelV4 = {
    specificationVersion: "v4",
    provider: "test",
    modelId: "any",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("not streamed")),
    doStream: (options) => {
      requests.push(options)
      const stream = new ReadableStream<LanguageModelV4StreamPart>({
        start: (controller) => {
          for (const part of parts) controller.enqueue(part)
          if (ends) controller.close()
        }
      })
      return Promise.resolve({ stream })
    }
  }
  return { asked: requests, model }
}

const bridge = (model: LanguageModelV4, manners: Partial<AiSdkBridge.Manners> = {}) =>
  AiSdkBridge.make({
    ...Bridges.described,
    manners: { ...AiSdkBridge.plainManners, ...manners },
    load: Effect.succeed(model)
  })

const finish = (unified: "stop" | "tool-calls" | "length" | "error" | "interrupted" | "other" | "content-filter") =>
  ({
    type: "finish",
    finishReason: { unified, raw: unified },
    usage: {
      inputTokens: { total: 3, noCache: 2, cacheRead: 1, cacheWrite: undefined },
      outputTokens: { total: 4, text: 4, reasoning: undefined }
    }
  }) satisfies LanguageModelV4StreamPart

const whole = (id: string, input: string) =>
  ({ type: "tool-call", toolCallId: id, toolName: "read_file", input }) satisfies LanguageModelV4StreamPart

const pixel = { mediaType: "image/png", data: "iVBORw0KGgo=" }

describe("AiSdkBridge", () => {
  it.effect("passes on a call that comes without fragments", () =>
    Effect.gen(function* () {
      const { model } = provider([whole("a", `{"path":"x"}`), whole("b", ""), finish("tool-calls")])
      const reply = yield* ask(bridge(model), prompt("go", ["read_file"]))
      assert.isNull(reply.error)
      assert.deepStrictEqual(calls(reply), [
        { id: "a", name: "read_file", arguments: `{"path":"x"}` },
        { id: "b", name: "read_file", arguments: "{}" }
      ])
    })
  )

  it.effect("passes on the rest of a call after its fragments, once", () =>
    Effect.gen(function* () {
      const { model } = provider([
        { type: "tool-input-start", id: "a", toolName: "read_file" },
        { type: "tool-input-delta", id: "a", delta: `{"path"` },
        { type: "tool-input-end", id: "a" },
        whole("a", `{"path":"x"}`),
        finish("tool-calls")
      ])
      const reply = yield* ask(bridge(model), prompt("go"))
      assert.deepStrictEqual(calls(reply), [{ id: "a", name: "read_file", arguments: `{"path":"x"}` }])
    })
  )

  it.effect("uses the final call, not fragments that are raw text", () =>
    Effect.gen(function* () {
      const { model } = provider([
        { type: "tool-input-start", id: "a", toolName: "read_file", inputEncoding: "text" },
        { type: "tool-input-delta", id: "a", delta: "x\ny" },
        whole("a", `"x\\ny"`),
        finish("tool-calls")
      ])
      const reply = yield* ask(bridge(model), prompt("go"))
      assert.deepStrictEqual(calls(reply), [{ id: "a", name: "read_file", arguments: `"x\\ny"` }])
    })
  )

  it.effect.each([
    [
      "finished it with other arguments than its fragments",
      [
        { type: "tool-input-start", id: "a", toolName: "read_file" },
        { type: "tool-input-delta", id: "a", delta: `{"path":"y"` },
        whole("a", `{"path":"x"}`),
        finish("tool-calls")
      ]
    ],
    ["says that it was interrupted", [whole("a", "{}"), finish("interrupted")]],
    [
      "gives no reason of its own",
      [whole("a", "{}"), { ...finish("other"), finishReason: { unified: "other", raw: undefined } }]
    ]
  ] as ReadonlyArray<readonly [string, ReadonlyArray<LanguageModelV4StreamPart>]>)(
    "a call is cut where the provider %s",
    ([, parts]) =>
      Effect.gen(function* () {
        const reply = yield* ask(bridge(provider(parts).model), prompt("go"))
        assert.strictEqual(reply.error?.reason, "StreamCut")
        assert.include(reply.error?.message, "inside a call of read_file")
        assert.isUndefined(end(reply))
      })
  )

  it.effect("sends no blank text, which a provider would refuse with every later prompt of the session", () =>
    Effect.gen(function* () {
      const { asked, model } = provider([finish("stop")])
      const parts = [
        user(" \n"),
        assistant({ _tag: "Text", text: "\n\n" }, toolCall("a", "read_file", { path: "x" })),
        toolResult("a", "read_file", "one"),
        assistant({ _tag: "Text", text: " " }),
        user("", [pixel]),
        user(" see ")
      ]
      yield* ask(bridge(model), prompt(parts))
      assert.deepStrictEqual(
        asked[0].prompt
          .slice(1)
          .map(({ content, role }) => [
            role,
            ...(typeof content === "string"
              ? []
              : content.map((part) => (part.type === "text" ? part.text : part.type)))
          ]),
        [
          ["user", "(empty message)"],
          ["assistant", "tool-call"],
          ["tool", "tool-result"],
          ["user", "file"],
          ["user", " see "]
        ]
      )
    })
  )

  it.effect("drops calls that the provider runs itself, and parts of unknown calls", () =>
    Effect.gen(function* () {
      const { model } = provider([
        { type: "stream-start", warnings: [] },
        { type: "tool-input-start", id: "w", toolName: "web", providerExecuted: true },
        { type: "tool-input-delta", id: "w", delta: "{}" },
        { ...whole("w", "{}"), toolName: "web", providerExecuted: true },
        { type: "ping" },
        { type: "text-start", id: "t" },
        { type: "text-delta", id: "t", delta: "ok" },
        { type: "text-end", id: "t" },
        finish("stop")
      ])
      const reply = yield* ask(bridge(model), prompt("go"))
      assert.deepStrictEqual(
        reply.parts.map(({ _tag }) => _tag),
        ["Text", "End"]
      )
      assert.strictEqual(text(reply), "ok")
    })
  )

  it.effect("returns the provider's signature of its reasoning", () =>
    Effect.gen(function* () {
      const metadata = { anthropic: { signature: "s1g" } }
      const { asked, model } = provider([
        { type: "reasoning-start", id: "r" },
        { type: "reasoning-delta", id: "r", delta: "hm" },
        { type: "reasoning-delta", id: "r", delta: "", providerMetadata: metadata },
        { type: "reasoning-end", id: "r" },
        finish("stop")
      ])
      const reply = yield* ask(bridge(model), prompt("go"))
      assert.strictEqual(reasoning(reply), "hm")
      const signature = reply.parts.flatMap((part) =>
        part._tag === "Reasoning" && part.signature !== undefined ? [part.signature] : []
      )
      assert.strictEqual(signature.length, 1)
      yield* ask(
        bridge(model),
        prompt([user("go"), assistant({ _tag: "Reasoning", text: "hm", signature: signature[0] }), user("on")])
      )
      const [, sent] = asked
      assert.deepStrictEqual(sent.prompt[2], {
        role: "assistant",
        content: [{ type: "reasoning", text: "hm", providerOptions: metadata }]
      })
    })
  )

  it.effect("joins the signatures of one block of reasoning into one", () =>
    Effect.gen(function* () {
      const { model } = provider([
        { type: "reasoning-start", id: "r", providerMetadata: { openai: { itemId: "rs_1", encrypted: null } } },
        { type: "reasoning-delta", id: "r", delta: "hm", providerMetadata: { openai: { itemId: "rs_1" } } },
        { type: "reasoning-delta", id: "r", delta: "m" },
        { type: "reasoning-end", id: "r", providerMetadata: { openai: { itemId: "rs_1", encrypted: "x" } } },
        finish("stop")
      ])
      const reply = yield* ask(bridge(model), prompt("go"))
      assert.deepStrictEqual(reply.parts.slice(0, -1), [
        { _tag: "Reasoning", text: "hm" },
        { _tag: "Reasoning", text: "m" },
        { _tag: "Reasoning", text: "", signature: `{"openai":{"itemId":"rs_1","encrypted":"x"}}` }
      ])
    })
  )

  it.effect("returns the provider's signature of a call with the call", () =>
    Effect.gen(function* () {
      const metadata = { google: { thoughtSignature: "s1g" } }
      const { asked, model } = provider([
        { ...whole("a", `{"path":"x"}`), providerMetadata: metadata },
        finish("tool-calls")
      ])
      const reply = yield* ask(bridge(model), prompt("go", ["read_file"]))
      const signed = reply.parts.flatMap((part) => (part._tag === "ToolCallArguments" ? [part.signature] : []))
      assert.deepStrictEqual(signed, [JSON.stringify(metadata)])
      const call = { ...toolCall("a", "read_file", { path: "x" }), signature: signed[0]! }
      yield* ask(bridge(model), prompt([user("go"), assistant(call), toolResult("a", "read_file", "ok")]))
      assert.deepStrictEqual(asked[1].prompt[2], {
        role: "assistant",
        content: [
          {
            type: "tool-call",
            toolCallId: "a",
            toolName: "read_file",
            input: { path: "x" },
            providerOptions: metadata
          }
        ]
      })
    })
  )

  it.effect("sends arguments that are not an object within one", () =>
    Effect.gen(function* () {
      const { asked, model } = provider([finish("stop")])
      const texts = [`{"path":"x"}`, "{broken", "[1]", "null", `"x"`]
      const calls = texts.map((text, index) => toolCall(String(index), "read_file", text))
      yield* ask(bridge(model), prompt([user("go"), assistant(...calls)]))
      const parts = asked[0].prompt.flatMap(({ content }) => (typeof content === "string" ? [] : [...content]))
      assert.deepStrictEqual(
        parts.flatMap((part) => (part.type === "tool-call" ? [part.input] : [])),
        [{ path: "x" }, ...texts.slice(1).map((text) => ({ malformed_arguments: text }))]
      )
    })
  )

  it.effect("marks the system prompt, the end of the prompt before and the end of this one for a cache", () =>
    Effect.gen(function* () {
      const { asked, model } = provider([finish("stop")])
      const cacheMark = { anthropic: { cacheControl: { type: "ephemeral" } } }
      const marking = bridge(model, { cacheMark })
      yield* ask(marking, prompt("go"))
      yield* ask(
        marking,
        prompt([
          user("go"),
          assistant(toolCall("a", "read_file", { path: "x" }), toolCall("b", "read_file", { path: "y" })),
          toolResult("a", "read_file", "1"),
          toolResult("b", "read_file", "2")
        ])
      )
      const marked = asked.map(({ prompt }) =>
        prompt.map(({ providerOptions, role }) => `${role}${providerOptions === undefined ? "" : "*"}`)
      )
      assert.deepStrictEqual(marked, [
        ["system*", "user*"],
        ["system*", "user*", "assistant", "tool", "tool*"]
      ])
      assert.deepStrictEqual(asked[0].prompt[0].providerOptions, cacheMark)
    })
  )

  it.effect("drops a signature that it did not write instead of failing", () =>
    Effect.gen(function* () {
      const { asked, model } = provider([finish("stop")])
      yield* ask(
        bridge(model),
        prompt([user("go"), assistant({ _tag: "Reasoning", text: "hm", signature: "foreign" })])
      )
      assert.deepStrictEqual(asked[0].prompt[2], { role: "assistant", content: [{ type: "reasoning", text: "hm" }] })
    })
  )

  it.effect("puts images into the tool result if the provider accepts them there", () =>
    Effect.gen(function* () {
      const { asked, model } = provider([finish("stop")])
      yield* ask(
        bridge(model, { mediaInToolResults: true }),
        prompt([
          user("go"),
          assistant(toolCall("a", "read_file", { path: "x.png" }), toolCall("b", "read_file", { path: "y" })),
          { ...toolResult("a", "read_file", "{}"), media: [pixel] },
          toolError("b", "read_file", "no such file")
        ])
      )
      const file = { type: "file", data: { type: "data", data: pixel.data }, mediaType: "image/png" }
      assert.deepStrictEqual(asked[0].prompt.slice(3), [
        {
          role: "tool",
          content: [
            {
              type: "tool-result",
              toolCallId: "a",
              toolName: "read_file",
              output: { type: "content", value: [{ type: "text", text: "{}" }, file] }
            }
          ]
        },
        {
          role: "tool",
          content: [
            {
              type: "tool-result",
              toolCallId: "b",
              toolName: "read_file",
              output: { type: "error-text", value: "no such file" }
            }
          ]
        }
      ] as never)
    })
  )

  it.effect("declares no tools if there are none", () =>
    Effect.gen(function* () {
      const { asked, model } = provider([finish("stop")])
      yield* ask(bridge(model), prompt("go"))
      assert.isUndefined(asked[0].tools)
    })
  )
})
