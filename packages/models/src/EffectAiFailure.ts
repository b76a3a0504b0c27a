/**
 * Translates a failure of an effect/ai language model into the error of the model port. A server's response is
 * translated as for all other providers.
 */
import type { Model } from "@bough/runtime"
import type * as AiError from "effect/ai/AiError"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Failure from "./Failure.ts"

/**
 * True if a package ended the reply because it refuses a call: its tool was not declared, or its arguments are not
 * JSON. The call is passed on, and the dispatcher reports its fault. An incomplete call cannot run, because a partial
 * object is not JSON.
 */
export const isRefusal = (error: unknown): boolean =>
  error instanceof SyntaxError ||
  (isAiError(error) && ["ToolNotFoundError", "ToolParameterValidationError"].includes(error.reason._tag))

/** True for the errors by which packages report a connection that dropped after the answer had begun. */
export const isBreak = (error: unknown): boolean =>
  isAiError(error) && ["NetworkError", "InvalidOutputError"].includes(error.reason._tag)

const reasons: Readonly<Record<string, readonly [Model.ModelFailure, hint: string]>> = {
  NetworkError: ["Unreachable", "check the address and the network"],
  RateLimitError: ["RateLimited", "wait, or choose another model"],
  QuotaExhaustedError: ["Refused", "the account has no credit left: check its billing"],
  AuthenticationError: ["Refused", "check the key"],
  ContentPolicyError: ["Unsupported", "the provider does not take this content"],
  InvalidRequestError: ["Unsupported", "the provider does not take this request: try another model"],
  InvalidResponseError: ["BadResponse", "check that the server speaks this API; if it does, ask again"],
  InvalidOutputError: ["BadResponse", "ask again"]
}

export const fail = (provider: Failure.Provider, error: unknown): Effect.Effect<never, Model.ModelError> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.fail(failure(provider, error, now)))

const failure = (provider: Failure.Provider, error: unknown, nowMillis: number): Model.ModelError => {
  if (!isAiError(error)) return Failure.toModelError(provider, error, nowMillis)
  const answer = answerOf(error.reason)
  if (answer !== null) return Failure.toModelError(provider, answer, nowMillis)
  const [reason, hint] = reasons[error.reason._tag] ?? ["ServerFailed", "ask again"]
  return Failure.report(
    provider,
    { reason, hint, message: error.reason.message, retryable: error.isRetryable },
    error.retryAfter === undefined ? null : Duration.toMillis(error.retryAfter)
  )
}

/**
 * Returns the server's response if a package reports it, because responses have the same meaning for every provider.
 */
const answerOf = (reason: AiError.AiErrorReason) => {
  const http = "http" in reason ? reason.http : undefined
  if (http?.response === undefined) return null
  const { headers, status } = http.response
  return {
    statusCode: status,
    message: saidIn(http.body) ?? reason.message,
    responseBody: http.body,
    responseHeaders: Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []))
    )
  }
}

const Said = Schema.fromJsonString(Schema.Struct({ error: Schema.Struct({ message: Schema.String }) }))
const decodeSaid = Schema.decodeUnknownOption(Said)

/** The message of an error as most providers write it; null: it has another form. */
const saidIn = (body: string | undefined): string | null =>
  Option.match(decodeSaid(body), { onNone: () => null, onSome: ({ error }) => error.message })

const isAiError = (error: unknown): error is AiError.AiError =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "AiError"
