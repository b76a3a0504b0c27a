/** Sends spans to a collector with the OTLP exporter of effect, over HTTP. */
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as Layer from "effect/Layer"
import * as OtlpSerialization from "effect/observability/OtlpSerialization"
import * as OtlpTracer from "effect/observability/OtlpTracer"
import * as Tracer from "effect/Tracer"
import * as ContentFreeSpan from "./ContentFreeSpan.ts"
import * as OtlpVariables from "./OtlpVariables.ts"
import type { SpanExportOptions } from "./SpanExportOptions.ts"

export const layer = ({ name, onNotice, variables, version }: SpanExportOptions): Layer.Layer<never> => {
  const read = OtlpVariables.read(variables, { name, version })
  return typeof read === "string" ? notExported(onNotice, read) : exporterLayer(read, onNotice)
}

const notExported = (onNotice: SpanExportOptions["onNotice"], reason: string): Layer.Layer<never> =>
  Layer.effectDiscard(Effect.sync(() => onNotice(`spans are not exported: ${reason}`)))

const exporterLayer = (
  { protocol, timeoutMillis, values }: OtlpVariables.OtlpVariables,
  onNotice: SpanExportOptions["onNotice"]
): Layer.Layer<never> => {
  const exporter = OtlpTracer.layerFromConfig().pipe(
    Layer.provide([
      client(timeoutMillis),
      protocol === "http/json" ? OtlpSerialization.layerJson : OtlpSerialization.layerProtobuf,
      ConfigProvider.layer(ConfigProvider.fromEnv({ env: values }))
    ])
  )
  const tracer = Layer.effect(Tracer.Tracer, Effect.map(Effect.tracer, ContentFreeSpan.make)).pipe(
    Layer.provide(exporter)
  )
  // Requests to model providers carry no trace id.
  return Layer.merge(tracer, Layer.succeed(HttpClient.TracerPropagationEnabled, false)).pipe(
    // The exporter's message about a variable may repeat its value.
    Layer.catchCause(() => notExported(onNotice, "a variable that begins with OTEL_ cannot be read"))
  )
}

/** A client that times out and follows no redirect, so that headers go only to the collector. */
const client = (timeoutMillis: number): Layer.Layer<HttpClient.HttpClient> =>
  Layer.effect(
    HttpClient.HttpClient,
    Effect.map(HttpClient.HttpClient, (client) =>
      HttpClient.make((request) =>
        Effect.timeoutOrElse(client.execute(request), {
          duration: timeoutMillis,
          orElse: () =>
            Effect.fail(
              new HttpClientError.HttpClientError({
                reason: new HttpClientError.TransportError({ request, description: "the collector did not answer" })
              })
            )
        })
      )
    )
  ).pipe(
    Layer.provide(FetchHttpClient.layer),
    Layer.provideMerge(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "error" }))
  )
