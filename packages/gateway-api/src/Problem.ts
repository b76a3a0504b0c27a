/**
 * Errors of the API as RFC 9457 problems. `code` is stable, for programs; `detail` is for users. A problem reveals no
 * internals of the server: no path, no stack, no SQL.
 */
import * as Effect from "effect/Effect"
import * as HttpApiError from "effect/http-api/HttpApiError"
import * as Schema from "effect/Schema"

const type = "about:blank"

/** The codes of temporary problems. All others last until the request or the account changes. */
const passing: ReadonlySet<string> = new Set([
  "session_busy",
  "idempotency_in_progress",
  "rate_limited",
  "draining",
  "store_unavailable",
  "provider_unavailable"
])

/**
 * True if the same request can succeed after a pause. A quota recovers by itself only if its problem contains the time;
 * other quotas recover when something is deleted or ends.
 */
export const isRecoverable = (problem: { readonly code?: string; readonly retryAfterSeconds?: number }): boolean =>
  (problem.code !== undefined && passing.has(problem.code)) || problem.retryAfterSeconds !== undefined

const fields = {
  /** Derived from the others: the same request can succeed after a pause. */
  recoverable: Schema.Boolean.pipe(Schema.withConstructorDefault(Effect.succeed(false)))
}

type ProblemFields = Parameters<typeof isRecoverable>[0]

/** Sets `recoverable` when a problem is made or decoded. */
const deriveProblem = <Class>(base: Class): Class => {
  const Base = base as new (fields: ProblemFields, ...more: ReadonlyArray<unknown>) => object
  return class extends Base {
    constructor(fields: ProblemFields = {}, ...more: ReadonlyArray<unknown>) {
      const problemFields = { ...fields, recoverable: isRecoverable(fields) }
      super(problemFields, ...more)
    }
  } as Class
}

/** The request does not fit its schema; `errors` names the invalid fields. */
export class InvalidRequest extends deriveProblem(
  HttpApiError.Problem<InvalidRequest>()(
    "InvalidRequest",
    { type, status: 400, title: "Bad Request" },
    {
      ...fields,
      code: Schema.tag("invalid_request"),
      errors: Schema.optionalKey(Schema.Array(HttpApiError.ProblemIssue))
    }
  )
) {}

/** The token is missing, unknown, expired or revoked; the response is the same in all of these cases. */
export class Unauthenticated extends deriveProblem(
  HttpApiError.Problem<Unauthenticated>()(
    "Unauthenticated",
    { type, status: 401, title: "Unauthorized" },
    { ...fields, code: Schema.tag("unauthenticated") }
  )
) {}

/**
 * The token lacks a scope, or the request comes from an origin that is not allowed. The owner of a resource never
 * causes this problem.
 */
export class Forbidden extends deriveProblem(
  HttpApiError.Problem<Forbidden>()(
    "Forbidden",
    { type, status: 403, title: "Forbidden" },
    {
      ...fields,
      code: Schema.Literals(["scope_missing", "csrf_failed", "origin_not_allowed", "host_not_allowed", "operator_only"])
    }
  )
) {}

/** The resource does not exist, or belongs to another user; the response is the same in both cases. */
export class NotFound extends deriveProblem(
  HttpApiError.Problem<NotFound>()(
    "NotFound",
    { type, status: 404, title: "Not Found" },
    { ...fields, code: Schema.tag("not_found") }
  )
) {}

export class MethodNotAllowed extends deriveProblem(
  HttpApiError.Problem<MethodNotAllowed>()(
    "MethodNotAllowed",
    { type, status: 405, title: "Method Not Allowed" },
    { ...fields, code: Schema.tag("method_not_allowed") }
  )
) {}

/** The state of the resource does not allow the request now. */
export class Conflict extends deriveProblem(
  HttpApiError.Problem<Conflict>()(
    "Conflict",
    { type, status: 409, title: "Conflict" },
    {
      ...fields,
      code: Schema.Literals([
        "session_busy",
        "not_a_main_session",
        "approval_closed",
        "account_exists",
        "own_tenant",
        "workspace_in_use",
        "idempotency_key_reused",
        "idempotency_in_progress"
      ])
    }
  )
) {}

/** The resource was changed since the ETag of `If-Match` was read. */
export class PreconditionFailed extends deriveProblem(
  HttpApiError.Problem<PreconditionFailed>()(
    "PreconditionFailed",
    { type, status: 412, title: "Precondition Failed" },
    { ...fields, code: Schema.tag("etag_mismatch") }
  )
) {}

export class PayloadTooLarge extends deriveProblem(
  HttpApiError.Problem<PayloadTooLarge>()(
    "PayloadTooLarge",
    { type, status: 413, title: "Content Too Large" },
    { ...fields, code: Schema.tag("payload_too_large") }
  )
) {}

export class UnsupportedMediaType extends deriveProblem(
  HttpApiError.Problem<UnsupportedMediaType>()(
    "UnsupportedMediaType",
    { type, status: 415, title: "Unsupported Media Type" },
    { ...fields, code: Schema.tag("unsupported_media_type") }
  )
) {}

/** The request fits its schema, but cannot be performed on this resource. */
export class Unprocessable extends deriveProblem(
  HttpApiError.Problem<Unprocessable>()(
    "Unprocessable",
    { type, status: 422, title: "Unprocessable Content" },
    {
      ...fields,
      code: Schema.Literals([
        "not_a_step_boundary",
        "no_rule_offered",
        "unknown_agent",
        "unknown_model",
        "invalid_name",
        "scope_not_held",
        "no_provider",
        "invalid_media",
        "invalid_archive",
        "archive_too_large",
        "attachment_refused",
        "webhook_url_refused"
      ])
    }
  )
) {}

/** Too many requests of this token or address, or a quota of the tenant is used up. */
export class TooManyRequests extends deriveProblem(
  HttpApiError.Problem<TooManyRequests>()(
    "TooManyRequests",
    { type, status: 429, title: "Too Many Requests" },
    {
      ...fields,
      code: Schema.Literals(["rate_limited", "quota_exceeded"]),
      /** The quota that is used up. */
      quota: Schema.optionalKey(Schema.String),
      retryAfterSeconds: Schema.optionalKey(Schema.Natural)
    }
  )
) {}

/** A fault of the server. `instance` identifies the line in its log. */
export class InternalError extends deriveProblem(
  HttpApiError.Problem<InternalError>()(
    "InternalError",
    { type, status: 500, title: "Internal Server Error" },
    { ...fields, code: Schema.tag("internal_error") }
  )
) {}

/** The server is ending, or its store cannot be used now: retry after `retryAfterSeconds`. */
export class Unavailable extends deriveProblem(
  HttpApiError.Problem<Unavailable>()(
    "Unavailable",
    { type, status: 503, title: "Service Unavailable" },
    {
      ...fields,
      code: Schema.Literals(["draining", "store_unavailable", "provider_unavailable"]),
      retryAfterSeconds: Schema.Natural
    }
  )
) {}

/** All problems that a route may return. */
export const all = [
  InvalidRequest,
  Unauthenticated,
  Forbidden,
  NotFound,
  MethodNotAllowed,
  Conflict,
  PreconditionFailed,
  PayloadTooLarge,
  UnsupportedMediaType,
  Unprocessable,
  TooManyRequests,
  InternalError,
  Unavailable
] as const
