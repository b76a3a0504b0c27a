/**
 * Applies the quotas of a tenant at the routes: a session is counted before it is made; a message is refused
 * once the day's money is spent.
 */
import { Problem } from "@bough/gateway-api"
import type { Authorization } from "@bough/gateway-api"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { TenantId } from "../accounts/Principal.ts"
import * as Quota from "../accounts/Quota.ts"
import type { Quotas } from "../accounts/Quotas.ts"

type Owner = Pick<Authorization.Principal, "tenant">

/** Fails with the problem of an exhausted quota, which names the time of the reset if there is one. */
export const refuse = (exceeded: Quota.QuotaExceeded) =>
  Effect.gen(function* () {
    const seconds = Quota.retryAfterSeconds(exceeded, yield* Clock.currentTimeMillis)
    if (seconds !== null)
      yield* HttpEffect.appendPreResponseHandler((_request, response) =>
        Effect.succeed(HttpServerResponse.setHeader(response, "retry-after", String(seconds)))
      )
    return yield* new Problem.TooManyRequests({
      code: "quota_exceeded",
      quota: exceeded.resource,
      detail: exceeded.message,
      ...(seconds === null ? {} : { retryAfterSeconds: seconds })
    })
  })

export const takeSession = (quotas: Quotas["Service"], { tenant }: Owner): Effect.Effect<void, Quota.QuotaExceeded> =>
  quotas.take(tenant as TenantId, "sessions", 1)

/**
 * Makes a session after `take` has counted it against the quota. The count is returned unless `isNew` confirms that a
 * session was made, even if the request is interrupted after `take`.
 */
export const createCounted = <T, A, E, R>(
  quotas: Quotas["Service"],
  { tenant }: Owner,
  creation: {
    readonly take: Effect.Effect<T, Quota.QuotaExceeded>
    readonly create: (taken: T) => Effect.Effect<A, E, R>
    readonly isNew: (created: A) => boolean
  }
): Effect.Effect<A, E | Quota.QuotaExceeded, R> => {
  const giveBack = quotas.giveBack(tenant as TenantId, "sessions", 1)
  return Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(creation.take, (taken) =>
      Effect.onError(restore(creation.create(taken)), () => giveBack).pipe(
        Effect.tap((created) => (creation.isNew(created) ? Effect.void : giveBack))
      )
    )
  )
}

/** Fails if the tenant's money for the day is spent: a message would start a turn that fails. */
export const requireMoney = (quotas: Quotas["Service"], { tenant }: Owner) =>
  Effect.catchTag(quotas.require(tenant as TenantId, "moneyPerDay"), "QuotaExceeded", refuse)
