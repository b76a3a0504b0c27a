/** Tests of what a person is told when a provider does not answer as it should; a real server on loopback says it all. */
import { Model } from "@bough/runtime"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Failure from "../src/Failure.ts"
import * as OpenAiCompatible from "../src/OpenAiCompatible.ts"
import { ask, calls, end, prompt, text } from "./Ask.ts"
import * as ChatServer from "./ChatServer.ts"

const { call, cutAfter, delta, events, status } = ChatServer

const connect = (baseUrl: string, key: string | null = null) =>
  OpenAiCompatible.make({
    name: "openai-compatible/tiny",
    model: "tiny",
    baseUrl,
    key,
    keyName: "OPENAI_COMPATIBLE_API_KEY",
    baseUrlName: "OPENAI_COMPATIBLE_BASE_URL",
    price: null,
    contextTokens: null
  })

const askServer = (answer: ChatServer.Answer, key: string | null = null) =>
  Effect.gen(function* () {
    const server = yield* ChatServer.start(answer)
    return yield* ask(yield* connect(server.baseUrl, key), prompt("hi", ["read_file"]))
  }).pipe(Effect.scoped)

const apiError = (message: string, code?: string) => ({ error: { message, type: "error", code } })

interface Expected {
  readonly reason: Model.ModelFailure
  readonly retryable: boolean
  readonly message: RegExp
  readonly hint: RegExp
  readonly retryAfterMillis?: number
}

const page = "<!doctype html><html><body><h1>Welcome</h1></body></html>"

const cases: ReadonlyArray<readonly [what: string, answer: ChatServer.Answer, expected: Expected]> = [
  [
    "a wrong key",
    status(401, apiError("Incorrect API key provided")),
    {
      reason: "Refused",
      retryable: false,
      message: /answered 401: Incorrect API key provided/,
      hint: /OPENAI_COMPATIBLE_API_KEY/
    }
  ],
  [
    "a key without permission",
    status(403, apiError("not yours")),
    {
      reason: "Refused",
      retryable: false,
      message: /403: not yours/,
      hint: /OPENAI_COMPATIBLE_API_KEY/
    }
  ],
  [
    "an account without money",
    status(429, apiError("You exceeded your current quota", "insufficient_quota")),
    {
      reason: "Refused",
      retryable: false,
      message: /429/,
      hint: /billing/
    }
  ],
  [
    "an unknown model",
    status(404, apiError("model 'tiny' not found")),
    {
      reason: "UnknownModel",
      retryable: false,
      message: /404: model 'tiny' not found/,
      hint: /model's name/
    }
  ],
  [
    "too many requests, with the wait in seconds",
    status(429, apiError("slow down"), { "retry-after": "7" }),
    {
      reason: "RateLimited",
      retryable: true,
      message: /429: slow down/,
      hint: /wait/,
      retryAfterMillis: 7000
    }
  ],
  [
    "too many requests, with the wait in milliseconds",
    status(429, apiError("slow"), { "retry-after-ms": "250" }),
    {
      reason: "RateLimited",
      retryable: true,
      message: /429/,
      hint: /wait/,
      retryAfterMillis: 250
    }
  ],
  [
    "a server that fails",
    status(500, apiError("boom")),
    {
      reason: "ServerFailed",
      retryable: true,
      message: /500: boom/,
      hint: /later/
    }
  ],
  [
    "a server that fails with a web page",
    status(502, page),
    {
      reason: "ServerFailed",
      retryable: true,
      message: /502: a web page/,
      hint: /later/
    }
  ],
  [
    "a context that is too long",
    status(400, apiError("This model's maximum context length is 8192 tokens", "context_length_exceeded")),
    {
      reason: "TooLong",
      retryable: false,
      message: /does not fit.*8192/,
      hint: /new session/
    }
  ],
  [
    "a request that it does not take",
    status(400, apiError("tools are not supported")),
    {
      reason: "Unsupported",
      retryable: false,
      message: /400: tools are not supported/,
      hint: /another model/
    }
  ],
  [
    "a redirect",
    status(301, "", { location: "https://example.test/v1" }),
    {
      reason: "BadResponse",
      retryable: false,
      message: /redirects to https:\/\/example\.test\/v1/,
      hint: /OPENAI_COMPATIBLE_BASE_URL/
    }
  ],
  [
    "a web page instead of an answer",
    status(200, page),
    {
      reason: "BadResponse",
      retryable: false,
      message: /a web page instead of a stream/,
      hint: /OPENAI_COMPATIBLE_BASE_URL/
    }
  ],
  [
    "a web page that says there is nothing",
    status(404, page),
    {
      reason: "BadResponse",
      retryable: false,
      message: /a web page/,
      hint: /OPENAI_COMPATIBLE_BASE_URL/
    }
  ],
  [
    "JSON instead of a stream",
    status(200, { choices: [{ message: { content: "hi" } }] }),
    {
      reason: "BadResponse",
      retryable: false,
      message: /application\/json instead of a stream/,
      hint: /OPENAI_COMPATIBLE_BASE_URL/
    }
  ],
  [
    "garbage in the stream",
    events(["data: {{{{\n\n"]),
    {
      reason: "BadResponse",
      retryable: false,
      message: /does not read as a chat completion/,
      hint: /API/
    }
  ],
  [
    "JSON of another shape in the stream",
    events([{ hello: "world" }]),
    {
      reason: "BadResponse",
      retryable: false,
      message: /does not read as a chat completion/,
      hint: /API/
    }
  ],
  [
    "an error inside the stream",
    events([delta({ content: "a" }), apiError("engine overloaded")]),
    {
      reason: "ServerFailed",
      retryable: true,
      message: /engine overloaded/,
      hint: /again/
    }
  ],
  [
    "a rate limit inside the stream",
    events([apiError("Rate limit reached")]),
    {
      reason: "RateLimited",
      retryable: true,
      message: /Rate limit reached/,
      hint: /wait/
    }
  ],
  [
    "a stream without any event",
    events([]),
    {
      reason: "StreamCut",
      retryable: true,
      message: /stopped in the middle/,
      hint: /again/
    }
  ],
  [
    "a connection dropped in text",
    cutAfter([delta({ content: "Hel" })]),
    {
      reason: "StreamCut",
      retryable: true,
      message: /stopped in the middle/,
      hint: /nothing of the cut answer was run/
    }
  ],
  [
    "a stream that ends in text without a reason",
    events([delta({ content: "Hel" })]),
    {
      reason: "StreamCut",
      retryable: true,
      message: /stopped in the middle/,
      hint: /nothing of the cut answer was run/
    }
  ],
  [
    "a connection dropped before the answer",
    (response) => response.socket!.destroy(),
    {
      reason: "Unreachable",
      retryable: true,
      message: /closed the connection/,
      hint: /again/
    }
  ]
]

describe("Failure", () => {
  it.live.each(cases)("%s is one clear line with what to do", ([, answer, expected]) =>
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

  it.live("what came before the cut was handed on", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        text(yield* askServer(cutAfter([delta({ content: "Hel" }), delta({ content: "lo" })]))),
        "Hello"
      )
    })
  )

  it.live("a closed port names the address and what to start", () =>
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

  it.live("the key never shows, also when the server repeats it", () =>
    Effect.gen(function* () {
      const { error } = yield* askServer(status(401, apiError("key sk-very-secret is wrong")), "sk-very-secret")
      assert.include(error?.message, "key [redacted] is wrong")
    })
  )

  it.effect("a public server without a key fails before anything is sent", () =>
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

  it.effect("a base URL that is none is refused with an example", () =>
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
  ] as const)("the network's %s says what cannot be reached", (code, message, retryable) => {
    const error = Failure.of(provider, nested(code), 0)
    assert.strictEqual(error.reason, "Unreachable")
    assert.include(error.message, message)
    assert.strictEqual(error.retryable, retryable)
  })

  it("a Retry-After date counts from now", () => {
    const error = Failure.of(
      provider,
      { message: "slow", statusCode: 429, responseHeaders: { "retry-after": "Thu, 01 Jan 1970 00:00:30 GMT" } },
      10_000
    )
    assert.strictEqual(error.retryAfterMillis, 20_000)
  })

  it.each([
    ["a string", "bad"],
    ["nothing", undefined],
    ["a cycle", Object.assign(new Error("round"), {})],
    ["fields of other types", { message: 7, statusCode: "x", code: {} }],
    ["a huge text", new Error(`a\nb ${"x".repeat(10_000)}`)]
  ])("%s as an error still makes one short line", (_, thrown) => {
    if (thrown instanceof Error && thrown.message === "round") Object.assign(thrown, { cause: thrown })
    const error = Failure.of(provider, thrown, 0)
    assert.strictEqual(error.reason, "ServerFailed")
    assert.isBelow(error.message.length, 500)
    assert.notInclude(error.message, "\n")
  })
})
