/**
 * The values of `Host` and `Origin` that the gateway accepts. With DNS rebinding, a page of another site sends its own
 * host name; a page that makes cross-site requests sends its origin.
 */
import * as NetAddress from "effect/net/NetAddress"
import * as Result from "effect/Result"

export interface AllowedHosts {
  /** The host in lower case, `name[:port]`, as browsers send it: without the port if it is the scheme's default. */
  readonly hosts: ReadonlySet<string>
  /** Origins of the gateway's own page. */
  readonly origins: ReadonlySet<string>
  /** Origins whose pages may call with a bearer token. */
  readonly otherOrigins: ReadonlySet<string>
}

export interface AllowedHostsInput {
  /** The address that the server listens on. */
  readonly listening: { readonly host: string; readonly port: number }
  readonly publicUrl?: string
  readonly allowedHosts?: ReadonlyArray<string>
  readonly allowedOrigins?: ReadonlyArray<string>
}

/** True for a name or an address of this machine. */
export const isLoopback = (host: string): boolean => {
  const address = NetAddress.ipFromString(host)
  return host === "localhost" || (Result.isSuccess(address) && NetAddress.isLoopback(address.success))
}

/** Returns the names of this machine for a server on loopback, and the address itself otherwise. */
const ownNames = (host: string): ReadonlyArray<string> => {
  if (isLoopback(host)) return ["localhost", "127.0.0.1", "[::1]"]
  const address = NetAddress.ipFromString(host)
  if (Result.isFailure(address)) return [host.toLowerCase()]
  return NetAddress.isUnspecified(address.success) ? [] : [NetAddress.formatUrlHost(address.success)]
}

/**
 * A server that listens on all addresses answers only to the names of `publicUrl` and `allowedHosts`, and to loopback.
 */
export const make = (input: AllowedHostsInput): AllowedHosts => {
  const { host, port } = input.listening
  const names = ownNames(host)
  const local = names.length === 0 ? ownNames("localhost") : names
  const urls = local.map((name) => new URL(`http://${name}:${port}`))
  if (input.publicUrl !== undefined) urls.push(new URL(input.publicUrl))
  const further = (input.allowedHosts ?? []).map((name) => name.toLowerCase())
  return {
    hosts: new Set([...urls.map((url) => url.host), ...further]),
    origins: new Set([
      ...urls.map((url) => url.origin),
      ...further.flatMap((name) => [`http://${name}`, `https://${name}`])
    ]),
    otherOrigins: new Set(input.allowedOrigins ?? [])
  }
}

/** A request without a host is refused: HTTP/1.1 requires one. */
export const isHostAllowed = ({ hosts }: AllowedHosts, host: string | undefined): boolean =>
  host !== undefined && hosts.has(host.toLowerCase())

/** A request without an origin comes from a program, or from a page of the same origin that only reads. */
export const isOriginAllowed = ({ origins, otherOrigins }: AllowedHosts, origin: string | undefined): boolean =>
  origin === undefined || origins.has(origin) || otherOrigins.has(origin)

export const isOwnOrigin = ({ origins }: AllowedHosts, origin: string): boolean => origins.has(origin)
