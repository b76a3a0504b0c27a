/**
 * Tokens and cost of the model calls of each user, and the outcomes of tool calls, read from the journals into tables:
 * each call once, even if several processes read it. Copies of another session's entries in a fork are not counted.
 */
import { Usage } from "@bough/gateway-api"
import { Entry, type Session } from "@bough/protocol"
import { EntryPages, SessionStore } from "@bough/runtime"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { firstOwnEntry } from "../sessions/firstOwnEntry.ts"

export interface UsageQuery {
  readonly user: string
  readonly from?: string
  readonly to?: string
  readonly treeId?: string
}

type UsageRow = typeof Usage.UsageRow.Type

export class UsageLedger extends Context.Service<
  UsageLedger,
  {
    /** Reads the new entries of the user's journals, then sums up the usage. */
    readonly rows: (query: UsageQuery) => Effect.Effect<ReadonlyArray<UsageRow>>
  }
>()("@bough/gateway/UsageLedger") {}

const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Usage.UsageRow))
const pageSize = 200
const readEveryMillis = 60_000
/** A change becomes visible at most this long after its timestamp, because another process may be slow to commit. */
const overlapMillis = 60_000

interface LedgerPosition {
  readonly nextSeq: number
  readonly model: string
}

/** Makes a row of `tool_calls`. A call that never ran has no receipt. */
const toolCallOf = (
  sessionId: string,
  seq: number,
  { outcome, receipt }: Extract<Entry.Body, { readonly _tag: "CallEnded" }>
): Record<string, unknown> => ({
  session_id: sessionId,
  seq,
  tool: receipt?.tool ?? "",
  outcome: outcome._tag,
  elapsed_millis: receipt?.elapsedMillis ?? 0
})

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const store = yield* SessionStore.SessionStore
  /** The time up to which this process has read all sessions of a user. */
  const readUpTo = new Map<string, number>()

  /** The time up to which any process has read all sessions: a start reads only later changes. */
  const allReadUpTo = Effect.map(
    sql<{ readonly upToMillis: number | string }>`
      SELECT up_to_millis AS "upToMillis" FROM model_calls_read_up_to WHERE id = 1`,
    ([row]) => Number(row?.upToMillis ?? 0)
  )
  const rememberAll = (millis: number) => sql`
    INSERT INTO model_calls_read_up_to ${sql.insert({ id: 1, up_to_millis: millis })}
    ON CONFLICT (id) DO UPDATE SET up_to_millis = excluded.up_to_millis
    WHERE excluded.up_to_millis > model_calls_read_up_to.up_to_millis`

  const reachedOf = Effect.fnUntraced(function* (sessionId: string) {
    const [row] = yield* sql<LedgerPosition>`
      SELECT next_seq AS "nextSeq", model FROM model_calls_read WHERE session_id = ${sessionId}`
    return row ?? null
  })

  const readSession = Effect.fnUntraced(function* (session: Session.Summary, user: string) {
    const { sessionId, treeId } = session
    const reached = yield* reachedOf(sessionId)
    if (reached !== null && reached.nextSeq >= session.entries) return
    const fromSeq = reached?.nextSeq ?? (yield* firstOwnEntry(store, sessionId))
    let model = reached?.model ?? ""
    let nextSeq = fromSeq
    const day = DateTime.formatIsoDateUtc(DateTime.makeUnsafe(yield* Clock.currentTimeMillis))
    const calls: Array<Record<string, unknown>> = []
    const toolCalls: Array<Record<string, unknown>> = []
    while (true) {
      const { entries, next } = yield* EntryPages.page(store, sessionId, nextSeq)
      for (const { body, seq } of entries) {
        nextSeq = seq + 1
        if (body._tag === "StepStarted") model = body.model
        if (body._tag === "CallEnded") toolCalls.push(toolCallOf(sessionId, seq, body))
        const usage = Entry.usageOf(body)
        if (usage === null) continue
        calls.push({
          session_id: sessionId,
          seq,
          tree_id: treeId,
          user_key: user,
          day,
          model: body._tag === "SamplingEnded" ? body.model : model,
          input_tokens: usage.inputTokens,
          cached_input_tokens: usage.cachedInputTokens,
          output_tokens: usage.outputTokens,
          cost_usd: usage.costUsd
        })
      }
      if (next === null) break
    }
    yield* sql.withTransaction(
      Effect.gen(function* () {
        for (const call of calls) yield* sql`INSERT INTO model_calls ${sql.insert(call)} ON CONFLICT DO NOTHING`
        for (const call of toolCalls) yield* sql`INSERT INTO tool_calls ${sql.insert(call)} ON CONFLICT DO NOTHING`
        const row = { session_id: sessionId, next_seq: nextSeq, model }
        yield* sql`INSERT INTO model_calls_read ${sql.insert(row)}
          ON CONFLICT (session_id) DO UPDATE SET next_seq = excluded.next_seq, model = excluded.model
          WHERE excluded.next_seq > model_calls_read.next_seq`
      })
    )
  })

  /** Reads every tree that changed; null: of all users. */
  const read = Effect.fnUntraced(function* (user: string | null) {
    const since = Math.max(yield* allReadUpTo, user === null ? 0 : (readUpTo.get(user) ?? 0))
    const startedAt = yield* store.now
    let after: Session.Summary | undefined
    while (true) {
      const page: ReadonlyArray<Session.Summary> = yield* store.list({
        workspaceRoot: null,
        limit: pageSize,
        ...(user === null ? {} : { user }),
        ...(after === undefined ? {} : { after })
      })
      for (const main of page) {
        if (main.user === null || main.updatedAtMillis < since) continue
        for (const session of yield* store.sessionsOf(main.treeId)) yield* readSession(session, main.user)
      }
      after = page.at(-1)
      if (page.length < pageSize || after === undefined || after.updatedAtMillis < since) break
    }
    const upTo = startedAt - overlapMillis
    if (user === null) yield* rememberAll(upTo)
    else readUpTo.set(user, upTo)
  })

  yield* read(null).pipe(
    Effect.catch((error) => Effect.logWarning(error.message)),
    Effect.andThen(Effect.sleep(readEveryMillis)),
    Effect.forever,
    Effect.forkScoped
  )

  const rows = Effect.fnUntraced(function* ({ from, to, treeId, user }: UsageQuery) {
    yield* read(user)
    const found = yield* sql`
      SELECT day, model, tree_id AS "treeId", count(*) AS steps, sum(input_tokens) AS "inputTokens",
        sum(cached_input_tokens) AS "cachedInputTokens", sum(output_tokens) AS "outputTokens",
        CASE WHEN count(cost_usd) = count(*) THEN sum(cost_usd) END AS "costUsd"
      FROM model_calls WHERE ${sql.and([
        sql`user_key = ${user}`,
        ...(from === undefined ? [] : [sql`day >= ${from}`]),
        ...(to === undefined ? [] : [sql`day <= ${to}`]),
        ...(treeId === undefined ? [] : [sql`tree_id = ${treeId}`])
      ])}
      GROUP BY day, model, tree_id ORDER BY day DESC, model, tree_id`
    return yield* decodeRows(found)
  })

  return UsageLedger.of({ rows: (query) => Effect.orDie(rows(query)) })
})

export const layer: Layer.Layer<UsageLedger, never, SqlClient.SqlClient | SessionStore.SessionStore> = Layer.effect(
  UsageLedger,
  make
)
