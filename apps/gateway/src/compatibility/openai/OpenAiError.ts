/** Errors in the shape of OpenAI's API. Its clients choose the class of the error that they throw by the status. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { RequestRefused } from "../RequestBody.ts"
import type { TurnRefused } from "../TurnRefused.ts"

export interface OpenAiError {
  readonly status: number
  readonly type:
    | "invalid_request_error"
    | "authentication_error"
    | "permission_error"
    | "not_found_error"
    | "rate_limit_error"
    | "server_error"
  readonly code: string
  readonly message: string
  readonly param: string | null
  /** The seconds after which the request may be repeated; absent: it would fail again. */
  readonly retryAfterSeconds?: number
}

/**
 * Official clients repeat a request after a status such as 409, 429 or 500. A repetition without a time to wait would
 * fail again, or run the turn again with all of its effects.
 */
const isFinal = ({ retryAfterSeconds, status }: OpenAiError): boolean =>
  retryAfterSeconds === undefined && (status === 409 || status === 429 || status >= 500)

export const body = ({ code, message, param, type }: OpenAiError) => ({ error: { message, type, param, code } })

export const toResponse = (error: OpenAiError): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(body(error), {
    status: error.status,
    headers: {
      ...(error.retryAfterSeconds === undefined ? {} : { "retry-after": String(error.retryAfterSeconds) }),
      ...(isFinal(error) ? { "x-should-retry": "false" } : {})
    }
  })

/** A parameter that is invalid, or that this server cannot honour. */
export const invalid = (param: string | null, message: string, code = "invalid_value"): OpenAiError => ({
  status: 400,
  type: "invalid_request_error",
  code,
  message,
  param
})

export const unsupported = (param: string, message: string): OpenAiError =>
  invalid(param, `unsupported parameter ${param}: ${message}`, "unsupported_parameter")

export const modelNotFound = (model: string): OpenAiError => ({
  status: 404,
  type: "invalid_request_error",
  code: "model_not_found",
  message: `the model ${JSON.stringify(model)} does not exist; GET /v1/models lists those that do`,
  param: "model"
})

export const notFound = (param: string | null, message: string): OpenAiError => ({
  status: 404,
  type: "not_found_error",
  code: "not_found",
  message,
  param
})

/** The error of a turn that failed after it had begun. */
export const fromTurn = (error: string, message: string): OpenAiError => ({
  status: 500,
  type: "server_error",
  code: error,
  message,
  param: null
})

/** The `Idempotency-Key` of the request was sent with another request before. */
export const keyReused: OpenAiError = {
  status: 409,
  type: "invalid_request_error",
  code: "idempotency_key_reused",
  message: "the Idempotency-Key was sent with another request",
  param: null
}

export const keyInProgress: OpenAiError = {
  status: 409,
  type: "invalid_request_error",
  code: "idempotency_in_progress",
  message: "the first request with this Idempotency-Key has not begun its turn: send it again later",
  param: null,
  retryAfterSeconds: 1
}

export type RequestError = OpenAiError | RequestRefused | TurnRefused

/** Returns the error of a request that was refused before its turn began. */
export const fromRaised = (raised: RequestError): OpenAiError => {
  if (!("_tag" in raised)) return raised
  const { message, reason } = raised
  switch (reason) {
    case "rate_limited":
      return {
        status: 429,
        type: "rate_limit_error",
        code: reason,
        message,
        param: null,
        retryAfterSeconds: raised.retryAfterSeconds ?? 5
      }
    case "too_many_streams":
      return { status: 429, type: "rate_limit_error", code: reason, message, param: null, retryAfterSeconds: 5 }
    case "quota_exceeded":
      return { status: 429, type: "rate_limit_error", code: "insufficient_quota", message, param: null }
    case "forbidden":
    case "unauthenticated":
      return { status: 401, type: "authentication_error", code: "invalid_api_key", message, param: null }
    case "scope_missing":
      return { status: 403, type: "permission_error", code: reason, message, param: null }
    case "invalid_json":
      return invalid(null, message, reason)
    case "unsupported_media_type":
      return { ...invalid(null, message, reason), status: 415 }
    case "payload_too_large":
      return { ...invalid(null, message, reason), status: 413 }
    case "not_found":
      return notFound(null, message)
    case "approval_not_found":
      return notFound("approval_request_id", message)
    case "unknown_agent":
      return invalid("model", message, reason)
    case "session_exists":
      return { ...invalid(null, message, reason), status: 409 }
    case "not_a_step_boundary":
      return invalid("previous_response_id", message, reason)
    case "session_busy":
      return { status: 503, type: "server_error", code: reason, message, param: null, retryAfterSeconds: 5 }
  }
}
