/**
 * Values that must not be stored, shown or sent: keys of providers, credentials among the variables, and the secrets that the
 * operator lists. Pure.
 */
import { Registry } from "@bough/models"
import * as CredentialHeader from "@bough/network/CredentialHeader"
import type * as ConfigSchema from "./ConfigSchema.ts"

const keysOfProviders = new Set(Registry.secretNames)

/** Matches names of variables that commonly hold a credential. */
const credentialName =
  /(?:^|_)(?:API_?KEY|ACCESS_KEY|SECRET(?:_KEY)?|TOKEN|PASSWORD|PASSWD|PRIVATE_KEY|CREDENTIALS?)$/iu

/** The least length of a credential: a shorter value is mostly a word or a flag. */
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

/** Returns the value, and the value without its scheme: X of `Bearer X`. */
const credentialsIn = (value: string): ReadonlyArray<string> => [value, value.replace(/^\S+\s+/u, "")]
