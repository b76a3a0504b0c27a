/** Addresses that receive the events of the user's sessions as signed requests. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { Authorization, RequiredScope } from "../Authorization.ts"
import * as Idempotency from "../Idempotency.ts"
import { limits } from "../Limits.ts"
import * as Page from "../Page.ts"
import { NotFound, TooManyRequests, Unprocessable } from "../Problem.ts"

/**
 * `approval.requested`: a call of any session waits for a decision. `turn.ended`: a Main has answered, or was stopped
 * by a limit or a user. `session.ended`: a session has ended, with its task done or not.
 */
export const WebhookEvent = Schema.Literals(["approval.requested", "turn.ended", "session.ended"])
export type WebhookEvent = typeof WebhookEvent.Type

const WebhookId = Schema.NonEmptyString.check(Schema.isMaxLength(100))

export const Webhook = Schema.Struct({
  id: WebhookId,
  url: Schema.String,
  events: Schema.Array(WebhookEvent),
  createdAtMillis: Schema.Natural,
  /**
   * Null: the webhook is active. It is disabled by an answer of 410 from its receiver, and must then be created again.
   */
  disabledAtMillis: Schema.NullOr(Schema.Natural)
}).annotate({ identifier: "Webhook" })
export type Webhook = typeof Webhook.Type

/** Only this response contains the secret. Requests are signed with it in the format of Standard Webhooks. */
export const WebhookWithSecret = Schema.Struct({ webhook: Webhook, secret: Schema.String }).annotate({
  identifier: "WebhookWithSecret"
})

export const CreateWebhook = Schema.Struct({
  /** https, on the internet; the operator can open others. */
  url: Schema.NonEmptyString.check(Schema.isMaxLength(limits.webhookUrlLength)),
  events: Schema.NonEmptyArray(WebhookEvent)
}).annotate({ identifier: "CreateWebhook" })

/** The body of a request to a webhook. It contains ids and no content: a receiver reads the content with a token. */
export const WebhookMessage = Schema.Struct({
  type: Schema.Union([WebhookEvent, Schema.Literal("webhook.test")]),
  timestamp: Schema.String,
  data: Schema.Record(Schema.String, Schema.Json)
}).annotate({ identifier: "WebhookMessage" })
export type WebhookMessage = typeof WebhookMessage.Type

export const WebhookDelivery = Schema.Struct({
  /** The header `webhook-id`: the same whenever the message is sent again. */
  id: Schema.String,
  type: Schema.String,
  state: Schema.Literals(["pending", "delivered", "failed"]),
  attempts: Schema.Natural,
  createdAtMillis: Schema.Natural,
  /** Null: the message was delivered, or is no longer retried. */
  nextAttemptAtMillis: Schema.NullOr(Schema.Natural),
  deliveredAtMillis: Schema.NullOr(Schema.Natural),
  /** The status of the last answer; null: there was none. */
  lastStatus: Schema.NullOr(Schema.Natural),
  /** The reason for the failure of the last attempt; null: it succeeded. */
  lastError: Schema.NullOr(Schema.String)
}).annotate({ identifier: "WebhookDelivery" })
export type WebhookDelivery = typeof WebhookDelivery.Type

const webhookParams = { webhookId: WebhookId }

export class WebhooksApi extends HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.get("list", "/", { success: Schema.Struct({ items: Schema.Array(Webhook) }) }).annotate(
      RequiredScope,
      "read"
    ),
    /** The webhook receives events from now on. */
    HttpApiEndpoint.post("create", "/", {
      headers: Idempotency.headers,
      payload: CreateWebhook,
      success: WebhookWithSecret.pipe(HttpApiSchema.status(201)),
      error: [Unprocessable, TooManyRequests]
    })
      .annotate(RequiredScope, "chat")
      .annotate(Idempotency.AnswersWithSecret, true),
    HttpApiEndpoint.get("get", "/:webhookId", { params: webhookParams, success: Webhook, error: NotFound }).annotate(
      RequiredScope,
      "read"
    ),
    /** Messages for it that were not delivered are removed, too. */
    HttpApiEndpoint.delete("remove", "/:webhookId", {
      params: webhookParams,
      headers: Idempotency.headers,
      error: NotFound
    }).annotate(RequiredScope, "chat"),
    /** Requests are signed with the old secret, too, for one day. */
    HttpApiEndpoint.post("rotate", "/:webhookId/secret", {
      params: webhookParams,
      headers: Idempotency.headers,
      success: WebhookWithSecret,
      error: NotFound
    })
      .annotate(RequiredScope, "chat")
      .annotate(Idempotency.AnswersWithSecret, true),
    /** Sends a message of the type `webhook.test`; the answer is its delivery. */
    HttpApiEndpoint.post("test", "/:webhookId/test", {
      params: webhookParams,
      headers: Idempotency.headers,
      success: WebhookDelivery.pipe(HttpApiSchema.status(202)),
      error: NotFound
    }).annotate(RequiredScope, "chat"),
    /** The newest first. */
    HttpApiEndpoint.get("deliveries", "/:webhookId/deliveries", {
      params: webhookParams,
      query: { limit: Page.limit, cursor: Page.cursor },
      success: Page.pageOf(WebhookDelivery),
      error: NotFound
    }).annotate(RequiredScope, "read")
  )
  .middleware(Idempotency.Idempotency)
  .middleware(Authorization)
  .prefix("/api/v1/webhooks") {}
