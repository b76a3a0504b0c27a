/** Handlers of webhooks. */
import { Api, Authorization, Problem } from "@bough/gateway-api"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { WebhookOutbox } from "../webhooks/WebhookOutbox.ts"
import { WebhookPolicy } from "../webhooks/WebhookPolicy.ts"
import * as WebhookRequest from "../webhooks/WebhookRequest.ts"
import { Webhooks } from "../webhooks/Webhooks.ts"
import * as RowCursor from "./RowCursor.ts"

const defaultLimit = 50

export const layer = HttpApiBuilder.group(
  Api.Api,
  "webhooks",
  Effect.fnUntraced(function* (handlers) {
    const webhooks = yield* Webhooks
    const outbox = yield* WebhookOutbox
    const policy = yield* WebhookPolicy

    const find = Effect.fnUntraced(function* (id: string) {
      const principal = yield* Authorization.CurrentPrincipal
      return (yield* webhooks.find(principal, id)) ?? (yield* new Problem.NotFound({}))
    })

    return handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        return { items: yield* webhooks.list(yield* Authorization.CurrentPrincipal) }
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        const principal = yield* Authorization.CurrentPrincipal
        const refusal = yield* WebhookRequest.refusal(policy, payload.url)
        if (refusal !== null) {
          return yield* new Problem.Unprocessable({ code: "webhook_url_refused", detail: refusal })
        }
        if ((yield* webhooks.list(principal)).length === 0) yield* outbox.begin(Authorization.userKey(principal))
        return yield* Effect.mapError(
          webhooks.create(principal, payload),
          () => new Problem.TooManyRequests({ code: "quota_exceeded", quota: "webhooks" })
        )
      }),
      get: ({ params }) => find(params.webhookId),
      remove: ({ params }) => Effect.flatMap(find(params.webhookId), ({ id }) => webhooks.remove(id)),
      rotate: ({ params }) => Effect.flatMap(find(params.webhookId), webhooks.rotate),
      test: ({ params }) => Effect.flatMap(find(params.webhookId), webhooks.test),
      deliveries: Effect.fnUntraced(function* ({ params, query }) {
        const webhook = yield* find(params.webhookId)
        const limit = query.limit ?? defaultLimit
        const after = query.cursor === undefined ? null : yield* RowCursor.decode(query.cursor)
        return RowCursor.page(yield* webhooks.deliveries(webhook, { limit: limit + 1, after }), limit)
      })
    })
  })
)
