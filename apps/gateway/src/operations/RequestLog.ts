/** Writes a log line and a span for every request: user, route, result and duration; no content. */
import { Trace } from "@bough/dispatch"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { randomBytes } from "node:crypto"
import * as JsonLog from "./JsonLog.ts"
import * as RouteNames from "./RouteNames.ts"

/** The facts of a request that only inner layers know. */
export interface RequestFacts {
  user: string | null
}

export const CurrentFacts = Context.Reference<RequestFacts>("@bough/gateway/RequestFacts", {
  defaultValue: () => ({ user: null })
})

/** Wraps a server; the header `x-request-id` of a response contains the id of its log line. */
export const record = <E, R>(
  http: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | HttpServerRequest.HttpServerRequest> =>
  Effect.gen(function* () {
    const { method, url } = yield* HttpServerRequest.HttpServerRequest
    const facts: RequestFacts = { user: null }
    const requestId = randomBytes(8).toString("hex")
    const route = RouteNames.fromRequest(method, url)
    const sessionId = RouteNames.sessionIn(url)
    const startedAt = yield* Clock.currentTimeMillis
    const isTraced = yield* Trace.isOn
    const named = { requestId, method, route, ...(sessionId === null ? {} : { sessionId }) }
    const attributes = { "bough.request.id": requestId, "bough.http.method": method, "bough.http.route": route }
    const answered = Effect.tap(http, ({ status }) => Trace.annotate(isTraced, () => ({ "bough.http.status": status })))
    const response = yield* Trace.span(answered, "Gateway.request", {
      isTraced,
      kind: "server",
      attributes: () => (sessionId === null ? attributes : { ...attributes, "gen_ai.conversation.id": sessionId })
    }).pipe(Effect.provideService(CurrentFacts, facts), Effect.annotateLogs({ requestId }))
    if (yield* JsonLog.LogsRequests) {
      const ms = Math.round((yield* Clock.currentTimeMillis) - startedAt)
      const { status } = response
      const line = { ...named, status, ms, ...(facts.user === null ? {} : { user: facts.user }) }
      yield* Effect.annotateLogs(status >= 500 ? Effect.logError("request") : Effect.logInfo("request"), line)
    }
    return HttpServerResponse.setHeader(response, "x-request-id", requestId)
  })
