/**
 * Sends due messages, one at a time to each receiver, so that a slow receiver does not delay the others. An attempt is
 * recorded before it is made: if the process is killed, the message is sent again with the same id.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { WebhookOutbox } from "./WebhookOutbox.ts"
import * as WebhookRequest from "./WebhookRequest.ts"
import * as WebhookSignature from "./WebhookSignature.ts"

export interface WebhookSettings extends WebhookRequest.WebhookEgress {
  /** The pauses after failed attempts; after one more failure the message is abandoned. */
  readonly retryMillis: ReadonlyArray<number>
  /** The interval between reads of the journals. */
  readonly lookMillis: number
}

const minute = 60_000
const hour = 60 * minute

export const defaults: WebhookSettings = {
  allow: [],
  answerMillis: 10_000,
  retryMillis: [5_000, 30_000, 2 * minute, 10 * minute, 30 * minute, hour, 3 * hour, 6 * hour, 12 * hour],
  lookMillis: 1_000
}

const maxAtOnce = 16
const keptMillis = 30 * 24 * hour
const httpGone = 410

interface DueDelivery {
  readonly id: string
  readonly webhook_id: string
  readonly body: string
  readonly attempts: number
}

interface Receiver {
  readonly url: string
  readonly secret: string
  readonly old_secret: string | null
  readonly old_secret_until_millis: number | string | null
}

/** Adds up to a tenth, so that messages that failed together are not retried at the same time. */
const spread = (millis: number): number => Math.ceil(millis * (1 + Math.random() / 10))

const make = (settings: WebhookSettings) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const outbox = yield* WebhookOutbox
    const sending = yield* FiberSet.make()

    /** Takes the oldest due message whose receiver has no running request. */
    const take = Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      const lostAtMillis = nowMillis + settings.answerMillis * 2
      const [due] = yield* sql<DueDelivery>`
        UPDATE webhook_deliveries SET in_flight = 1, attempts = attempts + 1, next_attempt_at_millis = ${lostAtMillis}
        WHERE id = (
          SELECT d.id FROM webhook_deliveries d
          WHERE d.state = 'pending' AND d.next_attempt_at_millis <= ${nowMillis} AND NOT EXISTS (
            SELECT 1 FROM webhook_deliveries o WHERE o.webhook_id = d.webhook_id AND o.state = 'pending'
              AND o.in_flight = 1 AND o.next_attempt_at_millis > ${nowMillis}
          )
          ORDER BY d.next_attempt_at_millis, d.created_at_millis, d.id LIMIT 1
        ) RETURNING id, webhook_id, body, attempts`
      return due ?? null
    })

    const receiverOf = (id: string) =>
      Effect.map(
        sql<Receiver>`SELECT url, secret, old_secret, old_secret_until_millis FROM webhooks
          WHERE id = ${id} AND disabled_at_millis IS NULL`,
        ([row]) => row ?? null
      )

    const attempt = ({ body, id }: DueDelivery, receiver: Receiver) =>
      Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        const { old_secret, old_secret_until_millis, secret, url } = receiver
        const isOldValid = old_secret !== null && Number(old_secret_until_millis) > nowMillis
        const timestamp = Math.floor(nowMillis / 1000)
        const headers = WebhookSignature.headers({ id, timestamp, body }, isOldValid ? [secret, old_secret] : [secret])
        const status = yield* WebhookRequest.send(settings, { url, body, headers })
        return { status, error: status >= 200 && status < 300 ? null : `the receiver answered ${status}` }
      }).pipe(Effect.catch(({ message }) => Effect.succeed({ status: null, error: message })))

    const send = Effect.fnUntraced(function* (due: DueDelivery) {
      const receiver = yield* receiverOf(due.webhook_id)
      const { error, status } =
        receiver === null ? { status: null, error: "the webhook is disabled" } : yield* attempt(due, receiver)
      const nowMillis = yield* Clock.currentTimeMillis
      const pause = receiver === null || status === httpGone ? undefined : settings.retryMillis[due.attempts - 1]
      const outcome =
        error === null
          ? { state: "delivered", next_attempt_at_millis: null, delivered_at_millis: nowMillis }
          : pause === undefined
            ? { state: "failed", next_attempt_at_millis: null, delivered_at_millis: null }
            : { state: "pending", next_attempt_at_millis: nowMillis + spread(pause), delivered_at_millis: null }
      const row = { ...outcome, in_flight: 0, last_status: status, last_error: error }
      yield* sql`UPDATE webhook_deliveries SET ${sql.update(row)} WHERE id = ${due.id} AND attempts = ${due.attempts}`
      if (status === httpGone) {
        yield* sql`UPDATE webhooks SET disabled_at_millis = ${nowMillis} WHERE id = ${due.webhook_id}`
      }
    })

    const warn = (error: { readonly message: string }) => Effect.logWarning(error.message)

    const sendDue = Effect.gen(function* () {
      while ((yield* FiberSet.size(sending)) < maxAtOnce) {
        const due = yield* take
        if (due === null) return
        yield* FiberSet.run(sending, send(due).pipe(Effect.catch(warn)))
      }
    })

    const forget = Effect.flatMap(
      Clock.currentTimeMillis,
      (nowMillis) => sql`DELETE FROM webhook_deliveries
        WHERE state <> 'pending' AND created_at_millis < ${nowMillis - keptMillis}`
    )

    const round = outbox.read.pipe(Effect.andThen(sendDue), Effect.catch(warn))
    yield* round.pipe(Effect.andThen(Effect.sleep(settings.lookMillis)), Effect.forever, Effect.forkScoped)
    yield* forget.pipe(Effect.catch(warn), Effect.andThen(Effect.sleep(hour)), Effect.forever, Effect.forkScoped)
  })

export const layer = (settings: WebhookSettings): Layer.Layer<never, never, SqlClient.SqlClient | WebhookOutbox> =>
  Layer.effectDiscard(make(settings))
