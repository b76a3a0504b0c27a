/**
 * The settings of access, resolved for the address on which the server listens, and the rate limits of this process.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import type * as IpNetwork from "effect/net/IpNetwork"
import * as NetAddress from "effect/net/NetAddress"
import * as AllowedHosts from "./AllowedHosts.ts"
import { type AuthSettings, defaults, toNetworks } from "./AuthSettings.ts"
import type { CookiePolicy } from "./SessionCookie.ts"
import * as TokenBuckets from "./TokenBuckets.ts"

export class AccessPolicy extends Context.Service<
  AccessPolicy,
  {
    readonly allowed: AllowedHosts.AllowedHosts
    readonly cookie: CookiePolicy
    readonly cookieLifetimeMillis: number
    /** The public address of the gateway, without a slash at the end. */
    readonly publicUrl: string
    readonly trustedProxies: ReadonlyArray<IpNetwork.IpNetwork>
    readonly perToken: TokenBuckets.TokenBuckets
    readonly perAddress: TokenBuckets.TokenBuckets
  }
>()("@bough/gateway/AccessPolicy") {}

export const make = (
  settings: AuthSettings,
  listening: { readonly host: string; readonly port: number }
): AccessPolicy["Service"] => {
  const { allowedHosts, allowedOrigins, rateLimits, trustedProxies = [] } = settings
  const publicUrl = (settings.publicUrl ?? localUrl(listening)).replace(/\/+$/, "")
  return {
    allowed: AllowedHosts.make({
      listening,
      publicUrl,
      ...(allowedHosts === undefined ? {} : { allowedHosts }),
      ...(allowedOrigins === undefined ? {} : { allowedOrigins })
    }),
    cookie: { isSecure: new URL(publicUrl).protocol === "https:" },
    cookieLifetimeMillis: (settings.cookieHours ?? defaults.cookieHours) * 3_600_000,
    publicUrl,
    trustedProxies: toNetworks(trustedProxies),
    perToken: TokenBuckets.make(rateLimits?.perToken ?? defaults.rateLimits.perToken),
    perAddress: TokenBuckets.make(rateLimits?.perAddress ?? defaults.rateLimits.perAddress)
  }
}

const localUrl = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  `http://${["0.0.0.0", "::"].includes(host) ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host}:${port}`

export const layer = (settings: AuthSettings): Layer.Layer<AccessPolicy, never, HttpServer.HttpServer> =>
  Layer.effect(
    AccessPolicy,
    Effect.map(HttpServer.HttpServer, ({ address }) =>
      make(
        settings,
        NetAddress.isInetAddress(address)
          ? { host: NetAddress.formatIp(address.address), port: address.port }
          : { host: "127.0.0.1", port: 0 }
      )
    )
  )
