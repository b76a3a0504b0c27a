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
import * as MetricFamilies from "./MetricFamilies.ts"
import { ModelCalls } from "./ModelCalls.ts"
import * as PrometheusText from "./PrometheusText.ts"
import { RequestCounts } from "./RequestCounts.ts"

/** The size of a database's files: the main file and the write-ahead log. */
const databaseFiles = (name: string, path: string) =>
  [
    [name, "main", path],
    [name, "wal", `${path}-wal`]
  ] as const

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

const databaseSizes = (dataDirectory: string): PrometheusText.PrometheusMetric => ({
  name: "bough_sqlite_bytes",
  help: "Bytes of the databases' files, by database and file",
  type: "gauge",
  samples: [
    ...databaseFiles("sessions", join(dataDirectory, "sessions", "bough.db")),
    ...databaseFiles("gateway", join(dataDirectory, "gateway.db"))
  ].map(([database, file, path]) => ({ labels: { database, file }, value: sizeOf(path) }))
})

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
    const calls = yield* sql<MetricFamilies.ModelUsage>`
      SELECT model, count(*) AS calls, sum(input_tokens) AS input, sum(output_tokens) AS output
      FROM model_calls GROUP BY model ORDER BY model`
    const toolCalls = yield* sql<MetricFamilies.ToolUsage>`
      SELECT tool, outcome, count(*) AS calls, sum(elapsed_millis) AS millis
      FROM tool_calls GROUP BY tool, outcome ORDER BY tool, outcome`
    const memory = process.memoryUsage()
    const [waitingMessages] = yield* sql<{ readonly count: number }>`
      SELECT count(*) AS count FROM webhook_deliveries WHERE state = 'pending'`
    const pending = waitingMessages?.count ?? 0
    const load = yield* storeLoad.read
    return PrometheusText.format([
      ...MetricFamilies.requestMetrics(requests.counts()),
      MetricFamilies.gauge("bough_event_streams", "Event streams that are open", openStreams.count()),
      MetricFamilies.gauge(
        "bough_event_lag_seconds",
        "Age of the oldest event that the slowest reader of a stream has not received",
        streams.lagMillis() / 1000
      ),
      ...MetricFamilies.storeMetrics(load),
      MetricFamilies.gauge("bough_sessions_loaded", "Sessions that are loaded", yield* host.loaded),
      MetricFamilies.gauge(
        "bough_sessions_dormant",
        "Unloaded sessions whose leases this process still holds",
        yield* host.dormant
      ),
      MetricFamilies.gauge("bough_trees_with_work", "Session trees with pending work", work.length),
      MetricFamilies.gauge("bough_approvals_waiting", "Approvals that wait for a decision", waiting.length),
      ...MetricFamilies.usageMetrics(calls, toolCalls),
      ...MetricFamilies.modelMetrics(modelCalls.counts()),
      MetricFamilies.gauge("bough_webhook_messages_pending", "Messages that wait to be sent to webhooks", pending),
      databaseSizes(dataDirectory),
      MetricFamilies.gauge("process_resident_memory_bytes", "Resident memory of the process", memory.rss),
      MetricFamilies.gauge("nodejs_heap_used_bytes", "JavaScript heap that is used", memory.heapUsed),
      MetricFamilies.gauge("process_uptime_seconds", "Seconds since the process began", process.uptime())
    ])
  }).pipe(Effect.orDie)
})
