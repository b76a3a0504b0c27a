/** Applies the quotas of a tenant to its model calls, concurrent steps and money per day, and counts the calls. */
import { Model } from "@bough/runtime"
import * as Channel from "effect/Channel"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { TenantId } from "../accounts/Principal.ts"
import type { QuotaExceeded } from "../accounts/Quota.ts"
import type { Quotas } from "../accounts/Quotas.ts"
import type { ModelCalls } from "../operations/ModelCalls.ts"

type ModelService = Model.Model["Service"]

const microsPerUsd = 1_000_000

/** The model error for an exhausted quota ends the turn, because waiting would block the session until midnight. */
const refusingModel = (model: ModelService, { message, resetsAtMillis }: QuotaExceeded) =>
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

const unknownPrice = (model: ModelService) =>
  new Model.ModelError({
    reason: "Refused",
    model: model.name,
    message: "the tenant has a limit of money per day, and the price of this model is not known",
    hint: "configure its prices, or another model",
    retryable: false,
    retryAfterMillis: null
  })

const costOf = (parts: ReadonlyArray<Model.ModelPart>): number =>
  parts.reduce((sum, part) => (part._tag === "End" ? sum + (part.costUsd ?? 0) : sum), 0)

export interface Meters {
  readonly quotas: Quotas["Service"]
  readonly calls: ModelCalls["Service"]
}

/**
 * Wraps a model so that every reply counts for that tenant. The wrapper pulls the reply itself, because each operator
 * of a stream costs a gateway as much per piece as all of this work.
 */
export const make = ({ calls, quotas }: Meters, tenant: TenantId) => {
  const requireQuota = Effect.fnUntraced(function* (model: ModelService, scope: Scope.Scope) {
    const limits = yield* quotas.limits(tenant)
    if (limits.has("moneyPerDay")) {
      if (!model.priced && model.usesNoTokens !== true) return yield* unknownPrice(model)
      yield* Effect.mapError(quotas.require(tenant, "moneyPerDay"), (error) => refusingModel(model, error))
    }
    if (limits.has("concurrentSteps")) yield* Scope.provide(quotas.holdStep(tenant), scope)
  })
  const record = (costUsd: number) => quotas.record(tenant, "moneyPerDay", Math.ceil(costUsd * microsPerUsd))
  return (model: ModelService): ModelService => ({
    ...model,
    stream: (prompt) =>
      Stream.fromChannel(
        Channel.fromTransform((upstream, scope) =>
          Effect.gen(function* () {
            yield* requireQuota(model, scope)
            // The call begins after the wait for a permit, which does not count as the model's time.
            const call = yield* calls.begin(model.name)
            yield* Scope.addFinalizer(scope, Effect.sync(call.end))
            const pull = yield* Channel.toTransform(model.stream(prompt).channel)(upstream, scope)
            return Effect.flatMap(pull, (parts) => {
              call.receive()
              const costUsd = costOf(parts)
              return costUsd > 0 ? Effect.as(record(costUsd), parts) : Effect.succeed(parts)
            })
          })
        )
      )
  })
}
