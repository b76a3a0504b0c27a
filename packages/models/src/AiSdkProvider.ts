/**
 * A provider behind the port: its address and key are checked at once, and its package is loaded with the first reply.
 */
import type { LanguageModelV4 } from "@ai-sdk/provider"
import type { Model } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as AiSdkBridge from "./AiSdkBridge.ts"
import * as Failure from "./Failure.ts"
import * as IdleLimit from "./IdleLimit.ts"
import * as Login from "./Login.ts"
import type { Fetch, Send } from "./NodeFetch.ts"
import type { Request } from "./Provider.ts"

/** The address for requests, and their credentials. */
export interface Endpoint {
  readonly baseUrl: string
  /** The variables that set the address and the key, for hints. */
  readonly baseUrlName: string
  readonly keyName: string
  /** Texts that must not appear in a message. */
  readonly secrets: ReadonlyArray<string>
  /** True if the configuration is enough for requests; false is reported as a missing key. */
  readonly opened: boolean
}

export interface AiSdkProviderOptions {
  readonly request: Pick<Request, "name" | "price" | "contextTokens" | "environment" | "login">
  readonly endpoint: Endpoint
  readonly manners: AiSdkBridge.Manners
  /** Called until it succeeds, then never again. */
  readonly load: (
    http: Http,
    provider: Failure.Provider
  ) => Effect.Effect<LanguageModelV4 | AiSdkBridge.Client, Model.ModelError>
}

/** Both interfaces use the same connections. */
export interface Http {
  readonly send: Send
  readonly fetch: Fetch
}

const idleMillis = IdleLimit.defaultIdleMillis

/** Fails at once for an invalid base URL or a missing key. */
export const make = Effect.fnUntraced(function* ({ endpoint, load, manners, request }: AiSdkProviderOptions) {
  const provider: Failure.Provider = {
    model: request.name,
    baseUrl: printable(endpoint.baseUrl),
    keyName: endpoint.keyName,
    baseUrlName: endpoint.baseUrlName,
    secrets: request.login?.secrets ?? endpoint.secrets
  }
  if (!/^https?:$/.test(URL.parse(endpoint.baseUrl)?.protocol ?? "")) {
    return yield* Failure.noAddress(provider, endpoint.baseUrl)
  }
  const { login } = request
  if (!endpoint.opened && login === undefined) return yield* Failure.missingKey(provider)
  const loading = Effect.flatMap(
    Effect.promise(() => import("./NodeFetch.ts")),
    (NodeFetch) => {
      const plain = NodeFetch.sender({ idleMillis, environment: request.environment })
      const send = login === undefined ? plain : Login.withLogin(plain, login, request.name)
      return load({ send, fetch: NodeFetch.make(send) }, provider)
    }
  )
  return AiSdkBridge.make({
    provider,
    contextTokens: request.contextTokens,
    price: request.price,
    manners,
    load: yield* Effect.cachedWithTTL(loading, (exit) => (Exit.isSuccess(exit) ? Infinity : 0))
  })
})

/** Removes the parts of an address that only the server may see: user, password and query. */
const printable = (baseUrl: string): string => {
  const url = URL.parse(baseUrl)
  return url === null ? JSON.stringify(baseUrl) : `${url.protocol}//${url.host}${url.pathname}`.replace(/\/$/, "")
}

/** Returns the address with the API's version as its last segment, which users may leave out. */
export const withVersion = (baseUrl: string, version: string): string => {
  const trimmed = baseUrl.replace(/\/+$/, "")
  return /\/v\d+[a-z]*\d*$/.test(trimmed) || URL.parse(trimmed) === null ? trimmed : `${trimmed}/${version}`
}
