/** Applies the quotas of a tenant to its model calls: concurrent steps, and money per day. */
import { Model } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { TenantId } from "../accounts/Principal.ts"
import type { QuotaExceeded } from "../accounts/Quota.ts"
import type { Quotas } from "../accounts/Quotas.ts"

type ModelService = Model.Model["Service"]

const microsPerUsd = 1_000_000

/** The model error for an exhausted quota ends the turn, because waiting would block the session until midnight. */
const refused = (model: ModelService, { message, resetsAtMillis }: QuotaExceeded) =>
  new Model.ModelError({
    reason: "Refused",
    model: model.name,
    message,
    hint:
      resetsAtMillis === null
        ? "ask an operator to raise it"
        : `continue after ${new Date(resetsAtMillis).toISOString()}, or ask an operator to raise it`,
    retryable: false,
    retryAfterMillis: null
  })

const unpriced = (model: ModelService) =>
  new Model.ModelError({
    reason: "Refused",
    model: model.name,
    message: "the tenant has a limit of money per day, and the price of this model is not known",
    hint: "configure its prices, or another model",
    retryable: false,
    retryAfterMillis: null
  })

/** Wraps a model so that every reply counts for that tenant. */
export const make =
  (quotas: Quotas["Service"], tenant: TenantId) =>
  (model: ModelService): ModelService => ({
    ...model,
    stream: (prompt) =>
      Stream.unwrap(
        Effect.gen(function* () {
          const limits = yield* quotas.limits(tenant)
          if (limits.has("moneyPerDay")) {
            if (!model.priced && model.usesNoTokens !== true) return yield* unpriced(model)
            yield* Effect.mapError(quotas.require(tenant, "moneyPerDay"), (error) => refused(model, error))
          }
          if (limits.has("concurrentSteps")) yield* quotas.holdStep(tenant)
          return Stream.mapArrayEffect(model.stream(prompt), (parts) => {
            const costUsd = parts.reduce((sum, part) => (part._tag === "End" ? sum + (part.costUsd ?? 0) : sum), 0)
            return costUsd > 0
              ? Effect.as(quotas.record(tenant, "moneyPerDay", Math.ceil(costUsd * microsPerUsd)), parts)
              : Effect.succeed(parts)
          })
        })
      )
  })
