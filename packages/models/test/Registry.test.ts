/** Tests of the choice of a model from configuration alone. */
import { Model } from "@bough/runtime"
import { ask, end, prompt, text } from "@bough/runtime/testing/ModelProbe"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Registry from "../src/Registry.ts"
import * as ChatServer from "./ChatServer.ts"

const choose = (model: string | null, environment: Registry.Settings["environment"] = {}) =>
  Registry.choose({ model, environment })

const local = "http://127.0.0.1:9/v1"

describe("Registry", () => {
  it.effect.each([
    [{}, "offline/planner", "no model is configured"],
    [{ OPENAI_API_KEY: "", OPENAI_BASE_URL: " " }, "offline/planner", "no model is configured"],
    [{ OPENAI_COMPATIBLE_API_KEY: "k" }, "offline/planner", "no model is configured"],
    [{ OPENAI_API_KEY: "k" }, "openai/gpt-6.1-terra", "OPENAI_API_KEY is set"],
    [{ ANTHROPIC_API_KEY: "k" }, "anthropic/claude-sonnet-5-5", "ANTHROPIC_API_KEY is set"],
    [{ ANTHROPIC_AUTH_TOKEN: "k" }, "anthropic/claude-sonnet-5-5", "ANTHROPIC_AUTH_TOKEN is set"],
    [{ ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k" }, "anthropic/claude-sonnet-5-5", "ANTHROPIC_API_KEY is set"],
    [{ GEMINI_API_KEY: "k" }, "google/gemini-3.8-flash", "GEMINI_API_KEY is set"],
    [
      { AWS_BEARER_TOKEN_BEDROCK: "k" },
      "amazon-bedrock/us.anthropic.claude-sonnet-5-5",
      "AWS_BEARER_TOKEN_BEDROCK is set"
    ],
    // These variables often exist for other purposes.
    [{ AWS_ACCESS_KEY_ID: "i", AWS_SECRET_ACCESS_KEY: "s" }, "offline/planner", "no model is configured"],
    [{ OLLAMA_HOST: "127.0.0.1" }, "ollama/default", "OLLAMA_HOST is set"],
    // An address without its key cannot be used.
    [{ ANTHROPIC_BASE_URL: local }, "offline/planner", "no model is configured"],
    [{ OPENAI_BASE_URL: local }, "openai-compatible/default", "OPENAI_BASE_URL is set"],
    [
      { OPENAI_BASE_URL: local, OPENAI_COMPATIBLE_BASE_URL: local },
      "openai-compatible/default",
      "OPENAI_COMPATIBLE_BASE_URL is set"
    ],
    [
      { OPENAI_COMPATIBLE_BASE_URL: local, OPENAI_API_KEY: "k" },
      "openai-compatible/default",
      "OPENAI_COMPATIBLE_BASE_URL is set"
    ]
  ] as const)("without a named model %j selects by configuration", ([environment, name, reason]) =>
    Effect.gen(function* () {
      const choice = yield* choose(null, environment)
      assert.strictEqual(choice.name, name)
      assert.strictEqual(choice.reason, reason)
      assert.strictEqual(choice.model.name, name)
      const provided = yield* Effect.provide(Model.Model, choice.layer)
      assert.strictEqual(provided.name, name)
    })
  )

  it("names all configured models, and every variable that contains a secret", () => {
    assert.deepStrictEqual(Registry.listConfigured({ OPENAI_API_KEY: "k", GEMINI_API_KEY: "k" }), [
      { name: "openai/gpt-6.1-terra", reason: "OPENAI_API_KEY is set" },
      { name: "google/gemini-3.8-flash", reason: "GEMINI_API_KEY is set" },
      { name: "offline/planner", reason: "no model is configured" }
    ])
    assert.includeMembers(
      [...Registry.secretNames],
      ["OPENAI_API_KEY", "ANTHROPIC_AUTH_TOKEN", "AWS_BEARER_TOKEN_BEDROCK", "AWS_SECRET_ACCESS_KEY"]
    )
  })

  it.effect("a named model has precedence over the configured one, also with slashes in its name", () =>
    Effect.gen(function* () {
      const environment = { OPENAI_COMPATIBLE_BASE_URL: local, OPENAI_API_KEY: "k" }
      for (const name of ["openai-compatible/meta/llama:8b", "openai/gpt-x", "offline/planner"]) {
        const choice = yield* choose(name, environment)
        assert.strictEqual(choice.name, name)
        assert.strictEqual(choice.reason, "it is set as the model")
      }
      assert.strictEqual((yield* choose("offline", environment)).name, "offline/planner")
    })
  )

  it.effect("an unknown provider is refused with a list of the known ones", () =>
    Effect.gen(function* () {
      for (const name of ["gpt-5", "acme/large", "/x"]) {
        const error = yield* Effect.flip(choose(name))
        assert.strictEqual(error.reason, "UnknownProvider")
        assert.include(error.message, name)
        assert.include(
          error.hint,
          "openai-compatible, anthropic, openai, openai-chat, google, openrouter, amazon-bedrock, ollama, offline"
        )
      }
      const other = yield* Effect.flip(choose("offline/genius"))
      assert.strictEqual(other.reason, "UnknownModel")
    })
  )

  it.effect("a named model without its key or address names the missing variable", () =>
    Effect.gen(function* () {
      const key = yield* Effect.flip(choose("openai/gpt-x"))
      assert.strictEqual(key.reason, "MissingKey")
      assert.include(key.hint, "OPENAI_API_KEY")
      for (const [name, variable] of [
        ["anthropic/x", "ANTHROPIC_API_KEY"],
        ["openai-chat/x", "OPENAI_API_KEY"],
        ["google/x", "GOOGLE_GENERATIVE_AI_API_KEY"],
        ["amazon-bedrock/x", "AWS_BEARER_TOKEN_BEDROCK"]
      ]) {
        const missing = yield* Effect.flip(choose(name))
        assert.strictEqual(missing.reason, "MissingKey")
        assert.include(missing.hint, variable)
      }
      const address = yield* Effect.flip(choose("openai-compatible/x"))
      assert.include(address.message, "no address is configured")
      assert.include(address.hint, "OPENAI_COMPATIBLE_BASE_URL")
      const publicServer = yield* Effect.flip(choose(null, { OPENAI_BASE_URL: "https://models.example/v1" }))
      assert.strictEqual(publicServer.reason, "MissingKey")
      assert.include(publicServer.hint, "OPENAI_COMPATIBLE_API_KEY")
    })
  )

  it.live("errors and the reason of the choice name the key of the file that sets the address or the key", () =>
    Effect.gen(function* () {
      const server = yield* ChatServer.start(
        ChatServer.inTurn([ChatServer.status(401, { error: { message: "bad key" } })])
      )
      const settingNames = {
        OPENAI_COMPATIBLE_BASE_URL: "providers.openai-compatible.baseUrl",
        OPENAI_COMPATIBLE_API_KEY: "providers.openai-compatible.apiKey"
      }
      const chosen = (baseUrl: string) =>
        Registry.choose({
          model: null,
          environment: { OPENAI_COMPATIBLE_BASE_URL: baseUrl, OPENAI_COMPATIBLE_API_KEY: "key-4711" },
          settingNames
        })
      const refused = yield* Effect.flip(chosen("nowhere"))
      assert.include(refused.hint, "set providers.openai-compatible.baseUrl to")
      const choice = yield* chosen(server.baseUrl)
      assert.strictEqual(choice.reason, "providers.openai-compatible.baseUrl is set")
      const unauthorized = yield* Effect.flip(Stream.runDrain(choice.model.stream(prompt("hi"))))
      assert.include(unauthorized.hint, "providers.openai-compatible.apiKey")
      assert.notInclude(unauthorized.hint, "OPENAI_COMPATIBLE")
    })
  )

  it.live("the chosen model answers from the configured server with the configured key, price and retries", () =>
    Effect.gen(function* () {
      const server = yield* ChatServer.start(
        ChatServer.inTurn([
          ChatServer.status(503, { error: { message: "starting" } }, { "retry-after": "0" }),
          ChatServer.events([
            ChatServer.delta({ content: "ok" }),
            ChatServer.delta({}, "stop"),
            ChatServer.usage(1_000_000, 1_000_000)
          ])
        ])
      )
      const choice = yield* Registry.choose({
        model: "openai-compatible/tiny",
        environment: { OPENAI_BASE_URL: server.baseUrl, OPENAI_COMPATIBLE_API_KEY: "first", OPENAI_API_KEY: "second" },
        prices: { "openai-compatible/tiny": { inputPerMillionUsd: 1, outputPerMillionUsd: 2 } },
        contextTokens: { "openai-compatible/tiny": 8192 }
      })
      assert.strictEqual(choice.model.contextTokens, 8192)
      const reply = yield* ask(choice.model, prompt("hi"))
      assert.strictEqual(text(reply), "ok")
      assert.strictEqual(end(reply)?.costUsd, 3)
      assert.deepStrictEqual(
        server.received.map(({ headers }) => headers.authorization),
        ["Bearer first", "Bearer first"]
      )
      assert.strictEqual(server.received[1].body.model, "tiny")
    })
  )
})
