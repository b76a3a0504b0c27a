/** The user who makes a request, and the scopes of the token. Routes see a principal only through this middleware. */
import * as Context from "effect/Context"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as Schema from "effect/Schema"
import { Forbidden, TooManyRequests, Unauthenticated } from "./Problem.ts"

/**
 * `read` lists and streams; `chat` creates sessions, sends and cancels; `approve` decides approvals and rules; `admin`
 * manages the users, credentials and quotas of a tenant, and gives no access to their sessions. No scope implies
 * another.
 */
export const Scope = Schema.Literals(["read", "chat", "approve", "admin"])
export type Scope = typeof Scope.Type

export interface Principal {
  readonly tenant: string
  readonly user: string
  readonly scopes: ReadonlySet<Scope>
  /** The id of the token or cookie session that the request presented. */
  readonly tokenId: string
  readonly kind: "token" | "cookie"
  /** True in the tenant whose admins manage every tenant. */
  readonly isOperator: boolean
  /** Null: the credential does not expire. */
  readonly expiresAtMillis: number | null
}

/** Returns the name under which the runtime knows a user. */
export const userKey = ({ tenant, user }: Pick<Principal, "tenant" | "user">): string => `${tenant}/${user}`

/** The principal of the current request. */
export class CurrentPrincipal extends Context.Service<CurrentPrincipal, Principal>()(
  "@bough/gateway-api/CurrentPrincipal"
) {}

/**
 * The scope that an endpoint needs, as an annotation. Without one the endpoint needs `admin`, so that a forgotten
 * annotation grants no access. `any`: every credential is enough.
 */
export const RequiredScope = Context.Reference<Scope | "any">("@bough/gateway-api/RequiredScope", {
  defaultValue: () => "admin"
})

/** The name of the cookie that a signed-in page sends. */
export const cookieName = "bough_session"

export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: CurrentPrincipal }>()(
  "@bough/gateway-api/Authorization",
  {
    security: {
      bearer: HttpApiSecurity.bearer,
      cookie: HttpApiSecurity.apiKey({ key: cookieName, in: "cookie" })
    },
    error: [Unauthenticated, Forbidden, TooManyRequests]
  }
) {}
