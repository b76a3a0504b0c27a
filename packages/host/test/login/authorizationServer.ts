/**
 * An authorization server on loopback: the package oidc-provider with the browser's flow, codes for devices, refresh
 * tokens that work once, and revocation. Also an API that accepts its tokens.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Provider } from "oidc-provider"

export const clientId = "bough"

export interface Options {
  /** Seconds until an access token expires. */
  readonly tokenSeconds?: number
  /** Seconds until a device's code expires. */
  readonly codeSeconds?: number
  /** False: the server issues no refresh tokens. */
  readonly isRefreshed?: boolean
}

export type AuthorizationServer = Awaited<ReturnType<typeof start>>

export const start = async ({ codeSeconds = 600, isRefreshed = true, tokenSeconds = 3600 }: Options = {}) => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let answer: "consents" | "denies" = "consents"
  const requests: Array<string> = []
  const tokens = { issued: new Set<string>(), revoked: new Set<string>(), refreshes: 0 }
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        application_type: "native",
        token_endpoint_auth_method: "none",
        redirect_uris: ["http://127.0.0.1/callback", "http://localhost/callback"],
        grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
        response_types: ["code"]
      }
    ],
    cookies: { keys: ["a key of the server"] },
    pkce: { required: () => true },
    scopes: ["openid", "offline_access", "models"],
    ttl: { AccessToken: tokenSeconds, DeviceCode: codeSeconds, RefreshToken: 86_400 },
    features: {
      devInteractions: { enabled: false },
      deviceFlow: { enabled: true },
      revocation: { enabled: true },
      introspection: { enabled: false }
    },
    issueRefreshToken: () => isRefreshed,
    rotateRefreshToken: true,
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ accountId: oidc.session!.accountId!, clientId: oidc.client!.clientId })
      grant.addOIDCScope("openid offline_access models")
      await grant.save()
      return grant
    }
  })
  provider.on("access_token.saved", ({ jti }) => tokens.issued.add(jti))
  provider.on("refresh_token.saved", ({ jti }) => tokens.issued.add(jti))
  provider.on("grant.success", ({ oidc }) => {
    if (oidc.params?.["grant_type"] === "refresh_token") tokens.refreshes += 1
  })
  provider.on("grant.revoked", () => {})
  provider.on("refresh_token.destroyed", ({ jti }) => tokens.revoked.add(jti))

  /** Ends a login by a code as its user does on another device. */
  const decide = async (code: string, isApproved: boolean): Promise<void> => {
    const device = await provider.DeviceCode.findByUserCode(code.replaceAll("-", "").toUpperCase())
    if (device === undefined) throw new Error(`no such code: ${code}`)
    const grant = new provider.Grant({ accountId: "ada", clientId })
    grant.addOIDCScope("openid offline_access models")
    Object.assign(
      device,
      isApproved
        ? { accountId: "ada", grantId: await grant.save(), scope: "models", authTime: Math.floor(Date.now() / 1000) }
        : { error: "access_denied", errorDescription: "the user said no" }
    )
    await (device as unknown as { save: (seconds: number) => Promise<string> }).save(60)
  }

  // Without the server's word, a program waits five seconds before it asks whether the user has typed the code.
  provider.use(async (context, next) => {
    await next()
    if (context.oidc?.route === "device_authorization") Object.assign(context.body as object, { interval: 0.1 })
  })
  const callback = provider.callback()
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    requests.push(`${request.method} ${request.url?.replace(/\?.*/u, "")}`)
    if (request.url?.startsWith("/interaction/") !== true) return void callback(request, response)
    const result =
      answer === "denies"
        ? { error: "access_denied", error_description: "the user said no" }
        : { login: { accountId: "ada" }, consent: {} }
    void provider.interactionFinished(request, response, result)
  })
  return {
    issuer,
    requests,
    tokens,
    answers: (given: typeof answer): void => {
      answer = given
    },
    decide,
    /** True if the API accepts the token. */
    accepts: async (token: string): Promise<boolean> => (await provider.AccessToken.find(token))?.isValid === true,
    /** Ends every token of the grant that a token is of. */
    revoke: async (token: string): Promise<void> => {
      const found = await provider.AccessToken.find(token)
      if (found?.grantId !== undefined) {
        await provider.RefreshToken.revokeByGrantId(found.grantId)
        await provider.AccessToken.revokeByGrantId(found.grantId)
      }
    },
    /** Ends one access token; the refresh token stays valid. */
    expire: async (token: string): Promise<void> => (await provider.AccessToken.find(token))?.destroy(),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

/** A browser that follows redirects with cookies to the end; returns the last answer, and its address. */
export const browse = async (page: string): Promise<{ readonly status: number; readonly url: string }> => {
  const cookies = new Map<string, string>()
  let url = page
  for (let hops = 0; hops < 12; hops += 1) {
    const response = await fetch(url, {
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") }
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/u.exec(cookie) ?? []
      cookies.set(name, value)
    }
    await response.text()
    const location = response.headers.get("location")
    if (location === null) return { status: response.status, url }
    url = new URL(location, url).href
    if (/\/callback(?:\?|$)/u.test(url)) return { status: 0, url }
  }
  throw new Error(`too many redirects from ${page}`)
}
