/**
 * Tenants, their users, quotas and audit log. An admin manages their own tenant; an admin of the operators' tenant
 * manages all of them. Requests for any other tenant fail as not found.
 */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import { Authorization, RequiredScope } from "../Authorization.ts"
import * as Idempotency from "../Idempotency.ts"
import * as Page from "../Page.ts"
import { Conflict, Forbidden, NotFound } from "../Problem.ts"
import {
  AddedUser,
  AuditRecord,
  CreateTenant,
  CreateUser,
  Credential,
  QuotaLimits,
  QuotaUsage,
  Tenant,
  User,
  UserScopes
} from "./Accounts.ts"
import { tokenParams } from "./Tokens.ts"

const params = { tenant: Schema.NonEmptyString.check(Schema.isMaxLength(100)) }
const userParams = { ...params, user: Schema.NonEmptyString.check(Schema.isMaxLength(100)) }

const itemsOf = <S extends Schema.Top>(item: S) => Schema.Struct({ items: Schema.Array(item) })

export class TenantsApi extends HttpApiGroup.make("tenants")
  .add(
    HttpApiEndpoint.get("list", "/", { success: itemsOf(Tenant) }).annotate(RequiredScope, "admin"),
    /** Creates a tenant. Only for operators. */
    HttpApiEndpoint.post("create", "/", {
      headers: Idempotency.headers,
      payload: CreateTenant,
      success: Tenant.pipe(HttpApiSchema.status(201)),
      error: [Conflict, Forbidden]
    }).annotate(RequiredScope, "admin"),
    /** Removes a tenant, whose users can then no longer sign in; its data stays. Only for operators. */
    HttpApiEndpoint.delete("remove", "/:tenant", {
      params,
      headers: Idempotency.headers,
      error: [Conflict, Forbidden, NotFound]
    }).annotate(RequiredScope, "admin"),
    HttpApiEndpoint.get("quotas", "/:tenant/quotas", {
      params,
      success: itemsOf(QuotaUsage),
      error: NotFound
    }).annotate(RequiredScope, "admin"),
    /** Sets quotas. Only for operators. */
    HttpApiEndpoint.patch("setQuotas", "/:tenant/quotas", {
      params,
      headers: Idempotency.headers,
      payload: QuotaLimits,
      success: itemsOf(QuotaUsage),
      error: [Forbidden, NotFound]
    }).annotate(RequiredScope, "admin"),
    /** Lists the audit log, newest first; `beforeSeq` continues a list. */
    HttpApiEndpoint.get("audit", "/:tenant/audit", {
      params,
      query: { limit: Page.limit, beforeSeq: Schema.optionalKey(Schema.NumberFromString.check(Schema.isInt())) },
      success: itemsOf(AuditRecord),
      error: NotFound
    }).annotate(RequiredScope, "admin"),
    HttpApiEndpoint.get("users", "/:tenant/users", { params, success: itemsOf(User), error: NotFound }).annotate(
      RequiredScope,
      "admin"
    ),
    HttpApiEndpoint.post("addUser", "/:tenant/users", {
      params,
      headers: Idempotency.headers,
      payload: CreateUser,
      success: AddedUser.pipe(HttpApiSchema.status(201)),
      error: [Conflict, NotFound]
    })
      .annotate(RequiredScope, "admin")
      .annotate(Idempotency.AnswersWithSecret, true),
    HttpApiEndpoint.patch("setUserScopes", "/:tenant/users/:user", {
      params: userParams,
      headers: Idempotency.headers,
      payload: UserScopes,
      error: NotFound
    }).annotate(RequiredScope, "admin"),
    HttpApiEndpoint.delete("removeUser", "/:tenant/users/:user", {
      params: userParams,
      headers: Idempotency.headers,
      error: NotFound
    }).annotate(RequiredScope, "admin"),
    HttpApiEndpoint.get("tokens", "/:tenant/tokens", {
      params,
      success: itemsOf(Credential),
      error: NotFound
    }).annotate(RequiredScope, "admin"),
    HttpApiEndpoint.delete("revokeToken", "/:tenant/tokens/:tokenId", {
      params: { ...params, ...tokenParams },
      headers: Idempotency.headers,
      error: NotFound
    }).annotate(RequiredScope, "admin")
  )
  .middleware(Idempotency.Idempotency)
  .middleware(Authorization)
  .prefix("/api/v1/tenants") {}
