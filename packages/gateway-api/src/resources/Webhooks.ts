/** Addresses that receive the events of the user's sessions as signed requests. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import { Authorization, RequiredScope } from "../Authorization.ts"
import * as Idempotency from "../Idempotency.ts"
import { limits } from "../Limits.ts"
import * as Page from "../Page.ts"
import { NotFound, TooManyRequests, Unprocessable } from "../Problem.ts"

/**
 * `approval.requested`: a call of any session waits for a decision. `turn.ended`: a Main has answered, or a limit or a
 * user stopped it. `session.ended`: a session has ended, successfully or not.
 */
export const WebhookEvent = Schema.Literals(["approval.requested", "turn.ended", "session.ended"])
export type WebhookEvent = typeof WebhookEvent.Type

const WebhookId = Schema.NonEmptyString.check(Schema.isMaxLength(100))

export const Webhook = Schema.Struct({
  id: WebhookId,
  url: Schema.String,
  events: Schema.Array(WebhookEvent),
  createdAtMillis: Schema.Natural,
  /** Null: the webhook is active. A response of 410 from its receiver disables it; it must then be created again. */
  disabledAtMillis: Schema.NullOr(Schema.Natural)
}).annotate({ identifier: "Webhook" })
export type Webhook = typeof Webhook.Type

/**
 * The response that contains the secret; no other one does. Requests are signed with it in the format of Standard
 * Webhooks.
 */
export const WebhookWithSecret = Schema.Struct({ webhook: Webhook, secret: Schema.String }).annotate({
  identifier: "WebhookWithSecret"
})

export const CreateWebhook = Schema.Struct({
  /** An https address on the internet; the operator can allow others. */
  url: Schema.NonEmptyString.check(Schema.isMaxLength(limits.webhookUrlLength)),
  events: Schema.NonEmptyArray(WebhookEvent)
}).annotate({ identifier: "CreateWebhook" })

/** The body of a request to a webhook. It contains only ids; a receiver reads the content with a token. */
export const WebhookMessage = Schema.Struct({
  type: Schema.Union([WebhookEvent, Schema.Literal("webhook.test")]),
  timestamp: Schema.String,
  data: Schema.Record(Schema.String, Schema.Json)
}).annotate({ identifier: "WebhookMessage" })
export type WebhookMessage = typeof WebhookMessage.Type

export const WebhookDelivery = Schema.Struct({
  /** The header `webhook-id`, which is the same each time the message is sent. */
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
    /** Creates a webhook, which receives events from now on. */
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
    /** Removes a webhook, with its messages that were not delivered. */
    HttpApiEndpoint.delete("remove", "/:webhookId", {
      params: webhookParams,
      headers: Idempotency.headers,
      error: NotFound
    }).annotate(RequiredScope, "chat"),
    /** Replaces the secret. For one day, requests are signed with the old secret as well. */
    HttpApiEndpoint.post("rotate", "/:webhookId/secret", {
      params: webhookParams,
      headers: Idempotency.headers,
      success: WebhookWithSecret,
      error: NotFound
    })
      .annotate(RequiredScope, "chat")
      .annotate(Idempotency.AnswersWithSecret, true),
    /** Sends a message of the type `webhook.test`; the response describes its delivery. */
    HttpApiEndpoint.post("test", "/:webhookId/test", {
      params: webhookParams,
      headers: Idempotency.headers,
      success: WebhookDelivery.pipe(HttpApiSchema.status(202)),
      error: NotFound
    }).annotate(RequiredScope, "chat"),
    /** Lists the messages, newest first. */
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
