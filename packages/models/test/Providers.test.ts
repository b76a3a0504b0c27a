/** Tests of the details of each provider: addresses, keys, caches, and requests not to store data. */
import { ask, assistant, prompt, toolCall, toolResult, user } from "@bough/runtime/testing/ModelProbe"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as AmazonBedrock from "../src/AmazonBedrock.ts"
import * as Anthropic from "../src/Anthropic.ts"
import * as Google from "../src/Google.ts"
import * as Ollama from "../src/Ollama.ts"
import * as OpenAi from "../src/OpenAi.ts"
import type { Environment, Provider } from "../src/Provider.ts"
import * as ChatServer from "./ChatServer.ts"
import * as AnthropicDialect from "./wire/AnthropicDialect.ts"
import * as AwsSignature from "./wire/AwsSignature.ts"
import * as BedrockDialect from "./wire/BedrockDialect.ts"
import type { Body, Dialect } from "./wire/Dialect.ts"
import * as Dialects from "./wire/Dialects.ts"
import * as GeminiDialect from "./wire/GeminiDialect.ts"
import * as ResponsesDialect from "./wire/ResponsesDialect.ts"
import * as Wire from "./wire/Wire.ts"

const go = prompt("go", ["read_file"])
const conversation = prompt(
  [
    user("go"),
    assistant(toolCall("a", "read_file", { path: "x" })),
    toolResult("a", "read_file", "1"),
    assistant(toolCall("b", "read_file", { path: "y" }), toolCall("c", "read_file", { path: "z" })),
    toolResult("b", "read_file", "2"),
    toolResult("c", "read_file", "3")
  ],
  ["read_file"]
)

const make = (provider: Provider, model: string | null, environment: Environment) =>
  provider.make({
    name: `${provider.name}/${model ?? provider.defaultModel}`,
    model,
    environment,
    price: null,
    contextTokens: null,
    effort: null
  })

interface ProviderRequest {
  readonly dialect: Dialect
  readonly model?: string
  /** Returns the environment of a model at the server's origin. */
  readonly environment: (origin: string) => Environment
  readonly prompt?: typeof go
}

/** Asks a model once, and returns the request that the server received. */
const requested = Effect.fnUntraced(function* ({ dialect, environment, model, prompt }: ProviderRequest) {
  const server = yield* ChatServer.start(Wire.answer(dialect, Wire.says(Wire.text("ok"))))
  const service = yield* make(dialect.provider, model ?? null, environment(new URL(server.baseUrl).origin))
  const { error } = yield* ask(service, prompt ?? go)
  assert.isNull(error)
  const [request] = server.received
  return { path: request.path, headers: request.headers, body: request.body as Body, text: server.texts[0] }
}, Effect.scoped)

describe("Anthropic", () => {
  const { dialect } = AnthropicDialect

  it.live("accepts its address with or without the version", () =>
    Effect.gen(function* () {
      for (const [ending, path] of [
        ["", "/v1/messages"],
        ["/", "/v1/messages"],
        ["/v1", "/v1/messages"],
        ["/gateway/anthropic", "/gateway/anthropic/v1/messages"]
      ]) {
        const environment = (origin: string) => ({ ANTHROPIC_BASE_URL: origin + ending, ANTHROPIC_API_KEY: "k" })
        assert.strictEqual((yield* requested({ dialect, environment })).path, path)
      }
    })
  )

  it.live("sends a token as a token, and a key as a key", () =>
    Effect.gen(function* () {
      const key = yield* requested({
        dialect,
        environment: (origin) => ({ ANTHROPIC_BASE_URL: origin, ANTHROPIC_API_KEY: "k", ANTHROPIC_AUTH_TOKEN: "t" })
      })
      assert.strictEqual(key.headers["x-api-key"], "k")
      assert.isUndefined(key.headers.authorization)
      const token = yield* requested({
        dialect,
        environment: (origin) => ({ ANTHROPIC_BASE_URL: origin, ANTHROPIC_AUTH_TOKEN: "t" })
      })
      assert.strictEqual(token.headers.authorization, "Bearer t")
      assert.isUndefined(token.headers["x-api-key"])
    })
  )

  it.live("marks at most three places for its cache: system, the earlier messages, the new messages", () =>
    Effect.gen(function* () {
      const environment = (origin: string) => ({ ANTHROPIC_BASE_URL: origin, ANTHROPIC_API_KEY: "k" })
      const { body } = yield* requested({ dialect, environment, prompt: conversation })
      const marked = (block: Body) => block.cache_control !== undefined
      assert.isTrue(marked(body.system[0]))
      const places = body.messages.map(({ content, role }: Body) => [role, content.map(marked)])
      assert.deepStrictEqual(places, [
        ["user", [false]],
        ["assistant", [false]],
        ["user", [true]],
        ["assistant", [false, false]],
        ["user", [false, true]]
      ])
      assert.deepStrictEqual(body.messages.at(-1).content.at(-1).cache_control, { type: "ephemeral" })
    })
  )
})

describe("OpenAi", () => {
  it.live("stores nothing with OpenAI, and requests reasoning that can be sent back", () =>
    Effect.gen(function* () {
      const { body } = yield* requested({
        dialect: ResponsesDialect.dialect,
        environment: (origin) => ({ OPENAI_BASE_URL: `${origin}/v1`, OPENAI_API_KEY: "k" })
      })
      assert.isFalse(body.store)
      assert.deepStrictEqual(body.include, ["reasoning.encrypted_content"])
      assert.isUndefined(body.prompt_cache_key)
    })
  )

  it.live.each(["openai", "openai-chat"])("names the session for the cache of %s, beside the other options", (name) =>
    Effect.gen(function* () {
      const dialect = Dialects.dialects.find(({ provider }) => provider.name === name)
      const { body } = yield* requested({
        dialect: dialect ?? assert.fail("no such dialect"),
        environment: (origin) => ({ OPENAI_BASE_URL: `${origin}/v1`, OPENAI_API_KEY: "k" }),
        prompt: { ...go, cacheKey: "ses_1" }
      })
      assert.strictEqual(body.prompt_cache_key, "ses_1")
      assert.isFalse(body.store)
    })
  )

  it.live("sends back reasoning without text", () =>
    Effect.gen(function* () {
      const { dialect } = ResponsesDialect
      const streamParts = [{ is: "reasoning", text: "", signature: "c2VhbGVk" } as const, Wire.text("ok")]
      const { bodies, model } = yield* Wire.connect(
        (origin) => Wire.modelAt(dialect, origin),
        Wire.answer(dialect, Wire.says(...streamParts))
      )
      const { parts } = yield* ask(model, go)
      const thoughts = parts.filter((part) => part._tag === "Reasoning")
      assert.strictEqual(thoughts.length, 1)
      yield* ask(model, prompt([user("go"), assistant(...thoughts, { _tag: "Text", text: "ok" }), user("on")]))
      assert.deepStrictEqual(dialect.signatures?.(bodies()[1]), ["c2VhbGVk"])
    }).pipe(Effect.scoped)
  )

  it("is chosen by its key alone for Responses, and by name for chat", () => {
    assert.isNotNull(OpenAi.provider.configured({ OPENAI_API_KEY: "k" }))
    assert.isNull(OpenAi.chatProvider.configured({ OPENAI_API_KEY: "k" }))
  })
})

describe("Google", () => {
  const { dialect } = GeminiDialect

  it.live("accepts its address with or without the version, and any of the names of its key", () =>
    Effect.gen(function* () {
      for (const [ending, name] of [
        ["", "GOOGLE_GENERATIVE_AI_API_KEY"],
        ["/v1beta", "GEMINI_API_KEY"],
        ["/v1beta/", "GOOGLE_API_KEY"]
      ]) {
        const environment = (origin: string) => ({ GOOGLE_GENERATIVE_AI_BASE_URL: origin + ending, [name]: "k" })
        const { headers, path } = yield* requested({ dialect, environment })
        assert.strictEqual(path, "/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse")
        assert.strictEqual(headers["x-goog-api-key"], "k")
      }
    })
  )

  it.live("requests thoughts only of models that think", () =>
    Effect.gen(function* () {
      const environment = (origin: string) => ({ GOOGLE_GENERATIVE_AI_BASE_URL: origin, GEMINI_API_KEY: "k" })
      for (const [model, thinks] of [
        ["gemini-2.5-pro", true],
        ["gemini-3-pro-preview", true],
        ["gemini-4-argon", true],
        ["gemini-flash-latest", true],
        ["gemini-2.0-flash", false],
        ["gemini-2.5-flash-image", false]
      ] as const) {
        const { body } = yield* requested({ dialect, environment, model })
        assert.strictEqual(body.generationConfig?.thinkingConfig?.includeThoughts, thinks ? true : undefined)
      }
    })
  )

  it("is named after its key, which may have another name", () => {
    assert.strictEqual(Google.provider.configured({ GEMINI_API_KEY: "k" }), "GEMINI_API_KEY is set")
  })
})

describe("AmazonBedrock", () => {
  const { dialect } = BedrockDialect
  const access = { AWS_ACCESS_KEY_ID: "AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY: "wJalr-secret", AWS_REGION: "eu-west-1" }

  it.live("signs requests with an access key so that the server can check them, and sends no secret", () =>
    Effect.gen(function* () {
      const request = yield* requested({
        dialect,
        environment: (origin) => ({
          ...access,
          AWS_SESSION_TOKEN: "session-token",
          AWS_ENDPOINT_URL_BEDROCK_RUNTIME: origin
        })
      })
      const { authorization = "" } = request.headers
      assert.match(authorization, /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-west-1\/bedrock\/aws4_request, /)
      assert.strictEqual(request.headers["x-amz-security-token"], "session-token")
      assert.include(authorization, `Signature=${AwsSignature.of(request, "wJalr-secret")}`)
      assert.notInclude(authorization, AwsSignature.of(request, "another-secret"))
      assert.notInclude(JSON.stringify(request), "wJalr-secret")
    })
  )

  it.live("prefers a Bedrock key to an access key", () =>
    Effect.gen(function* () {
      const { headers } = yield* requested({
        dialect,
        environment: (origin) => ({
          ...access,
          AWS_BEARER_TOKEN_BEDROCK: "bearer",
          AWS_ENDPOINT_URL_BEDROCK_RUNTIME: origin
        })
      })
      assert.strictEqual(headers.authorization, "Bearer bearer")
    })
  )

  it.live("marks the prompt for the cache of models that have one, and for no other", () =>
    Effect.gen(function* () {
      const environment = (origin: string) => ({
        AWS_BEARER_TOKEN_BEDROCK: "k",
        AWS_ENDPOINT_URL_BEDROCK_RUNTIME: origin
      })
      for (const [model, marks] of [
        ["us.anthropic.claude-sonnet-4-5-20250929-v1:0", 3],
        ["anthropic.claude-3-7-sonnet-20250219-v1:0", 3],
        ["anthropic.claude-3-haiku-20240307-v1:0", 0],
        ["meta.llama3-3-70b-instruct-v1:0", 0]
      ] as const) {
        const { body } = yield* requested({ dialect, environment, model, prompt: conversation })
        assert.strictEqual(JSON.stringify(body).split("cachePoint").length - 1, marks, model)
      }
    })
  )

  it.effect("uses the region's address if it has none of its own", () =>
    Effect.gen(function* () {
      const missing = yield* Effect.flip(make(AmazonBedrock.provider, null, { AWS_REGION: "eu-west-1" }))
      assert.include(missing.message, "no API key for https://bedrock-runtime.eu-west-1.amazonaws.com")
      const china = yield* Effect.flip(make(AmazonBedrock.provider, null, { AWS_DEFAULT_REGION: "cn-north-1" }))
      assert.include(china.message, "https://bedrock-runtime.cn-north-1.amazonaws.com.cn")
    })
  )
})

describe("Ollama", () => {
  it.each([
    [{}, "http://127.0.0.1:11434/v1"],
    [{ OLLAMA_HOST: "0.0.0.0" }, "http://127.0.0.1:11434/v1"],
    [{ OLLAMA_HOST: "0.0.0.0:8080" }, "http://127.0.0.1:8080/v1"],
    [{ OLLAMA_HOST: "box.local" }, "http://box.local:11434/v1"],
    [{ OLLAMA_HOST: "[::1]:11434" }, "http://[::1]:11434/v1"],
    [{ OLLAMA_HOST: "http://box.local:99/" }, "http://box.local:99/v1"],
    [{ OLLAMA_HOST: "https://ollama.example/v1" }, "https://ollama.example/v1"],
    [{ OLLAMA_HOST: "a", OLLAMA_BASE_URL: "http://b:1/v1" }, "http://b:1/v1"]
  ] as const)("reads %j as %s", (environment, baseUrl) => {
    assert.strictEqual(Ollama.baseUrl(environment), baseUrl)
  })

  it.live("finds the models of a running server, and returns null if there is none", () =>
    Effect.gen(function* () {
      const found = yield* Effect.scoped(
        Effect.gen(function* () {
          const server = yield* ChatServer.start(
            ChatServer.status(200, { data: [{ id: "llama3.2" }, { id: "qwen3:8b" }] })
          )
          const origin = new URL(server.baseUrl).origin
          return { origin, models: yield* Ollama.running({ OLLAMA_HOST: origin }) }
        })
      )
      assert.deepStrictEqual(found.models, ["ollama/llama3.2", "ollama/qwen3:8b"])
      assert.isNull(yield* Ollama.running({ OLLAMA_HOST: found.origin }))
    })
  )

  it.live("does not wait for a server that is silent", () =>
    Effect.gen(function* () {
      const server = yield* ChatServer.start(() => {})
      assert.isNull(yield* Ollama.running({ OLLAMA_HOST: new URL(server.baseUrl).origin }))
      yield* server.hangClosed
    }).pipe(Effect.scoped)
  )

  it.live("lists a server's models under its own name instead of choosing among several", () =>
    Effect.gen(function* () {
      const server = yield* ChatServer.start(ChatServer.status(200, { data: [{ id: "llama3.2" }, { id: "qwen3:8b" }] }))
      const model = yield* make(Ollama.provider, null, { OLLAMA_HOST: new URL(server.baseUrl).origin })
      const { error } = yield* ask(model, go)
      assert.include(error?.hint, "--model ollama/llama3.2")
    }).pipe(Effect.scoped)
  )

  it.effect("needs a key only beyond this machine and its network", () =>
    Effect.gen(function* () {
      yield* make(Ollama.provider, "llama", {})
      const error = yield* Effect.flip(make(Ollama.provider, "llama", { OLLAMA_HOST: "https://ollama.example" }))
      assert.include(error.hint, "OLLAMA_API_KEY")
    })
  )
})

describe("every provider", () => {
  it.effect("refuses an invalid address, and names the variable", () =>
    Effect.gen(function* () {
      for (const [provider, environment, variable] of [
        [Anthropic.provider, { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: "not a url" }, "ANTHROPIC_BASE_URL"],
        [OpenAi.provider, { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "ftp://x" }, "OPENAI_BASE_URL"],
        [Google.provider, { GEMINI_API_KEY: "k", GOOGLE_BASE_URL: "localhost:1" }, "GOOGLE_BASE_URL"],
        [Ollama.provider, { OLLAMA_HOST: "http://" }, "OLLAMA_HOST"]
      ] as const) {
        const error = yield* Effect.flip(make(provider, null, environment))
        assert.strictEqual(error.reason, "Unreachable")
        assert.include(error.hint, variable)
      }
    })
  )
})
