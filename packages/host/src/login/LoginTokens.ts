/** Gives models the token of a login: refreshed a minute before it expires, by one process at a time. */
import type { Login as ModelLogin, LoginRequired } from "@bough/models"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as AuthorizationServer from "./AuthorizationServer.ts"
import type { Login } from "./LoginSchema.ts"
import { type ProviderLoginOptions, toStored } from "./ProviderLogin.ts"
import * as StoredLogin from "./StoredLogin.ts"

/** A token is refreshed this long before it expires. */
const marginMillis = 60_000

/** Makes the logins of the providers that declare one. */
export const make = (
  logins: Readonly<Record<string, Login>>,
  around: Pick<ProviderLoginOptions, "dataDirectory" | "variables">
): Readonly<Record<string, ModelLogin>> =>
  Object.fromEntries(
    Object.entries(logins).map(([provider, login]) => [provider, forProvider({ ...around, provider, login })])
  )

interface RefreshFailure {
  /** The error code of the authorization server; null: it did not answer with one. */
  readonly code: string | null
  readonly reason: string
}

const failureOf = (cause: unknown): RefreshFailure => ({
  code: AuthorizationServer.codeOf(cause),
  reason: AuthorizationServer.sentenceOf(cause)
})

const forProvider = (options: ProviderLoginOptions): ModelLogin => {
  const { dataDirectory, login, provider } = options
  const file = StoredLogin.fileOf(dataDirectory, provider, login)
  const known = new Set<string>()
  const secrets: Array<string> = []
  const use = (stored: StoredLogin.StoredLogin): StoredLogin.StoredLogin => {
    for (const text of [stored.accessToken, stored.refreshToken, login.clientSecret ?? null]) {
      if (text === null || known.has(text)) continue
      known.add(text)
      secrets.push(text)
    }
    return stored
  }
  const load = (): StoredLogin.StoredLogin | null => {
    const stored = StoredLogin.read(file)
    return stored === null ? null : use(stored)
  }
  const notLoggedIn = (message: string): LoginRequired => ({
    message,
    hint: `"bough login ${provider}" logs in; in a conversation, "/login ${provider}"`,
    isTransient: false
  })

  /** The token if it needs no refresh. */
  const currentToken = (stored: StoredLogin.StoredLogin, refused: string | null, nowMillis: number): string | null =>
    stored.accessToken !== refused &&
    (stored.expiresAtMillis === null || stored.expiresAtMillis > nowMillis + marginMillis)
      ? stored.accessToken
      : null

  const refresh = (refused: string | null): Effect.Effect<string, LoginRequired> =>
    Effect.gen(function* () {
      const stored = load()
      if (stored === null) return yield* Effect.fail(notLoggedIn(`you are not logged in at ${provider}`))
      const nowMillis = yield* Clock.currentTimeMillis
      // Another process has refreshed it.
      const token = currentToken(stored, refused, nowMillis)
      if (token !== null) return token
      const { refreshToken } = stored
      if (refreshToken === null) {
        const isOver = stored.accessToken === refused || (stored.expiresAtMillis ?? 0) <= nowMillis
        return isOver ? yield* Effect.fail(notLoggedIn(`the login at ${provider} has expired`)) : stored.accessToken
      }
      return yield* renew(refreshToken).pipe(
        Effect.catch(({ code, reason }): Effect.Effect<string, LoginRequired> => {
          if (code === "invalid_grant") {
            StoredLogin.remove(file)
            return Effect.fail(notLoggedIn(`the login at ${provider} has ended`))
          }
          const isValid = stored.accessToken !== refused && (stored.expiresAtMillis ?? 0) > nowMillis
          return isValid
            ? Effect.succeed(stored.accessToken)
            : Effect.fail({
                message: `the login at ${provider} cannot be refreshed: ${reason}`,
                hint: "ask again",
                isTransient: true
              })
        })
      )
    })

  const renew = (refreshToken: string): Effect.Effect<string, RefreshFailure> =>
    Effect.gen(function* () {
      const { client, configuration } = yield* Effect.mapError(
        AuthorizationServer.connect(provider, login, options.variables),
        failureOf
      )
      const tokens = yield* Effect.tryPromise({
        try: () => client.refreshTokenGrant(configuration, refreshToken),
        catch: failureOf
      })
      const stored = use(toStored(tokens, refreshToken, yield* Clock.currentTimeMillis))
      StoredLogin.save(file, stored)
      return stored.accessToken
    })

  const token = (refused: string | null): Effect.Effect<string, LoginRequired> =>
    Effect.gen(function* () {
      const stored = load()
      const nowMillis = yield* Clock.currentTimeMillis
      const current = stored === null ? null : currentToken(stored, refused, nowMillis)
      if (current !== null) return current
      return yield* Effect.fromResult(yield* file.exclusively(Effect.result(refresh(refused))))
    })
  return { token, secrets }
}
