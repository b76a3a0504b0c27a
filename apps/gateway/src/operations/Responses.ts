/**
 * The outermost layer of every request: the drain, headers that every response has, and problems for requests that no
 * route answers.
 */
import { Problem } from "@bough/gateway-api"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as HttpServerError from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerRespondable from "effect/http/HttpServerRespondable"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Drain } from "./Drain.ts"
import * as FailuresLive from "./FailuresLive.ts"
import type { RequestCounts } from "./RequestCounts.ts"
import * as RouteNames from "./RouteNames.ts"

/** Headers of responses that are not pages: no script, no frame, no content sniffing, no cache. */
const headers = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "cross-origin-resource-policy": "same-origin"
}
const defaultHeaders = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'"
}

/** Makes the problem for a status without one. */
const problemOf = (status: number) => {
  switch (status) {
    case 400:
      return new Problem.InvalidRequest({})
    case 404:
      return new Problem.NotFound({})
    case 405:
      return new Problem.MethodNotAllowed({})
    case 413:
      return new Problem.PayloadTooLarge({})
    case 415:
      return new Problem.UnsupportedMediaType({ detail: "send application/json" })
    default:
      return null
  }
}

/** Responds to a request without a route: the API may have the path with other methods. */
const respondWithoutRoute = ({ method, url }: HttpServerRequest.HttpServerRequest) => {
  const methods = RouteNames.methodsFor(url)
  // The router finds no route for a part of a path that is longer than any id.
  if (methods.length === 0 || methods.includes(method))
    return HttpServerRespondable.toResponse(new Problem.NotFound({}))
  const allow = methods.join(", ")
  const problem = new Problem.MethodNotAllowed({ detail: `this path accepts ${allow}` })
  return Effect.map(HttpServerRespondable.toResponse(problem), HttpServerResponse.setHeader("allow", allow))
}

const isBare = (response: HttpServerResponse.HttpServerResponse): boolean => {
  const type = response.headers["content-type"]
  return response.body._tag === "Empty" || type === undefined || type.startsWith("text/plain")
}

const withHeaders = (response: HttpServerResponse.HttpServerResponse) => {
  const missing = Object.entries(defaultHeaders).filter(([name]) => response.headers[name] === undefined)
  return HttpServerResponse.setHeaders(response, { ...headers, ...Object.fromEntries(missing) })
}

/** The paths that stay open while the server drains, so that monitors see the drain. */
const openWhileDraining = new Set(["/health", "/ready"])

export const finish =
  (drain: Drain["Service"], requests: RequestCounts["Service"]) =>
  <E, R>(http: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const path = request.url.split("?")[0] ?? ""
      if (drain.isDraining() && !openWhileDraining.has(path)) {
        return yield* HttpServerRespondable.toResponse(drain.problem)
      }
      const response = yield* Effect.catchCause(http, (cause) => {
        if (Cause.hasInterruptsOnly(cause)) {
          return drain.isDraining()
            ? HttpServerRespondable.toResponse(drain.problem)
            : Effect.failCause(cause as Cause.Cause<never>)
        }
        const error = Cause.squash(cause)
        if (HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound") {
          return respondWithoutRoute(request)
        }
        return Effect.flatMap(HttpServerError.causeResponse(cause), ([found]) =>
          found.status < 500
            ? Effect.succeed(found)
            : Effect.flatMap(FailuresLive.fromCause(cause), HttpServerRespondable.toResponse)
        )
      })
      const problem = response.status >= 400 && isBare(response) ? problemOf(response.status) : null
      return problem === null ? response : yield* HttpServerRespondable.toResponse(problem)
    }).pipe(
      requests.count,
      Effect.map((response) =>
        withHeaders(
          (response.status === 503 || response.status === 429) && response.headers["retry-after"] === undefined
            ? HttpServerResponse.setHeader(response, "retry-after", "5")
            : response
        )
      )
    )
