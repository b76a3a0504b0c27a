/** Failing answers of a server, and the message to the user for each. */
import type { Model } from "@bough/runtime"
import * as ChatServer from "./ChatServer.ts"

const { cutAfter, delta, events, status } = ChatServer

/** An error as these servers write it. */
export const apiError = (message: string, code?: string) => ({ error: { message, type: "error", code } })

export interface Expected {
  readonly reason: Model.ModelFailure
  readonly retryable: boolean
  readonly message: RegExp
  readonly hint: RegExp
  readonly retryAfterMillis?: number
}

const page = "<!doctype html><html><body><h1>Welcome</h1></body></html>"

/** Every failure, by its name for users. */
export const cases: ReadonlyArray<readonly [what: string, answer: ChatServer.Answer, expected: Expected]> = [
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
      message: /does not follow its API/,
      hint: /API/
    }
  ],
  [
    "JSON of another shape in the stream",
    events([{ hello: "world" }]),
    {
      reason: "BadResponse",
      retryable: false,
      message: /does not follow its API/,
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
      message: /the response was cut off/,
      hint: /nothing in it was executed/
    }
  ],
  [
    "a connection dropped in text",
    cutAfter([delta({ content: "Hel" })]),
    {
      reason: "StreamCut",
      retryable: true,
      message: /the response was cut off/,
      hint: /nothing in it was executed/
    }
  ],
  [
    "a stream that ends in text without a reason",
    events([delta({ content: "Hel" })]),
    {
      reason: "StreamCut",
      retryable: true,
      message: /the response was cut off/,
      hint: /nothing in it was executed/
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
