/** Tests of the messages to a user when a provider fails; a real server on loopback sends each failure. */
import { ask, calls, end, prompt, text } from "@bough/runtime/testing/ModelProbe"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Failure from "../src/Failure.ts"
import * as ChatServer from "./ChatServer.ts"
import { apiError, cases } from "./FailureCases.ts"
import { connect } from "./wire/Tiny.ts"

const { call, cutAfter, delta, events, status } = ChatServer

const askServer = (answer: ChatServer.Answer, key: string | null = null) =>
  Effect.gen(function* () {
    const server = yield* ChatServer.start(answer)
    return yield* ask(yield* connect(server.baseUrl, { key }), prompt("hi", ["read_file"]))
  }).pipe(Effect.scoped)

describe("Failure", () => {
  it.live.each(cases)("%s is one clear line with a fix", ([, answer, expected]) =>
    Effect.gen(function* () {
      const { error, parts } = yield* askServer(answer)
      assert.isNotNull(error)
      assert.strictEqual(error.reason, expected.reason)
      assert.strictEqual(error.retryable, expected.retryable)
      assert.match(error.message, expected.message)
      assert.match(error.hint, expected.hint)
      assert.strictEqual(error.retryAfterMillis, expected.retryAfterMillis ?? null)
      assert.strictEqual(error.model, "openai-compatible/tiny")
      assert.match(error.message, /^openai-compatible\/tiny: \S/)
      assert.notInclude(error.message + error.hint, "\n")
      assert.isFalse(parts.some((part) => part._tag === "End"))
    })
  )

  const inside = [call(0, { id: "a", name: "read_file", arguments: `{"path":` }), call(0, { arguments: `"x"` })]

  it.live.each([
    ["dropped", cutAfter(inside)],
    ["ended without a reason", events(inside)],
    ["dropped with arguments that already read as JSON", cutAfter([...inside, call(0, { arguments: "}" })])],
    ["ended with arguments that already read as JSON", events([...inside, call(0, { arguments: "}" })])]
  ] as ReadonlyArray<readonly [string, ChatServer.Answer]>)(
    "a call is never reported as complete when the stream %s inside it",
    ([, answer]) =>
      Effect.gen(function* () {
        const reply = yield* askServer(answer)
        assert.strictEqual(reply.error?.reason, "StreamCut")
        assert.include(reply.error?.message, "inside a call of read_file")
        assert.isUndefined(end(reply))
        assert.strictEqual(calls(reply)[0]?.name, "read_file")
      })
  )

  it.live("the part before the cut was passed on", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        text(yield* askServer(cutAfter([delta({ content: "Hel" }), delta({ content: "lo" })]))),
        "Hello"
      )
    })
  )

  it.live("a closed port names the address and the server to start", () =>
    Effect.gen(function* () {
      const baseUrl = yield* Effect.scoped(
        Effect.map(
          ChatServer.start(() => {}),
          (server) => server.baseUrl
        )
      )
      const { error } = yield* ask(yield* connect(baseUrl), prompt("hi"))
      assert.strictEqual(error?.reason, "Unreachable")
      assert.include(error?.message, `nothing listens at ${baseUrl}: connection refused`)
      assert.include(error?.hint, "OPENAI_COMPATIBLE_BASE_URL")
      assert.isTrue(error?.retryable)
    })
  )

  it.live("the key is never shown, even if the server repeats it", () =>
    Effect.gen(function* () {
      const { error } = yield* askServer(status(401, apiError("key sk-very-secret is wrong")), "sk-very-secret")
      assert.include(error?.message, "key [redacted] is wrong")
    })
  )

  it.live("a key that is a common word or letter does not hide parts of other words", () =>
    Effect.gen(function* () {
      const message = "unknown token: ask for another key, not local or locally"
      assert.include((yield* askServer(status(401, apiError(message)), "k")).error?.message, message)
      const { error } = yield* askServer(status(401, apiError(message)), "local")
      assert.include(error?.message, "not [redacted] or locally")
    })
  )

  it.effect("a public server without a key fails before a request is sent", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(connect("https://user:pass@models.example/v1?x=1"))
      assert.strictEqual(error.reason, "MissingKey")
      assert.strictEqual(error.message, "openai-compatible/tiny: no API key for https://models.example/v1")
      assert.include(error.hint, "OPENAI_COMPATIBLE_API_KEY")
    })
  )

  it.effect("a server of this machine or its network needs no key", () =>
    Effect.forEach(
      [
        "http://localhost:11434/v1",
        "http://[::1]:1/v1",
        "http://192.168.1.7/v1",
        "http://10.0.0.2:8080",
        "http://box.local/v1"
      ],
      (baseUrl) => connect(baseUrl)
    )
  )

  it.effect("an invalid base URL is refused with an example", () =>
    Effect.gen(function* () {
      for (const baseUrl of ["", "localhost:11434", "ftp://x/v1", "not a url"]) {
        const error = yield* Effect.flip(connect(baseUrl))
        assert.strictEqual(error.reason, "Unreachable")
        assert.include(error.hint, "http://127.0.0.1:11434/v1")
      }
    })
  )

  const provider: Failure.Provider = {
    model: "openai-compatible/tiny",
    baseUrl: "https://models.example/v1",
    keyName: "KEY",
    baseUrlName: "BASE_URL",
    secrets: []
  }
  const nested = (code: string) =>
    Object.assign(new Error("Cannot connect to API"), { cause: Object.assign(new Error(code), { code }) })

  it.each([
    ["ENOTFOUND", "the host of https://models.example/v1 is not known", true],
    ["EAI_AGAIN", "the host of https://models.example/v1 is not known", true],
    ["ETIMEDOUT", "did not answer in time", true],
    ["CERT_HAS_EXPIRED", "the certificate of https://models.example/v1 is not trusted", false]
  ] as const)("the network's %s names the unreachable host", (code, message, retryable) => {
    const error = Failure.toModelError(provider, nested(code), 0)
    assert.strictEqual(error.reason, "Unreachable")
    assert.include(error.message, message)
    assert.strictEqual(error.retryable, retryable)
  })

  it("a Retry-After date counts from now", () => {
    const error = Failure.toModelError(
      provider,
      { message: "slow", statusCode: 429, responseHeaders: { "retry-after": "Thu, 01 Jan 1970 00:00:30 GMT" } },
      10_000
    )
    assert.strictEqual(error.retryAfterMillis, 20_000)
  })

  it("a wait in the body is used if no header has one", () => {
    const responseBody = `{"error":{"details":[{"@type":"RetryInfo","retryDelay": "7.5s"}]}}`
    const slow = { message: "slow", statusCode: 429, responseBody }
    assert.strictEqual(Failure.toModelError(provider, slow, 0).retryAfterMillis, 7500)
    const both = { ...slow, responseHeaders: { "retry-after": "2" } }
    assert.strictEqual(Failure.toModelError(provider, both, 0).retryAfterMillis, 2000)
  })

  it.each([
    ["a string", "bad"],
    ["nothing", undefined],
    ["a cycle", Object.assign(new Error("round"), {})],
    ["fields of other types", { message: 7, statusCode: "x", code: {} }],
    ["a huge text", new Error(`a\nb ${"x".repeat(10_000)}`)]
  ])("%s as an error still makes one short line", (_, thrown) => {
    if (thrown instanceof Error && thrown.message === "round") Object.assign(thrown, { cause: thrown })
    const error = Failure.toModelError(provider, thrown, 0)
    assert.strictEqual(error.reason, "ServerFailed")
    assert.isBelow(error.message.length, 500)
    assert.notInclude(error.message, "\n")
  })
})
