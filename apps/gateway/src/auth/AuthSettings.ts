/** The part of the configuration about access to the gateway and sign-in. */
import * as IpNetwork from "effect/net/IpNetwork"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { AccessScope } from "../accounts/AccessScope.ts"
import { TenantId } from "../accounts/Principal.ts"

const Origin = Schema.String.check(
  Schema.makeFilter((text: string) => URL.canParse(text) && new URL(text).origin === text, {
    expected: "an origin such as https://agents.example.org, without a path"
  })
)

const Url = Schema.String.check(
  Schema.makeFilter((text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
    expected: "an http or https URL"
  })
)

const Network = Schema.String.check(
  Schema.makeFilter((text: string) => Result.isSuccess(networkFrom(text)), {
    expected: "an address or a network such as 10.0.0.0/8"
  })
)

const networkFrom = (text: string) =>
  IpNetwork.fromString(text.includes("/") ? text : `${text}/${text.includes(":") ? 128 : 32}`)

export const toNetworks = (texts: ReadonlyArray<string>): ReadonlyArray<IpNetwork.IpNetwork> =>
  texts.map((text) => Result.getOrThrow(networkFrom(text)))

const Positive = Schema.Number.check(Schema.isGreaterThan(0))

/** Allows `burst` requests at once, and refills `perSecond` of them each second. */
export const RateLimit = Schema.Struct({ burst: Positive, perSecond: Positive })
export type RateLimit = typeof RateLimit.Type

export const OpenIdSettings = Schema.Struct({
  issuer: Url.annotate({ description: "The provider's issuer URL; its discovery document is read from there" }),
  clientId: Schema.NonEmptyString.annotate({
    description: "The client id under which the gateway is registered with the provider"
  }),
  clientSecretVariable: Schema.optionalKey(
    Schema.NonEmptyString.annotate({ description: "The environment variable that contains the client's secret" })
  ),
  name: Schema.optionalKey(Schema.NonEmptyString.annotate({ description: "The provider's name on the sign-in page" })),
  tenant: TenantId.annotate({ description: "The tenant that its users belong to" }),
  scopes: Schema.Array(AccessScope).annotate({
    description: "The scopes of users that are added at their first sign-in"
  }),
  addUsers: Schema.optionalKey(
    Schema.Boolean.annotate({
      description: "Add a user at the first sign-in; default false: an admin links each identity"
    })
  ),
  userClaim: Schema.optionalKey(
    Schema.NonEmptyString.annotate({
      description: "The claim that a new user's id comes from; default preferred_username"
    })
  ),
  requiredClaims: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.String).annotate({
      description: "Claims that a person must have to sign in, such as a group: the claim equals or contains the value"
    })
  )
})
export type OpenIdSettings = typeof OpenIdSettings.Type

export const AuthSettings = Schema.Struct({
  publicUrl: Schema.optionalKey(
    Url.annotate({ description: "The address that users open, including the path prefix behind a proxy" })
  ),
  allowedHosts: Schema.optionalKey(
    Schema.Array(Schema.NonEmptyString).annotate({
      description: "Further values of the Host header, with the port if it is not the default"
    })
  ),
  allowedOrigins: Schema.optionalKey(
    Schema.Array(Origin).annotate({
      description: "Origins of other pages that may call the API with a bearer token; cookies never work for them"
    })
  ),
  trustedProxies: Schema.optionalKey(
    Schema.Array(Network).annotate({ description: "Proxies whose X-Forwarded headers are believed; default none" })
  ),
  rateLimits: Schema.optionalKey(
    Schema.Struct({
      perToken: Schema.optionalKey(RateLimit),
      perAddress: Schema.optionalKey(RateLimit)
    }).annotate({ description: "Requests of one credential and of one address" })
  ),
  cookieHours: Schema.optionalKey(
    Positive.annotate({ description: "How long a sign-in of the page lasts; default 168" })
  ),
  openid: Schema.optionalKey(OpenIdSettings.annotate({ description: "Sign-in by an OpenID Connect provider" }))
})
export type AuthSettings = typeof AuthSettings.Type

export const defaults = {
  rateLimits: { perToken: { burst: 1000, perSecond: 100 }, perAddress: { burst: 2000, perSecond: 200 } },
  cookieHours: 168
} as const
