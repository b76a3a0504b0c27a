/** The caller of an administrative act, for the audit log. */
import { Authorization } from "@bough/gateway-api"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { Actor } from "../accounts/AuditLog.ts"
import type { Principal, TenantId, TokenId, UserId } from "../accounts/Principal.ts"
import * as RequestGuard from "../auth/RequestGuard.ts"

/** The ids of a principal are valid, since they come from the store. */
const withIds = (principal: Authorization.Principal): Principal => ({
  ...principal,
  tenant: principal.tenant as TenantId,
  user: principal.user as UserId,
  tokenId: principal.tokenId as TokenId
})

export const current: Effect.Effect<
  { readonly principal: Principal; readonly actor: Actor },
  never,
  Authorization.CurrentPrincipal | HttpServerRequest.HttpServerRequest
> = Effect.gen(function* () {
  const principal = withIds(yield* Authorization.CurrentPrincipal)
  const { tenant, tokenId, user } = principal
  const address = RequestGuard.addressOf(yield* HttpServerRequest.HttpServerRequest)
  return { principal, actor: { tenant, user, tokenId, address } }
})
