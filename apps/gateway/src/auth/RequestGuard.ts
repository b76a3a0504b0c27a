/**
 * The checks that every request passes before a route sees it: the host and origin that it names, the rate of its
 * address, the type of its body. They apply on loopback too, because any page in a browser can send requests there.
 */
import { Problem } from "@bough/gateway-api"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerRespondable from "effect/http/HttpServerRespondable"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import type { AccessPolicy } from "./AccessPolicy.ts"
import * as AddressBucket from "./AddressBucket.ts"
import { isHostAllowed, isLoopback, isOriginAllowed } from "./AllowedHosts.ts"
import { openerPolicy, secureTransport } from "./PageHeaders.ts"
import { csrfHeader } from "./PresentedCredential.ts"

type Policy = AccessPolicy["Service"]
type Request = HttpServerRequest.HttpServerRequest

/** Allows health probes, which use the address of the machine; their responses only say that the server is running. */
const openPaths = new Set(["/health", "/ready"])

/** Bodies of other types can be sent by a form of any page without a preflight request. */
const bodyTypes = /^(?:application\/(?:[\w.+-]+\+)?json|application\/octet-stream|multipart\/form-data)\s*(?:;|$)/i

/** Returns the address under which limits count the request. */
export const addressOf = ({ remoteAddress }: Pick<Request, "remoteAddress">): string =>
  AddressBucket.fromAddress(Option.getOrElse(remoteAddress, () => ""))

const pathOf = ({ url }: Request): string => url.split("?", 1)[0]

/** Finds a body that another parser would decode differently than a route does. */
const isRecoded = ({ headers }: Request): boolean => {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(headers["content-type"] ?? "")?.[1] ?? "utf-8"
  const encoding = (headers["content-encoding"] ?? "identity").trim().toLowerCase()
  return !/^utf-?8$/i.test(charset) || encoding !== "identity"
}

const hasBody = ({ headers }: Request): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0

/** Finds the type of a body that is empty: `curl --data ""` and `fetch` with an empty text send one. */
const isBare = (request: Request): boolean =>
  !hasBody(request) && request.headers["content-type"] !== undefined && !bodyTypes.test(request.headers["content-type"])

const withoutBodyType = <A, E, R>(request: Request, http: Effect.Effect<A, E, R>) =>
  Effect.provideService(
    http,
    HttpServerRequest.HttpServerRequest,
    request.modify({ headers: Headers.remove(request.headers, "content-type") })
  )

/** Returns the reason why the request is answered without a route; null: it goes to a route. */
const refusal = (policy: Policy, request: Request, nowMillis: number) => {
  const { headers } = request
  if (!isHostAllowed(policy.allowed, headers["host"]) && !openPaths.has(pathOf(request)))
    return new Problem.Forbidden({
      code: "host_not_allowed",
      detail: "the gateway is not configured for this host; see publicUrl and allowedHosts"
    })
  if (!isOriginAllowed(policy.allowed, headers["origin"]))
    return new Problem.Forbidden({
      code: "origin_not_allowed",
      detail: "pages of this origin may not call the gateway"
    })
  const { isAllowed, retryAfterMillis } = policy.perAddress.take(addressOf(request), nowMillis)
  if (!isAllowed) return tooManyRequests(retryAfterMillis)
  if (hasBody(request) && !bodyTypes.test(headers["content-type"] ?? ""))
    return new Problem.UnsupportedMediaType({ detail: "send application/json" })
  if (hasBody(request) && isRecoded(request))
    return new Problem.UnsupportedMediaType({ detail: "send bodies as UTF-8, without a content encoding" })
  return null
}

/** Makes the problem for an exceeded rate. */
export const tooManyRequests = (retryAfterMillis: number) =>
  new Problem.TooManyRequests({
    code: "rate_limited",
    retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMillis / 1000))
  })

const exposed = ["retry-after", "ratelimit", "ratelimit-policy", "etag", "location"]

/** Answers preflights of configured origins and lets them read answers; cookies are never sent along. */
const forOtherPages = (policy: Policy) =>
  HttpMiddleware.cors({
    allowedOrigins: (origin) => policy.allowed.otherOrigins.has(origin),
    allowedMethods: ["GET", "POST", "PUT", "PATCH", "DELETE"],
    allowedHeaders: ["authorization", "content-type", "idempotency-key", "if-match", "last-event-id", csrfHeader],
    exposedHeaders: exposed,
    maxAge: 600
  })

export const make = (policy: Policy) => {
  const forwarded = HttpMiddleware.xForwardedHeaders({ trustedProxies: policy.trustedProxies })
  const withCors = forOtherPages(policy)
  const transport = policy.cookie.isSecure ? secureTransport : {}
  const isTrustworthy = policy.cookie.isSecure || isLoopback(new URL(policy.publicUrl).hostname.replace(/[[\]]/gu, ""))

  return <E, R>(http: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) => {
    const checked = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const refused = refusal(policy, request, yield* Clock.currentTimeMillis)
      if (refused !== null) return yield* answer(refused)
      const routed = isBare(request) ? withoutBodyType(request, http) : http
      const isOtherPage = policy.allowed.otherOrigins.has(request.headers["origin"] ?? "")
      return yield* isOtherPage ? withCors(routed) : routed
    })
    return Effect.map(forwarded(checked), (response) => {
      const complete = HttpServerResponse.setHeaders(response, transport)
      return isTrustworthy ? complete : HttpServerResponse.removeHeader(complete, openerPolicy)
    })
  }
}

/** Makes the response for a problem, with a header that gives the time of the next attempt. */
export const answer = (
  problem:
    | Problem.Forbidden
    | Problem.InvalidRequest
    | Problem.TooManyRequests
    | Problem.UnsupportedMediaType
    | Problem.Unauthenticated
): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.map(HttpServerRespondable.toResponse(problem), (response) =>
    "retryAfterSeconds" in problem && problem.retryAfterSeconds !== undefined
      ? HttpServerResponse.setHeader(response, "retry-after", String(problem.retryAfterSeconds))
      : response
  )
