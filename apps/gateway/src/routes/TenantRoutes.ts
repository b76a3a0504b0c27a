/** Handlers of tenants and their users. Each first checks that the caller manages the tenant. */
import { Api, Problem } from "@bough/gateway-api"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Redacted from "effect/Redacted"
import { Accounts } from "../accounts/Accounts.ts"
import { AuditLog } from "../accounts/AuditLog.ts"
import type { TenantId, TokenId, UserId } from "../accounts/Principal.ts"
import { Quotas } from "../accounts/Quotas.ts"
import * as RequestActor from "./RequestActor.ts"

const defaultLimit = 50
const firstLinkMillis = 7 * 24 * 60 * 60_000

const notFound = () => new Problem.NotFound({})
const operatorOnly = () =>
  new Problem.Forbidden({ code: "operator_only", detail: "only admins of the operators' tenant may do this" })
const exists = () => new Problem.Conflict({ code: "account_exists", detail: "the id is in use or was used before" })

export const layer = HttpApiBuilder.group(
  Api.Api,
  "tenants",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* Accounts
    const audit = yield* AuditLog
    const quotas = yield* Quotas

    /** Fails with NotFound if the caller does not manage the tenant, or it does not exist. */
    const findManaged = Effect.fnUntraced(function* (id: string) {
      const { actor, principal } = yield* RequestActor.current
      const tenant = (yield* accounts.tenants).find((one) => one.tenant === id)
      if (tenant === undefined || !(principal.isOperator || principal.tenant === id)) return yield* notFound()
      return { tenant: tenant.tenant, actor, principal }
    })

    const operator = Effect.gen(function* () {
      const { actor, principal } = yield* RequestActor.current
      return principal.isOperator ? { actor, principal } : yield* operatorOnly()
    })

    return handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        const { principal } = yield* RequestActor.current
        const all = yield* accounts.tenants
        return { items: principal.isOperator ? all : all.filter(({ tenant }) => tenant === principal.tenant) }
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        const { actor } = yield* operator
        const tenant = { tenant: payload.tenant as TenantId, name: payload.name }
        return yield* accounts.addTenant(tenant, actor).pipe(Effect.mapError(exists))
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        const { actor, principal, tenant } = yield* findManaged(params.tenant)
        if (!principal.isOperator) return yield* operatorOnly()
        if (tenant === principal.tenant)
          return yield* new Problem.Conflict({ code: "own_tenant", detail: "the operators' tenant cannot be removed" })
        yield* accounts.removeTenant(tenant, actor).pipe(Effect.mapError(notFound))
      }),
      quotas: Effect.fnUntraced(function* ({ params }) {
        const { tenant } = yield* findManaged(params.tenant)
        return { items: yield* quotas.usage(tenant) }
      }),
      setQuotas: Effect.fnUntraced(function* ({ params, payload }) {
        const { actor, principal, tenant } = yield* findManaged(params.tenant)
        if (!principal.isOperator) return yield* operatorOnly()
        yield* quotas.setLimits(tenant, payload, actor)
        return { items: yield* quotas.usage(tenant) }
      }),
      audit: Effect.fnUntraced(function* ({ params, query }) {
        const { tenant } = yield* findManaged(params.tenant)
        const { beforeSeq, limit = defaultLimit } = query
        return { items: yield* audit.list({ tenant, limit, ...(beforeSeq === undefined ? {} : { beforeSeq }) }) }
      }),
      users: Effect.fnUntraced(function* ({ params }) {
        const { tenant } = yield* findManaged(params.tenant)
        return { items: yield* accounts.users(tenant) }
      }),
      addUser: Effect.fnUntraced(function* ({ params, payload }) {
        const { actor, tenant } = yield* findManaged(params.tenant)
        const { name, scopes } = payload
        const user = yield* accounts.addUser({ tenant, user: payload.user as UserId, name, scopes }, actor).pipe(
          Effect.catchTags({
            AccountExists: () => Effect.fail(exists()),
            AccountNotFound: () => Effect.fail(notFound())
          })
        )
        const request = {
          tenant,
          user: user.user,
          scopes: user.scopes,
          label: "invitation",
          lifetimeMillis: firstLinkMillis
        }
        const { credential, secret } = yield* accounts.issueLink(request, actor).pipe(Effect.mapError(notFound))
        return { user, link: { credential, secret: Redacted.value(secret) } }
      }),
      setUserScopes: Effect.fnUntraced(function* ({ params, payload }) {
        const { actor, tenant } = yield* findManaged(params.tenant)
        const user = { tenant, user: params.user as UserId, scopes: payload.scopes }
        yield* accounts.setUserScopes(user, actor).pipe(Effect.mapError(notFound))
      }),
      removeUser: Effect.fnUntraced(function* ({ params }) {
        const { actor, tenant } = yield* findManaged(params.tenant)
        yield* accounts.removeUser({ tenant, user: params.user as UserId }, actor).pipe(Effect.mapError(notFound))
      }),
      tokens: Effect.fnUntraced(function* ({ params }) {
        const { tenant } = yield* findManaged(params.tenant)
        return { items: yield* accounts.credentials(tenant) }
      }),
      revokeToken: Effect.fnUntraced(function* ({ params }) {
        const { actor, tenant } = yield* findManaged(params.tenant)
        yield* accounts.revoke({ tenant, tokenId: params.tokenId as TokenId }, actor).pipe(Effect.mapError(notFound))
      })
    })
  })
)
