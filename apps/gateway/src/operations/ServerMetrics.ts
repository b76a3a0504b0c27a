/** The metrics of the server, read on request. No label contains a user, a session or a text. */
import { Host, SessionStore } from "@bough/runtime"
import { StoreLoad } from "@bough/store-sqlite"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { statSync } from "node:fs"
import { join } from "node:path"
import { EventStreams } from "../events/EventStreams.ts"
import { OpenStreams } from "../events/OpenStreams.ts"
import * as PrometheusText from "./PrometheusText.ts"
import { ModelCalls } from "./ModelCalls.ts"
import { RequestCounts } from "./RequestCounts.ts"

/** The size of a database's files: the main file and the write-ahead log. */
const databaseFiles = (name: string, path: string) =>
  [
    [name, "main", path],
    [name, "wal", `${path}-wal`]
  ] as const

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

interface ModelUsage {
  readonly model: string
  readonly calls: number
  readonly input: number
  readonly output: number
}

interface ToolUsage {
  readonly tool: string
  readonly outcome: string
  readonly calls: number
  readonly millis: number
}

const gauge = (name: string, help: string, value: number): PrometheusText.PrometheusMetric => ({
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

/** The folder whose databases are measured. */
export class DataDirectory extends Context.Service<DataDirectory, string>()("@bough/gateway/DataDirectory") {}

/** Makes the effect that reads all metrics. */
export const collect = Effect.gen(function* () {
  const modelCalls = yield* ModelCalls
  const dataDirectory = yield* DataDirectory
  const requests = yield* RequestCounts
  const streams = yield* EventStreams
  const openStreams = yield* OpenStreams
  const host = yield* Host.Host
  const store = yield* SessionStore.SessionStore
  const sql = yield* SqlClient.SqlClient
  const storeLoad = yield* StoreLoad.StoreLoad

  return Effect.gen(function* () {
    const work = yield* store.work
    const waiting = yield* store.pendingApprovals(null)
    const calls = yield* sql<ModelUsage>`
      SELECT model, count(*) AS calls, sum(input_tokens) AS input, sum(output_tokens) AS output
      FROM model_calls GROUP BY model ORDER BY model`
    const toolCalls = yield* sql<ToolUsage>`
      SELECT tool, outcome, count(*) AS calls, sum(elapsed_millis) AS millis
      FROM tool_calls GROUP BY tool, outcome ORDER BY tool, outcome`
    const counts = requests.counts().map((one) => ({
      ...one,
      labels: { method: one.method, status: String(one.status) }
    }))
    const memory = process.memoryUsage()
    const [waitingMessages] = yield* sql<{ readonly count: number }>`
      SELECT count(*) AS count FROM webhook_deliveries WHERE state = 'pending'`
    const pending = waitingMessages?.count ?? 0
    const load = yield* storeLoad.read
    return PrometheusText.format([
      counter(
        "bough_http_requests_total",
        "Requests answered, by method and status",
        counts.map(({ count, labels }) => ({ labels, value: count }))
      ),
      counter(
        "bough_http_request_seconds_total",
        "Seconds from a request to the head of its response",
        counts.map(({ labels, seconds }) => ({ labels, value: seconds }))
      ),
      gauge("bough_event_streams", "Event streams that are open", openStreams.count()),
      gauge(
        "bough_event_lag_seconds",
        "Age of the oldest event that the slowest reader of a stream has not received",
        streams.lagMillis() / 1000
      ),
      gauge("bough_queue_depth", "Messages, decisions and commands that no session has taken yet", load.inboxRows),
      gauge("bough_store_writes_waiting", "Writes that wait for their transaction", load.waiting),
      counter("bough_store_writes_total", "Writes of the session store", [{ value: load.units }]),
      counter("bough_store_transactions_total", "Transactions that these writes shared", [
        { value: load.transactions }
      ]),
      counter("bough_sqlite_busy_seconds_total", "Seconds in which transactions held the session store", [
        { value: load.busySeconds }
      ]),
      counter("bough_sqlite_locked_total", "Transactions that found the store locked by another process", [
        { value: load.locked }
      ]),
      gauge("bough_sessions_loaded", "Sessions that are loaded", yield* host.loaded),
      gauge("bough_sessions_dormant", "Sessions of which only the lease is in memory", yield* host.dormant),
      gauge("bough_trees_with_work", "Session trees with pending work", work.length),
      gauge("bough_approvals_waiting", "Approvals that wait for a decision", waiting.length),
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
      ),
      counter(
        "bough_model_seconds_total",
        "Seconds from the request of a model call to the end of its reply, by model",
        modelCalls.counts().map(({ model, seconds }) => ({ labels: { model }, value: seconds }))
      ),
      counter(
        "bough_model_replies_total",
        "Replies of models that ended in this process, by model",
        modelCalls.counts().map(({ ended, model }) => ({ labels: { model }, value: ended }))
      ),
      counter(
        "bough_model_first_piece_seconds_total",
        "Seconds from the request of a model call to the first piece of its reply, by model",
        modelCalls.counts().map(({ firstSeconds, model }) => ({ labels: { model }, value: firstSeconds }))
      ),
      {
        name: "bough_model_calls_running",
        help: "Model calls that run, by model",
        type: "gauge",
        samples: modelCalls.counts().map(({ model, running }) => ({ labels: { model }, value: running }))
      },
      gauge("bough_webhook_messages_pending", "Messages that wait to be sent to webhooks", pending),
      {
        name: "bough_sqlite_bytes",
        help: "Bytes of the databases' files, by database and file",
        type: "gauge",
        samples: [
          ...databaseFiles("sessions", join(dataDirectory, "sessions", "bough.db")),
          ...databaseFiles("gateway", join(dataDirectory, "gateway.db"))
        ].map(([database, file, path]) => ({ labels: { database, file }, value: sizeOf(path) }))
      },
      gauge("process_resident_memory_bytes", "Resident memory of the process", memory.rss),
      gauge("nodejs_heap_used_bytes", "JavaScript heap that is used", memory.heapUsed),
      gauge("process_uptime_seconds", "Seconds since the process began", process.uptime())
    ])
  }).pipe(Effect.orDie)
})
