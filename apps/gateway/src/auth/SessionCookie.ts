/**
 * The cookie of a signed-in page. With https its name binds it to this host and to https, so other hosts cannot replace
 * it.
 */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Redacted from "effect/Redacted"

export interface CookiePolicy {
  /** True if the public address uses https. */
  readonly isSecure: boolean
}

export const nameOf = ({ isSecure }: CookiePolicy): string => (isSecure ? "__Host-bough_session" : "bough_session")

/** Binds a sign-in at a provider to the browser that began it; it comes back with a navigation from the provider. */
export const openIdNameOf = ({ isSecure }: CookiePolicy): string => (isSecure ? "__Host-bough_openid" : "bough_openid")

export const attributes = ({ isSecure }: CookiePolicy) => ({ httpOnly: true, secure: isSecure, path: "/" }) as const

export const set = (
  response: HttpServerResponse.HttpServerResponse,
  policy: CookiePolicy,
  cookie: { readonly secret: Redacted.Redacted; readonly lifetimeMillis: number }
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setCookieUnsafe(response, nameOf(policy), Redacted.value(cookie.secret), {
    ...attributes(policy),
    sameSite: "strict",
    maxAge: cookie.lifetimeMillis
  })

export const clear = (
  response: HttpServerResponse.HttpServerResponse,
  policy: CookiePolicy
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setCookieUnsafe(response, nameOf(policy), "", {
    ...attributes(policy),
    sameSite: "strict",
    maxAge: 0
  })

export const setOpenId = (
  response: HttpServerResponse.HttpServerResponse,
  policy: CookiePolicy,
  cookie: { readonly value: string; readonly lifetimeMillis: number }
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setCookieUnsafe(response, openIdNameOf(policy), cookie.value, {
    ...attributes(policy),
    sameSite: "lax",
    maxAge: cookie.lifetimeMillis
  })
