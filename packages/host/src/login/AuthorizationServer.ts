/** The authorization server of a provider, through openid-client: its endpoints, and how requests reach it. */
import { refusal } from "@bough/mcp/client/auth/AuthorizationServer"
import * as NodeFetch from "@bough/models/NodeFetch"
import * as Effect from "effect/Effect"
import type * as OpenId from "openid-client"
import { failed, type HostFailure, invalid } from "../HostFailure.ts"
import type { Login } from "./LoginSchema.ts"

export interface AuthorizationServer {
  readonly client: typeof OpenId
  readonly configuration: OpenId.Configuration
}

type Variables = Readonly<Record<string, string | undefined>>

const timeoutMillis = 20_000

const library = Effect.promise(() => import("openid-client"))

/** Finds the endpoints of the server that the configuration names. `variables` select the proxy. */
export const connect = Effect.fnUntraced(function* (
  provider: string,
  login: Login,
  variables: Variables
): Effect.fn.Return<AuthorizationServer, HostFailure> {
  const keyPath = `providers.${provider}.oauth`
  const endpoints = endpointsOf(login)
  for (const [key, address] of Object.entries({ issuer: login.issuer, ...endpoints })) {
    if (address === undefined) continue
    const url = URL.parse(address)
    const refused = url === null ? `${address} is not a URL` : refusal(url)
    if (refused !== null) return yield* invalid(`${keyPath}: ${key}: ${refused}`, "correct it in the configuration")
  }
  const client = yield* library
  const authentication = login.clientSecret === undefined ? client.None() : client.ClientSecretPost(login.clientSecret)
  const fetch = fetchOf(variables)
  const allowed = login.issuer === undefined ? login.tokenEndpoint : login.issuer
  const isPlain = allowed?.startsWith("http:") === true
  const configuration = yield* login.issuer === undefined
    ? Effect.sync(() => {
        const metadata = { issuer: URL.parse(login.tokenEndpoint ?? "")?.origin ?? "", ...withoutUndefined(endpoints) }
        return new client.Configuration(metadata, login.clientId, undefined, authentication)
      })
    : Effect.tryPromise({
        try: () =>
          client
            .discovery(new URL(login.issuer ?? ""), login.clientId, undefined, authentication, {
              algorithm: "oauth2",
              timeout: timeoutMillis / 1000,
              execute: isPlain ? [client.allowInsecureRequests] : [],
              [client.customFetch]: fetch
            })
            .catch(() =>
              // An older server publishes its endpoints for OpenID Connect alone.
              client.discovery(new URL(login.issuer ?? ""), login.clientId, undefined, authentication, {
                timeout: timeoutMillis / 1000,
                execute: isPlain ? [client.allowInsecureRequests] : [],
                [client.customFetch]: fetch
              })
            ),
        catch: (cause) =>
          failed(
            `the authorization server ${login.issuer} is not reached: ${sentenceOf(cause)}`,
            `check ${keyPath} and the network, then log in again`,
            cause
          )
      })
  const { token_endpoint: token } = configuration.serverMetadata()
  if (token === undefined) return yield* invalid(`${keyPath} has neither an issuer nor a tokenEndpoint`, "add one")
  if (login.issuer === undefined) {
    configuration[client.customFetch] = fetch
    configuration.timeout = timeoutMillis / 1000
    if (isPlain) client.allowInsecureRequests(configuration)
  }
  return { client, configuration }
})

const endpointsOf = ({ authorizationEndpoint, deviceEndpoint, revocationEndpoint, tokenEndpoint }: Login) => ({
  authorization_endpoint: authorizationEndpoint,
  device_authorization_endpoint: deviceEndpoint,
  token_endpoint: tokenEndpoint,
  revocation_endpoint: revocationEndpoint
})

const withoutUndefined = (endpoints: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(endpoints).flatMap(([name, url]) => (url === undefined ? [] : [[name, url]])))

/** Sends over the connections of models, which take the same proxies. */
const fetchOf = (variables: Variables): OpenId.CustomFetch => {
  const send = NodeFetch.sender({ idleMillis: timeoutMillis, environment: variables })
  return (address, { body, headers, method, signal }) =>
    send(new URL(address), {
      method,
      headers,
      body: typeof body === "string" || body instanceof URLSearchParams ? body.toString() : undefined,
      ...(signal ? { signal } : {})
    }).then(({ headers: received, response, status }) =>
      NodeFetch.textOf(response).then(
        (text) => new Response(status === 204 || status === 304 ? null : text, { status, headers: [...received] })
      )
    )
}

/** The error code of the server with its description, or the message of another failure. It contains no token. */
export const sentenceOf = (cause: unknown): string => {
  const { error, error_description: description } = (cause ?? {}) as Readonly<Record<string, unknown>>
  const reason =
    typeof error === "string"
      ? [error, typeof description === "string" ? description : ""].join(" ")
      : cause instanceof Error
        ? messageOf(cause)
        : "unknown error"
  return reason
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, "")
    .trim()
    .slice(0, 300)
}

/** The client calls every failed request "something went wrong": only the cause tells the reason. */
const messageOf = ({ cause, message }: Error): string => {
  if (!(cause instanceof Error)) return message
  return message === "something went wrong" ? cause.message : `${message}: ${cause.message}`
}

/** The error code of an answer of the server; null: the failure is of another kind. */
export const codeOf = (cause: unknown): string | null => {
  const { error } = (cause ?? {}) as Readonly<Record<string, unknown>>
  return typeof error === "string" ? error : null
}
