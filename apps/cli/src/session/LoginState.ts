/** The providers at which a user can log in or whose key can be saved, with their state. */
import type { Settings } from "@bough/host/config/Settings"
import * as StoredLogin from "@bough/host/login/StoredLogin"
import type { Listing } from "../ui/conversation/Listing.ts"
import * as AccountLogin from "./AccountLogin.ts"
import * as ProviderKey from "./ProviderKey.ts"

export const names = (settings: Settings): ReadonlyArray<string> => [
  ...new Set([...AccountLogin.names(settings), ...ProviderKey.providers.map(({ name }) => name)])
]

/** One line for each provider. */
export const listing = (settings: Settings): Listing => names(settings).map((name) => [name, describe(settings, name)])

/** Describes the login or the key of a provider. */
export const describe = (settings: Settings, name: string): string => {
  const {
    dataDirectory,
    providers: { logins, variables: providerVariables }
  } = settings
  const login = logins[name]
  if (login === undefined) {
    const found = ProviderKey.providers.find((provider) => provider.name === name)
    const isSet = found?.overriding.some((variable) => providerVariables[variable]) === true
    const methods = AccountLogin.isOffered(name, settings) ? "account in the browser, or API key" : "API key"
    return `${methods}: ${isSet ? "there is one" : "none yet"}`
  }
  const stored = StoredLogin.read(StoredLogin.fileOf(dataDirectory, name, login))
  return `account: ${stored === null ? "not logged in" : "logged in"}`
}
