/** The addresses that the operator allows for webhooks. */
import * as Context from "effect/Context"
import type { WebhookSettings } from "./WebhookSender.ts"

export class WebhookPolicy extends Context.Service<WebhookPolicy, WebhookSettings>()("@bough/gateway/WebhookPolicy") {}
