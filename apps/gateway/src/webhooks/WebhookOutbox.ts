/**
 * Makes messages from the journals of users with webhooks. The position in a journal and the messages of the entries
 * before it are written in one transaction, and a message's id comes from its entry: after a kill no message is missing or duplicated,
 * whichever process reads.
 */
import { type Session, Canonical } from "@bough/protocol"
import { EntryPages, SessionStore } from "@bough/runtime"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { firstOwnEntry } from "../sessions/firstOwnEntry.ts"
import * as WebhookEvents from "./WebhookEvents.ts"
import { decodeEvents, newDelivery } from "./Webhooks.ts"

export class WebhookOutbox extends Context.Service<
  WebhookOutbox,
  {
    /** Reads the new entries of every user with webhooks. */
    readonly read: Effect.Effect<void>
    /** Records the current positions in a user's sessions, so that the user's first webhook gets no earlier events. */
    readonly begin: (user: string) => Effect.Effect<void>
  }
>()("@bough/gateway/WebhookOutbox") {}

interface OutboxPosition {
  readonly next_seq: number | string
  readonly is_compacting: number
}

interface ListenerRow {
  readonly id: string
  readonly user_key: string
  readonly events: string
}

interface Listener {
  readonly webhookId: string
  readonly events: ReadonlyArray<string>
}

const toListeners = (rows: ReadonlyArray<ListenerRow>): ReadonlyArray<Listener> =>
  rows.map(({ events, id }) => ({ webhookId: id, events: decodeEvents(events) }))

const pageSize = 200
const overlapMillis = 1_000

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const store = yield* SessionStore.SessionStore
  /** The time up to which this process has read the sessions of a user: a cache that avoids repeated reads. */
  const readUpTo = new Map<string, number>()

  const positionOf = (sessionId: string) =>
    Effect.map(
      sql<OutboxPosition>`SELECT next_seq, is_compacting FROM webhook_reads WHERE session_id = ${sessionId}`,
      ([row]) => row ?? null
    )

  const reach = (sessionId: string, nextSeq: number, isCompacting: boolean) => {
    const row = { session_id: sessionId, next_seq: nextSeq, is_compacting: isCompacting ? 1 : 0 }
    return sql`INSERT INTO webhook_reads ${sql.insert(row)} ON CONFLICT (session_id)
      DO UPDATE SET next_seq = excluded.next_seq, is_compacting = excluded.is_compacting
      WHERE excluded.next_seq > webhook_reads.next_seq`
  }

  const readSession = Effect.fnUntraced(function* (session: Session.Summary, listeners: ReadonlyArray<Listener>) {
    const { sessionId, treeId } = session
    const reached = yield* positionOf(sessionId)
    let nextSeq = reached === null ? yield* firstOwnEntry(store, sessionId) : Number(reached.next_seq)
    if (reached !== null && nextSeq >= session.entries) return
    let state: WebhookEvents.ReadState = { isCompacting: reached?.is_compacting === 1 }
    const nowMillis = yield* Clock.currentTimeMillis
    const rows: Array<ReturnType<typeof newDelivery>> = []
    while (true) {
      const { entries, next } = yield* EntryPages.page(store, sessionId, nextSeq)
      for (const entry of entries) {
        nextSeq = entry.seq + 1
        const derived = WebhookEvents.fromEntry(entry, session, state)
        state = derived.state
        const { event } = derived
        if (event === null) continue
        for (const { events, webhookId } of listeners) {
          if (!events.includes(event.type)) continue
          const digest = Canonical.digest(JSON.stringify([webhookId, sessionId, entry.seq])).replace("sha256:", "")
          const data = { sessionId, treeId, sequence: entry.seq, ...event.data }
          rows.push(newDelivery({ id: `msg_${digest.slice(0, 32)}`, webhookId, type: event.type, data, nowMillis }))
        }
      }
      if (next === null) break
    }
    yield* sql.withTransaction(
      Effect.gen(function* () {
        for (const row of rows) yield* sql`INSERT INTO webhook_deliveries ${sql.insert(row)} ON CONFLICT DO NOTHING`
        yield* reach(sessionId, nextSeq, state.isCompacting)
      })
    )
  })

  /** Visits all sessions of the user's trees that changed since that time. */
  const visit = Effect.fnUntraced(function* <E, R>(
    user: string,
    since: number,
    use: (session: Session.Summary) => Effect.Effect<void, E, R>
  ) {
    let after: Session.Summary | undefined
    while (true) {
      const page: ReadonlyArray<Session.Summary> = yield* store.list({
        workspaceRoot: null,
        limit: pageSize,
        user,
        ...(after === undefined ? {} : { after })
      })
      for (const main of page) {
        if (main.updatedAtMillis < since) continue
        for (const session of yield* store.sessionsOf(main.treeId)) yield* use(session)
      }
      after = page.at(-1)
      if (page.length < pageSize || after === undefined || after.updatedAtMillis < since) return
    }
  })

  const read = Effect.gen(function* () {
    const listeners = yield* sql<ListenerRow>`
      SELECT w.id, w.events, w.tenant || '/' || w.user_name AS user_key
      FROM webhooks w JOIN users u ON u.tenant_id = w.tenant AND u.user_id = w.user_name
      WHERE w.disabled_at_millis IS NULL AND u.removed_at_millis IS NULL`
    const byUser = Map.groupBy(listeners, ({ user_key }) => user_key)
    for (const known of readUpTo.keys()) if (!byUser.has(known)) readUpTo.delete(known)
    for (const [user, rows] of byUser) {
      const ownDeliveries = toListeners(rows)
      const startedAt = yield* store.now
      yield* visit(user, readUpTo.get(user) ?? 0, (session) => readSession(session, ownDeliveries))
      readUpTo.set(user, startedAt - overlapMillis)
    }
  })

  const begin = (user: string) =>
    visit(user, 0, ({ entries, sessionId }) => Effect.asVoid(reach(sessionId, entries, false)))

  return WebhookOutbox.of({
    read: read.pipe(Effect.catch((error) => Effect.logWarning(error.message))),
    begin: (user) => Effect.orDie(begin(user))
  })
})

export const layer: Layer.Layer<WebhookOutbox, never, SqlClient.SqlClient | SessionStore.SessionStore> = Layer.effect(
  WebhookOutbox,
  make
)
