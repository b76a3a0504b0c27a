/**
 * Requests to a server with the token of its login, which is refreshed if the server rejects it. A new login needs the
 * user, and is not started here.
 */
import { Canonical } from "@bough/protocol"
import * as Effect from "effect/Effect"
import type { ServerConfig } from "../../ServerConfig.ts"
import type { Fetch } from "../Ports.ts"
import type * as Sdk from "../sdk.ts"
import * as Challenge from "./Challenge.ts"
import * as Credentials from "./Credentials.ts"
import * as Provider from "./Provider.ts"

export interface AuthorizedOptions {
  readonly sdk: typeof Sdk
  readonly url: URL
  readonly oauth: ServerConfig["oauth"]
  readonly store: Credentials.Store
  /** Sends a request to the server. */
  readonly fetch: Fetch
  /** Sends a request to the authorization server. */
  readonly authFetch: Fetch
}

export interface AuthorizedClient {
  readonly fetch: Fetch
  /** True once the server has required a login that does not exist. */
  readonly needsLogin: () => boolean
  /** Redacts the secrets of the login, which a server might echo. */
  readonly hide: (text: string) => string
}

export const make = (options: AuthorizedOptions): AuthorizedClient => {
  const { store, url } = options
  let isNeeded = false
  let refreshing: Promise<boolean> | null = null

  const send = (to: string | URL, init: RequestInit | undefined, token: string | undefined) => {
    const headers = new Headers(init?.headers)
    // The token is only sent to this server.
    if (token !== undefined && new URL(to).origin === url.origin) headers.set("Authorization", `Bearer ${token}`)
    return options.fetch(to, { ...init, headers })
  }
  const refresh = (response: Response, before: string | undefined): Promise<boolean> => {
    const runExclusively = store.exclusively ?? ((work) => work)
    refreshing ??= Effect.runPromise(runExclusively(renew(options, response, before))).finally(() => {
      refreshing = null
    })
    return refreshing
  }
  // A rejection of `fetch` is passed on unchanged, because callers expect the errors of `fetch`.
  const authorizedFetch = (to: string | URL, init?: RequestInit): Effect.Effect<Response> =>
    Effect.gen(function* () {
      const token = Credentials.read(store.load()).tokens?.access_token
      const response = yield* Effect.promise(() => send(to, init, token))
      if (new URL(to).origin !== url.origin || !wantsLogin(response)) {
        if (response.ok) isNeeded = false
        return response
      }
      if (response.status === 401 && (yield* Effect.promise(() => refresh(response, token)))) {
        yield* Effect.promise(() => response.body?.cancel() ?? Promise.resolve())
        const renewed = Credentials.read(store.load()).tokens?.access_token
        const secondResponse = yield* Effect.promise(() => send(to, init, renewed))
        if (!wantsLogin(secondResponse)) return secondResponse
      }
      isNeeded = true
      remember(options, response)
      return response
    })
  return {
    needsLogin: () => isNeeded,
    hide: (text) => Credentials.hide(text, Credentials.secretsOf(Credentials.read(store.load()), options.oauth)),
    fetch: (to, init) => Effect.runPromise(authorizedFetch(to, init))
  }
}

const wantsLogin = (response: Response): boolean =>
  response.status === 401 || (response.status === 403 && /insufficient_scope/u.test(challengeOf(response)))

const challengeOf = (response: Response): string => response.headers.get("www-authenticate") ?? ""

/** Stores the server's challenge for the next login. */
const remember = ({ sdk, store }: AuthorizedOptions, response: Response): void => {
  const challenge = Challenge.read(sdk, response)
  const stored = Credentials.read(store.load())
  if (Canonical.stringify(stored.challenge) !== Canonical.stringify(challenge)) {
    store.save(JSON.stringify({ ...stored, challenge }))
  }
}

/** Refreshes the token; true if the stored token differs from the one before. */
const renew = Effect.fnUntraced(function* (
  { authFetch, oauth, sdk, store, url }: AuthorizedOptions,
  response: Response,
  before: string | undefined
) {
  const { tokens } = Credentials.read(store.load())
  // Another process has refreshed it.
  if (tokens !== null && tokens.access_token !== before) return true
  if (tokens?.refresh_token === undefined) return false
  const provider = Provider.make({ store, settings: oauth, server: new URL(url), user: null })
  const result = yield* Effect.tryPromise(() =>
    sdk.auth(provider, {
      serverUrl: url,
      ...Challenge.toOptions(Challenge.read(sdk, response)),
      fetchFn: authFetch
    })
  ).pipe(Effect.orElseSucceed(() => "REDIRECT" as const))
  if (result === "AUTHORIZED") return true
  // A refresh token works only once, and another process may have used it in the meantime.
  const now = Credentials.read(store.load()).tokens
  return now !== null && now.access_token !== before
})
