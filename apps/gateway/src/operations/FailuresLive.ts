/** Makes problems for failures without a route: requests that do not decode, a failing store, and bugs. */
import { Failures, Problem } from "@bough/gateway-api"
import { SessionStore } from "@bough/runtime"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { HttpApiSchemaError } from "effect/http-api/HttpApiError"
import * as HttpServerError from "effect/http/HttpServerError"
import * as HttpServerRespondable from "effect/http/HttpServerRespondable"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as SchemaIssue from "effect/SchemaIssue"
import type { unhandled } from "effect/Types"
import { randomBytes } from "node:crypto"
import * as DiskFull from "./DiskFull.ts"

const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1()

const pathSegment = (segment: unknown): string | number => {
  const key = typeof segment === "object" && segment !== null && "key" in segment ? segment.key : segment
  return typeof key === "number" ? key : String(key)
}

/** Describes the invalid part of a request; its values are not repeated. */
const invalid = ({ cause, kind }: HttpApiSchemaError): Problem.InvalidRequest =>
  new Problem.InvalidRequest({
    detail: "the request does not fit its schema",
    errors: formatIssues(cause.issue).issues.map(({ message, path = [] }) => ({
      path: [kind.toLowerCase(), ...path.map(pathSegment)],
      message
    }))
  })

/** Logs the cause under an id that the response contains. */
export const internalError = (cause: Cause.Cause<unknown>): Effect.Effect<Problem.InternalError> =>
  Effect.gen(function* () {
    const instance = `urn:bough:fault:${randomBytes(8).toString("hex")}`
    yield* Effect.logError("a request failed", cause).pipe(Effect.annotateLogs({ instance }))
    return new Problem.InternalError({ instance })
  })

const storeFailure = (cause: Cause.Cause<unknown>): string | null => {
  const error = Cause.squash(cause)
  if (DiskFull.isDiskFull(error)) return "the disk is full"
  return error instanceof SessionStore.StoreFailed ? "the store failed" : null
}

/** Returns the problem for a cause without a typed error. */
export const fromCause = (cause: Cause.Cause<unknown>): Effect.Effect<Problem.Unavailable | Problem.InternalError> => {
  const failure = storeFailure(cause)
  return failure === null
    ? internalError(cause)
    : Effect.as(
        Effect.logError(failure, cause),
        new Problem.Unavailable({ code: "store_unavailable", retryAfterSeconds: 5 })
      )
}

type PassedOn = unhandled | Problem.InvalidRequest | Problem.InternalError | Problem.Unavailable

export const layer: Layer.Layer<Failures.Failures> = Layer.succeed(
  Failures.Failures,
  Failures.Failures.of((http) =>
    Effect.catchCause(http, (cause): Effect.Effect<HttpServerResponse.HttpServerResponse, PassedOn> => {
      const failure = cause.reasons.find(Cause.isFailReason)?.error
      if (HttpApiSchemaError.is(failure)) {
        return failure.kind === "Body" || failure.kind === "ResponseHeaders"
          ? Effect.flatMap(internalError(cause), HttpServerRespondable.toResponse)
          : Effect.fail(invalid(failure))
      }
      if (failure !== undefined || Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
      // The outermost layer responds to a body that is too large or incomplete.
      if (HttpServerError.isHttpServerError(Cause.squash(cause))) return Effect.failCause(cause)
      return Effect.flatMap(fromCause(cause), (problem) => Effect.fail(problem))
    })
  )
)
