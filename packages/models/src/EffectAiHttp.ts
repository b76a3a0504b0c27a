/**
 * HTTP clients for provider packages of effect/ai. Their replies come through a client that the program chooses, and
 * those packages hold a line of a stream until it ends. Import it from `@bough/models/EffectAiHttp`.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as LineLimit from "./LineLimit.ts"

/**
 * The client, with streamed answers that die if a line exceeds `LineLimit.longestLine`; the connection is then closed.
 */
export const boundLines = <E, R>(client: HttpClient.HttpClient.With<E, R>): HttpClient.HttpClient.With<E, R> =>
  HttpClient.transformResponse(client, Effect.map(bounded))

/** `boundLines` of the client beneath: `Layer.provide(FetchHttpClient.layer)`, for one. */
export const layer: Layer.Layer<HttpClient.HttpClient, never, HttpClient.HttpClient> = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(HttpClient.HttpClient, boundLines)
)

/** All other members are those of the answer. */
const bounded = (response: HttpClientResponse.HttpClientResponse): HttpClientResponse.HttpClientResponse =>
  Object.create(response, {
    stream: {
      get: () =>
        Stream.suspend(() => {
          const line = LineLimit.counter()
          // Dies rather than fails: each package rewords a client's failures, but passes defects through unchanged.
          return Stream.tap(response.stream, (chunk) => Effect.sync(() => line.bytes(chunk)))
        })
    }
  }) as HttpClientResponse.HttpClientResponse
