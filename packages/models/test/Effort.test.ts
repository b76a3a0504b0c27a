/** Tests of the effort that each provider gets, and of the notice if a model has none. */
import { ask, prompt, type Reply, text } from "@bough/runtime/testing/ModelProbe"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as EffortLevel from "../src/Effort.ts"
import * as ChatServer from "./ChatServer.ts"
import * as AnthropicDialect from "./wire/AnthropicDialect.ts"
import * as BedrockDialect from "./wire/BedrockDialect.ts"
import * as ChatDialect from "./wire/ChatDialect.ts"
import type { Body, Dialect } from "./wire/Dialect.ts"
import * as GeminiDialect from "./wire/GeminiDialect.ts"
import * as ResponsesDialect from "./wire/ResponsesDialect.ts"
import * as Wire from "./wire/Wire.ts"

type Effort = EffortLevel.Effort

interface EffortRequest {
  readonly effort?: Effort
  /** Default: the dialect's. */
  readonly name?: string
  readonly maxOutputTokens?: number
}

const requestOf = Effect.fnUntraced(function* (dialect: Dialect, { maxOutputTokens, ...chosen }: EffortRequest) {
  const server = yield* ChatServer.start(Wire.answer(dialect, Wire.says(Wire.text("ok"))))
  const model = yield* Wire.modelAt(dialect, new URL(server.baseUrl).origin, chosen)
  const more = maxOutputTokens === undefined ? {} : { maxOutputTokens }
  const reply = yield* ask(model, { ...prompt("hi", ["read_file"]), ...more })
  assert.isNull(reply.error)
  const again = yield* ask(model, { ...prompt("hi", ["read_file"]), ...more })
  return { body: server.received[0].body as Body, reply, again }
}, Effect.scoped)

const notices = ({ parts }: Reply): ReadonlyArray<string> =>
  parts.flatMap((part) => (part._tag === "Notice" ? [part.text] : []))

const anthropic = ({ max_tokens, output_config, thinking }: Body): unknown => ({ max_tokens, output_config, thinking })
const bedrock = ({ additionalModelRequestFields: more, inferenceConfig }: Body): unknown => ({
  maxTokens: inferenceConfig?.maxTokens,
  effort: more?.output_config?.effort,
  thinking: more?.thinking
})
const gemini = ({ generationConfig }: Body): unknown => generationConfig?.thinkingConfig
const responses = ({ reasoning }: Body): unknown => reasoning
const chat = ({ reasoning_effort }: Body): unknown => reasoning_effort

const newer = "anthropic/claude-sonnet-5-5"
const older = "anthropic/claude-sonnet-4-5"

describe("effort", () => {
  it.live.each([
    ["Claude, of itself", AnthropicDialect.dialect, { name: newer }, anthropic, { max_tokens: 128_000 }],
    [
      "Claude that thinks as it sees fit",
      AnthropicDialect.dialect,
      { name: newer, effort: "xhigh" },
      anthropic,
      {
        max_tokens: 128_000,
        output_config: { effort: "xhigh" },
        thinking: { type: "adaptive", display: "summarized" }
      }
    ],
    [
      "Claude that thinks by a budget",
      AnthropicDialect.dialect,
      { name: older, effort: "medium" },
      anthropic,
      { max_tokens: 64_000, thinking: { type: "enabled", budget_tokens: 19_200 } }
    ],
    [
      "Claude that is not to think",
      AnthropicDialect.dialect,
      { name: older, effort: "none" },
      anthropic,
      { max_tokens: 64_000, thinking: { type: "disabled" } }
    ],
    [
      "Claude whose thoughts are within what a reply may have",
      AnthropicDialect.dialect,
      { name: older, effort: "medium", maxOutputTokens: 10_000 },
      anthropic,
      { max_tokens: 10_000, thinking: { type: "enabled", budget_tokens: 3000 } }
    ],
    [
      "Claude whose reply has no room for thoughts",
      AnthropicDialect.dialect,
      { name: older, effort: "max", maxOutputTokens: 1500 },
      anthropic,
      { max_tokens: 1500, thinking: { type: "disabled" } }
    ],
    [
      "Claude on Bedrock",
      BedrockDialect.dialect,
      { effort: "high", maxOutputTokens: 10_000 },
      bedrock,
      { maxTokens: 10_000, thinking: { type: "enabled", budget_tokens: 5000 } }
    ],
    ["GPT, of itself", ResponsesDialect.dialect, {}, responses, undefined],
    ["GPT", ResponsesDialect.dialect, { effort: "low" }, responses, { effort: "low" }],
    [
      "a later GPT",
      ResponsesDialect.dialect,
      { name: "openai/gpt-6.1-terra", effort: "max" },
      responses,
      { effort: "max" }
    ],
    ["GPT by chat completions", ChatDialect.openAiChat, { name: "openai-chat/gpt-5", effort: "high" }, chat, "high"],
    ["another server, of itself", ChatDialect.openAiCompatible, {}, chat, undefined],
    ["another server", ChatDialect.openAiCompatible, { effort: "xhigh" }, chat, "xhigh"],
    ["Ollama", ChatDialect.ollama, { effort: "none" }, chat, "none"],
    ["Gemini, of itself", GeminiDialect.dialect, {}, gemini, { includeThoughts: true }],
    ["Gemini that is not to think", GeminiDialect.dialect, { effort: "none" }, gemini, { thinkingBudget: 0 }],
    [
      "Gemini that thinks by a budget",
      GeminiDialect.dialect,
      { effort: "low" },
      gemini,
      { includeThoughts: true, thinkingBudget: 6554 }
    ],
    [
      "Gemini that thinks by levels",
      GeminiDialect.dialect,
      { name: "google/gemini-3.8-flash", effort: "high" },
      gemini,
      { includeThoughts: true, thinkingLevel: "high" }
    ]
  ] satisfies ReadonlyArray<readonly [string, Dialect, EffortRequest, (body: Body) => unknown, unknown]>)(
    "%s is sent as the provider's own parameter",
    ([, dialect, asking, told, expected]) =>
      Effect.gen(function* () {
        const { body, reply } = yield* requestOf(dialect, asking)
        assert.deepStrictEqual(JSON.parse(JSON.stringify(told(body) ?? null)), expected ?? null)
        assert.deepStrictEqual(notices(reply), [])
      })
  )

  it.live.each([
    [
      "no levels",
      ResponsesDialect.dialect,
      { name: "openai/gpt-4.1", effort: "high" },
      /^openai\/gpt-4\.1: .*not supported/
    ],
    [
      "no end to its thoughts",
      AnthropicDialect.dialect,
      { name: newer, effort: "none" },
      /^anthropic\/claude-sonnet-5-5: .*'none'/
    ],
    [
      "other levels",
      AnthropicDialect.dialect,
      { name: newer, effort: "minimal" },
      /^anthropic\/claude-sonnet-5-5: .*"minimal".*"low"/
    ]
  ] satisfies ReadonlyArray<readonly [string, Dialect, EffortRequest, RegExp]>)(
    "a model that has %s answers all the same, with one notice",
    ([, dialect, asking, expected]) =>
      Effect.gen(function* () {
        const { again, reply } = yield* requestOf(dialect, asking)
        const noticeTexts = notices(reply)
        assert.strictEqual(noticeTexts.length, 1)
        assert.match(noticeTexts[0], expected)
        assert.strictEqual(text(reply), "ok")
        assert.deepStrictEqual(notices(again), [])
      })
  )

  it.live("is refused with a fix if the server accepts none", () =>
    Effect.gen(function* () {
      const dialect = ChatDialect.ollama
      const refusal = dialect.failure(400, '"tiny" does not support thinking')
      const server = yield* ChatServer.start(ChatServer.status(400, refusal))
      const model = yield* Wire.modelAt(dialect, new URL(server.baseUrl).origin, { effort: "high" })
      const { error } = yield* ask(model, prompt("hi"))
      assert.strictEqual(error?.reason, "Unsupported")
      assert.include(error?.hint, "--effort")
    }).pipe(Effect.scoped)
  )

  it("is medium for models that take one, if none is chosen", () => {
    const names = [
      "anthropic/claude-sonnet-5-5",
      "anthropic/claude-sonnet-4-5",
      "amazon-bedrock/us.anthropic.claude-opus-5",
      "openai/gpt-6.1-terra",
      "openai/gpt-4.1",
      "openai/gpt-5-chat-latest",
      "google/gemini-3.8-flash",
      "google/gemini-3.5-flash-lite",
      "openai-compatible/default",
      "ollama/claude-sonnet-5-5",
      "offline/planner"
    ]
    assert.deepStrictEqual(
      names.filter((name) => EffortLevel.defaultFor(name) === "medium"),
      [names[0], names[2], names[3], names[6]]
    )
  })
})
