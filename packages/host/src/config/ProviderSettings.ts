/** The settings of model providers: their keys and addresses as variables, and their logins. */
import * as Effect from "effect/Effect"
import type { Login } from "../login/LoginSchema.ts"
import type * as ConfigSchema from "./ConfigSchema.ts"
import type * as Secrets from "./Secrets.ts"

type Providers = NonNullable<ConfigSchema.User["providers"]>

/** Returns the variable names of a provider: those of `openai-compatible` begin with `OPENAI_COMPATIBLE_`. */
export const variablesOf = (providers: Providers): Record<string, string> =>
  Object.fromEntries(
    Object.entries(providers).flatMap(([name, { apiKey, baseUrl }]) => {
      const prefix = name.toUpperCase().replaceAll("-", "_")
      return [
        ...(baseUrl === undefined ? [] : [[`${prefix}_BASE_URL`, baseUrl]]),
        ...(apiKey === undefined ? [] : [[`${prefix}_API_KEY`, apiKey]])
      ]
    })
  )

/** The tokens of logins that are stored now. */
export const loginSecrets = Effect.fnUntraced(function* ({ providers = {} }: ConfigSchema.User, dataDirectory: string) {
  const logins = Object.entries(loginsOf(providers))
  if (logins.length === 0) return []
  const StoredLogin = yield* Effect.promise(() => import("../login/StoredLogin.ts"))
  return logins.flatMap(([provider, login]) => {
    const stored = StoredLogin.read(StoredLogin.fileOf(dataDirectory, provider, login))
    const values = stored === null ? [] : [stored.accessToken, stored.refreshToken].filter((value) => value !== null)
    return values.map((value): Secrets.Secret => ({ name: `login at ${provider}`, value }))
  })
})

/** The logins that the configuration declares, by provider. */
export const loginsOf = (providers: Providers): Record<string, Login> =>
  Object.fromEntries(
    Object.entries(providers).flatMap(([name, { oauth }]) => (oauth === undefined ? [] : [[name, oauth]]))
  )
