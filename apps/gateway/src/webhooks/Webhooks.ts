/** The webhooks of users and the log of sent messages, in the gateway's database. */
import { type Authorization, Limits, Webhooks as WebhooksApi } from "@bough/gateway-api"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { randomBytes } from "node:crypto"
import * as WebhookSignature from "./WebhookSignature.ts"

type Owner = Pick<Authorization.Principal, "tenant" | "user">
type Webhook = WebhooksApi.Webhook
type Delivery = WebhooksApi.WebhookDelivery
type WebhookWithSecret = typeof WebhooksApi.WebhookWithSecret.Type

/** The end of a page of a list. */
export interface DeliveryCursor {
  readonly createdAtMillis: number
  readonly id: string
}

/** The user already has the maximum number of webhooks. */
export class TooManyWebhooks extends Schema.TaggedError<TooManyWebhooks>()("TooManyWebhooks", {}) {}

export class Webhooks extends Context.Service<
  Webhooks,
  {
    readonly create: (
      owner: Owner,
      webhook: typeof WebhooksApi.CreateWebhook.Type
    ) => Effect.Effect<WebhookWithSecret, TooManyWebhooks>
    readonly list: (owner: Owner) => Effect.Effect<ReadonlyArray<Webhook>>
    /** Null: the user has no webhook of that id. */
    readonly find: (owner: Owner, id: string) => Effect.Effect<Webhook | null>
    readonly remove: (id: string) => Effect.Effect<void>
    readonly rotate: (webhook: Webhook) => Effect.Effect<WebhookWithSecret>
    readonly test: (webhook: Webhook) => Effect.Effect<Delivery>
    readonly deliveries: (
      webhook: Webhook,
      page: { readonly limit: number; readonly after: DeliveryCursor | null }
    ) => Effect.Effect<ReadonlyArray<Delivery>>
  }
>()("@bough/gateway/Webhooks") {}

interface Row {
  readonly id: string
  readonly url: string
  readonly events: string
  readonly secret: string
  readonly created_at_millis: number | string
  readonly disabled_at_millis: number | string | null
}

export interface DeliveryRow {
  readonly id: string
  readonly type: string
  readonly state: Delivery["state"]
  readonly attempts: number
  readonly created_at_millis: number | string
  readonly next_attempt_at_millis: number | string | null
  readonly delivered_at_millis: number | string | null
  readonly last_status: number | null
  readonly last_error: string | null
}

const orNull = (millis: number | string | null): number | null => (millis === null ? null : Number(millis))

export const decodeEvents = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Array(WebhooksApi.WebhookEvent)))

const toWebhook = (row: Row): Webhook => ({
  id: row.id,
  url: row.url,
  events: decodeEvents(row.events),
  createdAtMillis: Number(row.created_at_millis),
  disabledAtMillis: orNull(row.disabled_at_millis)
})

const toDelivery = (row: DeliveryRow): Delivery => ({
  id: row.id,
  type: row.type,
  state: row.state,
  attempts: row.attempts,
  createdAtMillis: Number(row.created_at_millis),
  nextAttemptAtMillis: orNull(row.next_attempt_at_millis),
  deliveredAtMillis: orNull(row.delivered_at_millis),
  lastStatus: row.last_status,
  lastError: row.last_error
})

const oldSecretMillis = 24 * 60 * 60 * 1000

/** Makes a message as a row that is due at once. */
export const newDelivery = (message: {
  readonly id: string
  readonly webhookId: string
  readonly type: string
  readonly data: WebhooksApi.WebhookMessage["data"]
  readonly nowMillis: number
}) => ({
  id: message.id,
  webhook_id: message.webhookId,
  type: message.type,
  body: JSON.stringify({
    type: message.type,
    timestamp: DateTime.formatIso(DateTime.makeUnsafe(message.nowMillis)),
    data: message.data
  }),
  state: "pending" as const,
  attempts: 0,
  created_at_millis: message.nowMillis,
  next_attempt_at_millis: message.nowMillis,
  in_flight: 0,
  delivered_at_millis: null,
  last_status: null,
  last_error: null
})

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const list = ({ tenant, user }: Owner) =>
    Effect.map(
      sql<Row>`SELECT * FROM webhooks WHERE tenant = ${tenant} AND user_name = ${user} ORDER BY created_at_millis, id`,
      (rows) => rows.map(toWebhook)
    )

  const create = Effect.fnUntraced(
    function* ({ tenant, user }: Owner, { events, url }: typeof WebhooksApi.CreateWebhook.Type) {
      if ((yield* list({ tenant, user })).length >= Limits.limits.webhooksPerUser) return yield* new TooManyWebhooks()
      const row = {
        id: `whk_${randomBytes(12).toString("hex")}`,
        url,
        events: JSON.stringify([...new Set(events)]),
        secret: WebhookSignature.newSecret(),
        created_at_millis: yield* Clock.currentTimeMillis,
        disabled_at_millis: null
      }
      yield* sql`INSERT INTO webhooks ${sql.insert({ ...row, tenant, user_name: user })}`
      return { webhook: toWebhook(row), secret: row.secret }
    },
    sql.withTransaction,
    Effect.catchTag("SqlError", Effect.die)
  )

  const rotate = Effect.fnUntraced(function* (webhook: Webhook) {
    const secret = WebhookSignature.newSecret()
    const until = (yield* Clock.currentTimeMillis) + oldSecretMillis
    yield* sql`UPDATE webhooks SET old_secret = secret, old_secret_until_millis = ${until}, secret = ${secret}
      WHERE id = ${webhook.id}`
    return { webhook, secret }
  }, Effect.orDie)

  const test = Effect.fnUntraced(function* ({ id: webhookId }: Webhook) {
    const nowMillis = yield* Clock.currentTimeMillis
    const id = `msg_${randomBytes(12).toString("hex")}`
    const row = newDelivery({ id, webhookId, type: "webhook.test", data: {}, nowMillis })
    yield* sql`INSERT INTO webhook_deliveries ${sql.insert(row)}`
    return toDelivery(row)
  }, Effect.orDie)

  const remove = Effect.fnUntraced(
    function* (id: string) {
      yield* sql`DELETE FROM webhook_deliveries WHERE webhook_id = ${id}`
      yield* sql`DELETE FROM webhooks WHERE id = ${id}`
    },
    sql.withTransaction,
    Effect.orDie
  )

  return Webhooks.of({
    create,
    rotate,
    test,
    remove,
    list: (owner) => Effect.orDie(list(owner)),
    find: (owner, id) => Effect.orDie(Effect.map(list(owner), (all) => all.find((one) => one.id === id) ?? null)),
    deliveries: ({ id }, { after, limit }) =>
      sql<DeliveryRow>`SELECT * FROM webhook_deliveries WHERE ${sql.and([
        sql`webhook_id = ${id}`,
        ...(after === null
          ? []
          : [
              sql`(created_at_millis < ${after.createdAtMillis}
                OR (created_at_millis = ${after.createdAtMillis} AND id < ${after.id}))`
            ])
      ])} ORDER BY created_at_millis DESC, id DESC LIMIT ${limit}`.pipe(
        Effect.map((rows) => rows.map(toDelivery)),
        Effect.orDie
      )
  })
})

export const layer: Layer.Layer<Webhooks, never, SqlClient.SqlClient> = Layer.effect(Webhooks, make)
