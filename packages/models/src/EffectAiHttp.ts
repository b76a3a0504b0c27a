/**
 * HTTP clients for provider packages of effect/ai. The program chooses the client, and the packages buffer each line of
 * a stream until its end. Import it from `@bough/models/EffectAiHttp`.
 */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as LineLimit from "./LineLimit.ts"

/**
 * The client, with streamed answers that die if a line exceeds `LineLimit.longestLine`; the connection is then closed.
 */
export const boundLines = <E, R>(client: HttpClient.HttpClient.With<E, R>): HttpClient.HttpClient.With<E, R> =>
  HttpClient.transformResponse(client, Effect.map(boundBody))

/** The client below with `boundLines`, for example `Layer.provide(FetchHttpClient.layer)`. */
export const layer: Layer.Layer<HttpClient.HttpClient, never, HttpClient.HttpClient> = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(HttpClient.HttpClient, boundLines)
)

/** Bounds the lines of a response; all other members are unchanged. */
const boundBody = (response: HttpClientResponse.HttpClientResponse): HttpClientResponse.HttpClientResponse =>
  Object.create(response, {
    stream: {
      get: () =>
        Stream.suspend(() => {
          const line = LineLimit.counter()
          // Dies rather than fails: each package rewrites a client's failures, but passes defects on unchanged.
          return Stream.tap(response.stream, (chunk) => Effect.sync(() => line.bytes(chunk)))
        })
    }
  }) as HttpClientResponse.HttpClientResponse
