/**
 * Export of the spans of sessions to an OpenTelemetry collector, switched on by the operator's variables. The exporter
 * is loaded only then. adr/0073-spans-by-otlp.md gives the reasons and the content of spans.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SpanExportOptions } from "./SpanExportOptions.ts"

const endpoints = ["BOUGH_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"]

/** True if the variables name a collector and do not switch tracing off. An empty variable counts as unset. */
export const isOn = (variables: SpanExportOptions["variables"]): boolean =>
  endpoints.some((name) => isSet(variables[name])) &&
  variables["OTEL_SDK_DISABLED"]?.trim().toLowerCase() !== "true" &&
  variables["OTEL_TRACES_EXPORTER"]?.trim().toLowerCase() !== "none"

const isSet = (value: string | undefined): boolean => value !== undefined && value.trim() !== ""

/**
 * Sets the tracer of the effects inside. When its scope closes, it sends the last spans, for at most a second unless
 * `OTEL_EXPORTER_OTLP_TIMEOUT` says otherwise. A collector that fails or hangs delays no other work.
 */
export const layer = (options: SpanExportOptions): Layer.Layer<never> =>
  isOn(options.variables)
    ? Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("./OtlpSpans.ts")),
          (exporter) => exporter.layer(options)
        )
      )
    : Layer.empty
