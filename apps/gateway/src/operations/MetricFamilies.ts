/** The metrics by subject, made from counts that are already read. Pure; no label contains a user, a session or a text. */
import type { StoreLoad } from "@bough/store-sqlite"
import type { ModelCallCount } from "./ModelCalls.ts"
import type * as PrometheusText from "./PrometheusText.ts"
import type { RequestCount } from "./RequestCounts.ts"

type Metrics = ReadonlyArray<PrometheusText.PrometheusMetric>

/** The recorded calls of one model. */
export interface ModelUsage {
  readonly model: string
  readonly calls: number
  readonly input: number
  readonly output: number
}

/** The recorded calls of one tool with one outcome. */
export interface ToolUsage {
  readonly tool: string
  readonly outcome: string
  readonly calls: number
  readonly millis: number
}

export const gauge = (name: string, help: string, value: number): PrometheusText.PrometheusMetric => ({
  name,
  help,
  type: "gauge",
  samples: [{ value }]
})

const counter = (
  name: string,
  help: string,
  samples: PrometheusText.PrometheusMetric["samples"]
): PrometheusText.PrometheusMetric => ({ name, help, type: "counter", samples })

export const requestMetrics = (requests: ReadonlyArray<Readonly<RequestCount>>): Metrics => {
  const counts = requests.map((one) => ({ ...one, labels: { method: one.method, status: String(one.status) } }))
  return [
    counter(
      "bough_http_requests_total",
      "Requests answered, by method and status",
      counts.map(({ count, labels }) => ({ labels, value: count }))
    ),
    counter(
      "bough_http_request_seconds_total",
      "Seconds from a request to the head of its response",
      counts.map(({ labels, seconds }) => ({ labels, value: seconds }))
    )
  ]
}

export const storeMetrics = (load: StoreLoad.StoreLoadCounts): Metrics => [
  gauge("bough_queue_depth", "Messages, decisions and commands that no session has taken yet", load.inboxRows),
  gauge("bough_store_writes_waiting", "Writes that wait for their transaction", load.waiting),
  counter("bough_store_writes_total", "Writes of the session store", [{ value: load.units }]),
  counter("bough_store_transactions_total", "Transactions that these writes shared", [{ value: load.transactions }]),
  counter("bough_sqlite_busy_seconds_total", "Seconds in which transactions held the session store", [
    { value: load.busySeconds }
  ]),
  counter("bough_sqlite_locked_total", "Transactions that found the store locked by another process", [
    { value: load.locked }
  ])
]

export const usageMetrics = (calls: ReadonlyArray<ModelUsage>, toolCalls: ReadonlyArray<ToolUsage>): Metrics => [
  counter(
    "bough_model_calls_total",
    "Recorded model calls, by model",
    calls.map(({ calls: value, model }) => ({ labels: { model }, value }))
  ),
  counter(
    "bough_model_tokens_total",
    "Tokens of model calls, by model and direction",
    calls.flatMap(({ input, model, output }) => [
      { labels: { model, direction: "input" }, value: input },
      { labels: { model, direction: "output" }, value: output }
    ])
  ),
  counter(
    "bough_tool_calls_total",
    "Recorded tool calls, by tool and outcome; without a tool: no code of a tool ran",
    toolCalls.map(({ calls: value, outcome, tool }) => ({ labels: { tool, outcome }, value }))
  ),
  counter(
    "bough_tool_seconds_total",
    "Seconds that tool calls took, by tool and outcome",
    toolCalls.map(({ millis, outcome, tool }) => ({ labels: { tool, outcome }, value: millis / 1000 }))
  )
]

export const modelMetrics = (counts: ReadonlyArray<Readonly<ModelCallCount>>): Metrics => [
  counter(
    "bough_model_seconds_total",
    "Seconds from the request of a model call to the end of its reply, by model",
    counts.map(({ model, seconds }) => ({ labels: { model }, value: seconds }))
  ),
  counter(
    "bough_model_replies_total",
    "Replies of models that ended in this process, by model",
    counts.map(({ ended, model }) => ({ labels: { model }, value: ended }))
  ),
  counter(
    "bough_model_first_piece_seconds_total",
    "Seconds from the request of a model call to the first piece of its reply, by model",
    counts.map(({ firstSeconds, model }) => ({ labels: { model }, value: firstSeconds }))
  ),
  {
    name: "bough_model_calls_running",
    help: "Model calls that run, by model",
    type: "gauge",
    samples: counts.map(({ model, running }) => ({ labels: { model }, value: running }))
  }
]
