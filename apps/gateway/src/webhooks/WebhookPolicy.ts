/** The addresses that webhooks may have here, as the operator configured them. */
import * as Context from "effect/Context"
import type { WebhookSettings } from "./WebhookSender.ts"

export class WebhookPolicy extends Context.Service<WebhookPolicy, WebhookSettings>()("@bough/gateway/WebhookPolicy") {}
