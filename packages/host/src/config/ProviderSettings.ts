/** The settings of model providers: their keys and addresses as variables, and their logins. */
import type { SettingNames } from "@bough/models"
import * as Effect from "effect/Effect"
import type { Login } from "../login/LoginSchema.ts"
import type * as ConfigSchema from "./ConfigSchema.ts"
import type * as Secrets from "./Secrets.ts"

type Providers = NonNullable<ConfigSchema.User["providers"]>

/** Returns the variable names of a provider: those of `openai-compatible` begin with `OPENAI_COMPATIBLE_`. */
export const variablesOf = (providers: Providers): Record<string, string> =>
  Object.fromEntries(entriesOf(providers).map(({ value, variable }) => [variable, value]))

/** Returns the keys that set a variable which the environment does not set, by the variable's name. */
export const settingNamesOf = (
  providers: Providers,
  environment: Readonly<Record<string, string | undefined>>
): SettingNames.SettingNames =>
  Object.fromEntries(
    entriesOf(providers)
      .filter(({ variable }) => environment[variable] === undefined)
      .map(({ key, variable }) => [variable, key])
  )

const entriesOf = (providers: Providers) =>
  Object.entries(providers).flatMap(([name, { apiKey, baseUrl }]) => {
    const prefix = name.toUpperCase().replaceAll("-", "_")
    const key = `providers.${name}`
    return [
      ...(baseUrl === undefined ? [] : [{ variable: `${prefix}_BASE_URL`, key: `${key}.baseUrl`, value: baseUrl }]),
      ...(apiKey === undefined ? [] : [{ variable: `${prefix}_API_KEY`, key: `${key}.apiKey`, value: apiKey }])
    ]
  })

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
