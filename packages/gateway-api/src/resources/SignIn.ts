/** Signing in to the page: a secret is exchanged for a cookie, which no script can read. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"
import { Authorization, RequiredScope, Scope } from "../Authorization.ts"
import { TooManyRequests, Unauthenticated, Unavailable, Unprocessable } from "../Problem.ts"

/**
 * The response sets the cookie. Requests with the cookie that change data must send `csrf` in the header
 * `X-CSRF-Token`.
 */
export const SignedIn = Schema.Struct({
  tenant: Schema.String,
  user: Schema.String,
  scopes: Schema.Array(Scope),
  /** True: the user's tenant manages every tenant. */
  isOperator: Schema.Boolean,
  /** Null: the request had a token, not the cookie. */
  csrf: Schema.NullOr(Schema.String),
  expiresAtMillis: Schema.NullOr(Schema.Natural)
}).annotate({ identifier: "SignedIn" })

export const SignInMethods = Schema.Struct({
  link: Schema.Literal(true),
  token: Schema.Literal(true),
  /** The name of the OpenID Connect provider; null: none is configured. */
  openid: Schema.NullOr(Schema.Struct({ name: Schema.String }))
}).annotate({ identifier: "SignInMethods" })

const Secret = Schema.String.check(Schema.isMaxLength(200))
const refused = [Unauthenticated, TooManyRequests]

export class SignInApi extends HttpApiGroup.make("signIn")
  .add(
    HttpApiEndpoint.get("methods", "/methods", { success: SignInMethods }),
    /** Signs in with the secret of a one-time link. */
    HttpApiEndpoint.post("link", "/link", {
      payload: Schema.Struct({ secret: Secret }),
      success: SignedIn,
      error: refused
    }),
    /** Signs in with a bearer token; the cookie ends when the token ends. */
    HttpApiEndpoint.post("token", "/token", {
      payload: Schema.Struct({ token: Secret }),
      success: SignedIn,
      error: refused
    }),
    /** Begins a sign-in at the provider, and returns the provider's address. */
    HttpApiEndpoint.post("openid", "/openid", {
      success: Schema.Struct({ url: Schema.String }),
      error: [TooManyRequests, Unavailable, Unprocessable]
    }),
    HttpApiEndpoint.get("me", "/me", { success: SignedIn }).annotate(RequiredScope, "any").middleware(Authorization),
    /** Revokes the cookie, or the token, of the request. */
    HttpApiEndpoint.post("signOut", "/sign-out", {}).annotate(RequiredScope, "any").middleware(Authorization)
  )
  .prefix("/auth") {}
