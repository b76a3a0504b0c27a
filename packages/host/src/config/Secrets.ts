/** Values that must not be stored, shown or sent: keys of providers, what looks like a credential, what the operator names. Pure. */
import { Registry } from "@bough/models"
import * as CredentialHeader from "@bough/network/CredentialHeader"
import type * as ConfigSchema from "./ConfigSchema.ts"

const keysOfProviders = new Set(Registry.secretNames)

/** Names of variables that hold a credential by common use. */
const credentialName =
  /(?:^|_)(?:API_?KEY|ACCESS_KEY|SECRET(?:_KEY)?|TOKEN|PASSWORD|PASSWD|PRIVATE_KEY|CREDENTIALS?)$/iu

/** A shorter value of such a variable is a word or a flag more often than a credential. */
const minLength = 8

export const collect = (
  variables: Readonly<Record<string, string | undefined>>,
  { network, providers = {}, search, secrets = [] }: ConfigSchema.User
): ReadonlyArray<string> => {
  const fromVariables = Object.entries(variables).flatMap(([name, value]) =>
    value !== undefined && (keysOfProviders.has(name) || (value.length >= minLength && credentialName.test(name)))
      ? [value.trim(), value]
      : []
  )
  const headers = (network?.headers ?? []).flatMap(({ headers }) =>
    Object.entries(headers).flatMap(([name, value]) =>
      CredentialHeader.isCredential(name) ? credentialsIn(value) : []
    )
  )
  const keys = [...Object.values(providers).map(({ apiKey }) => apiKey), search?.key].filter((key) => key !== undefined)
  return [...new Set([...fromVariables, ...keys, ...headers, ...secrets])].filter((secret) => secret !== "")
}

/** The value, and without its scheme: `Bearer X` is known by X. */
const credentialsIn = (value: string): ReadonlyArray<string> => [value, value.replace(/^\S+\s+/u, "")]
