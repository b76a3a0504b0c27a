/**
 * Checks the authorization server that an MCP server names, before a client is registered there, a page of it is shown or a
 * code is sent to it. Pure.
 */
import type { OAuthDiscoveryState } from "@modelcontextprotocol/sdk/client/auth.js"
import type { OAuthSettings } from "../../ServerConfig.ts"

const loopback: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"])

export const isLoopback = (url: URL): boolean => loopback.has(url.hostname)

/** Returns the reason why a token must not be sent to the address; null: it may be sent. */
export const refusal = (url: URL): string | null =>
  url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url))
    ? null
    : `${placeOf(url)} is not https: a token would be readable on its way`

/** The origin of an address, or its scheme if it has no origin. */
const placeOf = ({ origin, protocol }: URL): string => (origin === "null" ? `an address of ${protocol}` : origin)

/** Returns the reason why the page of a login at a server must not be opened; null: it may be opened. */
export const pageRefusal = (page: URL, server: URL): string | null => {
  if (page.username !== "" || page.password !== "") return `the address of its page hides the host ${page.host}`
  if (isLoopback(page) && !isLoopback(server))
    return `its page is on this machine (${page.origin}), and the server is not`
  return refusal(page)
}

/** Returns the reason why an authorization server is not used for this server; null: it may be used. */
export const faultOf = (
  { authorizationServerMetadata: metadata, authorizationServerUrl, resourceMetadata }: OAuthDiscoveryState,
  { clientSecret, issuer }: OAuthSettings,
  server: URL
): string | null => {
  const named = quoteAddress(authorizationServerUrl)
  if (issuer !== null && !isSame(issuer, authorizationServerUrl)) {
    return `the server names the authorization server ${named}, and oauth.issuer is ${issuer}`
  }
  if (issuer === null && clientSecret !== null && URL.parse(authorizationServerUrl)?.hostname !== server.hostname) {
    return `the server names the authorization server ${named}, which would get oauth.clientSecret: if the client is registered there, set oauth.issuer to that address`
  }
  if (metadata === undefined) return null
  // A server that poses as another server would get that server's codes. Older servers name no authorization server;
  // theirs may have any path at their own origin.
  const isOwn = resourceMetadata === undefined && URL.parse(metadata.issuer)?.origin === server.origin
  if (!isOwn && !isSame(metadata.issuer, authorizationServerUrl)) {
    return `the authorization server ${named} says that it is ${quoteAddress(metadata.issuer)}`
  }
  return metadata.code_challenge_methods_supported?.includes("S256") === true
    ? null
    : `the authorization server ${named} does not say that it checks codes with PKCE (S256)`
}

const quoteAddress = (address: string): string => JSON.stringify(address.slice(0, 200))

/** Compares two identifiers; one slash at the end does not matter. */
const isSame = (one: string, other: string): boolean => normalize(one) === normalize(other)

const normalize = (address: string): string => (URL.parse(address)?.href ?? address).replace(/\/$/u, "")
