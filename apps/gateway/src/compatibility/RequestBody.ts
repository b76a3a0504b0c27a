/** Reads the principal and the JSON of a request, for protocols with their own form of errors. */
import { type Authorization, Limits } from "@bough/gateway-api"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpServerError from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { Principal } from "../accounts/Principal.ts"
import * as IdentifyRequest from "../auth/IdentifyRequest.ts"
import * as JsonBody from "../auth/JsonBody.ts"

export class RequestRefused extends Schema.TaggedError<RequestRefused>()("RequestRefused", {
  reason: Schema.Literals([
    "unauthenticated",
    "forbidden",
    "scope_missing",
    "rate_limited",
    "invalid_json",
    "unsupported_media_type",
    "payload_too_large"
  ]),
  message: Schema.String,
  retryAfterSeconds: Schema.NullOr(Schema.Natural)
}) {}

/** Identifies the principal of a request by any credential that it presents. */
export class Identity extends Context.Service<
  Identity,
  (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<Principal, RequestRefused>
>()("@bough/gateway/Identity") {}

const fromProblem = (problem: IdentifyRequest.Refusal): RequestRefused => {
  const message = problem.detail ?? problem.title
  switch (problem.status) {
    case 401:
      return new RequestRefused({ reason: "unauthenticated", message, retryAfterSeconds: null })
    case 403:
      return new RequestRefused({ reason: "forbidden", message, retryAfterSeconds: null })
    case 429:
      return new RequestRefused({ reason: "rate_limited", message, retryAfterSeconds: problem.retryAfterSeconds ?? 5 })
  }
}

export const layer = Layer.effect(
  Identity,
  Effect.map(
    IdentifyRequest.make,
    (identify) => (request: HttpServerRequest.HttpServerRequest) => Effect.mapError(identify(request), fromProblem)
  )
)

/** Returns the principal of the present request; fails if it lacks the scope. */
export const authenticate = Effect.fnUntraced(function* (scope: Authorization.Scope) {
  const identify = yield* Identity
  const principal = yield* identify(yield* HttpServerRequest.HttpServerRequest)
  if (principal.scopes.has(scope)) return principal
  const message = `this needs a token with the scope ${scope}`
  return yield* new RequestRefused({ reason: "scope_missing", message, retryAfterSeconds: null })
})

const invalid = (message: string) => new RequestRefused({ reason: "invalid_json", message, retryAfterSeconds: null })

const unreadable = ({ reason }: HttpServerError.HttpServerError) =>
  reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge"
    ? new RequestRefused({
        reason: "payload_too_large",
        message: `the body has more than ${Limits.limits.bodyBytes} bytes`,
        retryAfterSeconds: null
      })
    : invalid("the body is not JSON")

/** The body of the request as JSON. */
export const json = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  // Only bodies with a JSON media type were checked for ambiguities.
  if (!JsonBody.isDeclared(request)) {
    const message = "send application/json"
    return yield* new RequestRefused({ reason: "unsupported_media_type", message, retryAfterSeconds: null })
  }
  const fault = yield* Effect.mapError(JsonBody.findFault(request), unreadable)
  if (fault !== null) return yield* invalid(fault)
  return yield* Effect.mapError(request.json, unreadable)
})
