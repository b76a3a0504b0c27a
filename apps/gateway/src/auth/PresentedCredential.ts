/**
 * The credential of a request. An `Authorization` header takes precedence: a cookie never admits a request with a wrong
 * token. Nothing is read from the URL or the body.
 */
import * as Redacted from "effect/Redacted"
import * as CredentialSecret from "../accounts/CredentialSecret.ts"
import { type AllowedHosts, isOwnOrigin } from "./AllowedHosts.ts"
import { type CookiePolicy, nameOf } from "./SessionCookie.ts"

export const csrfHeader = "x-csrf-token"

export type PresentedCredential =
  | { readonly _tag: "None" }
  | { readonly _tag: "Bearer"; readonly secret: Redacted.Redacted }
  | { readonly _tag: "Cookie"; readonly secret: Redacted.Redacted }

export interface CredentialedRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly cookies: Readonly<Record<string, string>>
}

/** Another scheme than Bearer, or an empty value, counts as a wrong credential: its secret matches nothing. */
export const fromRequest = ({ cookies, headers }: CredentialedRequest, policy: CookiePolicy): PresentedCredential => {
  const authorization = headers["authorization"]
  if (authorization !== undefined) {
    const secret = /^bearer +([^\s]+) *$/i.exec(authorization)?.[1] ?? ""
    return { _tag: "Bearer", secret: Redacted.make(secret) }
  }
  const cookie = cookies[nameOf(policy)]
  return cookie === undefined ? { _tag: "None" } : { _tag: "Cookie", secret: Redacted.make(cookie) }
}

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"])

/**
 * True if a page of this gateway made the request. Browsers attach the cookie automatically, so a request that changes
 * state must repeat a proof from the sign-in in a header, and a WebSocket request must name its origin.
 */
export const isFromOwnPage = (
  { headers, method }: CredentialedRequest,
  cookie: Redacted.Redacted,
  allowed: AllowedHosts
): boolean => {
  const origin = headers["origin"]
  if (origin !== undefined && !isOwnOrigin(allowed, origin)) return false
  if (headers["sec-fetch-site"] === "cross-site") return false
  if (headers["upgrade"] !== undefined) return origin !== undefined
  return safeMethods.has(method) || CredentialSecret.isCsrfToken(headers[csrfHeader] ?? "", cookie)
}
