/** Counts of the requests that this process answered, by method and status, with the time that they took. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"

export interface RequestCount {
  readonly method: string
  readonly status: number
  count: number
  seconds: number
}

type Http<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

export class RequestCounts extends Context.Service<
  RequestCounts,
  {
    /** Counts a request once it is answered; a stream is counted when it begins. */
    readonly count: <E, R>(http: Http<E, R>) => Http<E, R | HttpServerRequest.HttpServerRequest>
    readonly counts: () => ReadonlyArray<Readonly<RequestCount>>
  }
>()("@bough/gateway/RequestCounts") {}

export const layer: Layer.Layer<RequestCounts> = Layer.sync(RequestCounts, () => {
  const counts = new Map<string, RequestCount>()
  return {
    count: (http) =>
      Effect.gen(function* () {
        const { method } = yield* HttpServerRequest.HttpServerRequest
        const startedAt = yield* Clock.currentTimeMillis
        const response = yield* http
        const key = `${method} ${response.status}`
        const found = counts.get(key) ?? { method, status: response.status, count: 0, seconds: 0 }
        found.count += 1
        found.seconds += ((yield* Clock.currentTimeMillis) - startedAt) / 1000
        counts.set(key, found)
        return response
      }),
    counts: () => Array.from(counts.values())
  }
})
