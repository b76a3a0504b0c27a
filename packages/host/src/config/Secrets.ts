/**
 * Values that must not be stored, shown or sent: keys of providers, credentials among the variables, and the secrets that the
 * operator lists. Pure.
 */
import { Registry } from "@bough/models"
import * as CredentialHeader from "@bough/network/CredentialHeader"
import * as Result from "effect/Result"
import type * as ConfigSchema from "./ConfigSchema.ts"

const keysOfProviders = new Set(Registry.secretNames)

/** Matches names of variables that commonly contain a credential. */
const credentialName =
  /(?:^|_)(?:API_?KEY|ACCESS_KEY|SECRET(?:_KEY)?|TOKEN|PASSWORD|PASSWD|PASSPHRASE|PRIVATE_KEY|CREDENTIALS?)$/iu

/** The shortest value that counts as a credential: a shorter one is mostly a word or a flag. */
const minLength = 8

/**
 * Matches variables that contain request headers for a collector of spans: `name=value,name=value`, in percent escapes.
 */
const collectorHeaders = /^OTEL_EXPORTER_OTLP_(?:\w+_)?HEADERS$/u

/** A secret value with the operator's name for it: a variable or a key of the configuration. */
export interface Secret {
  readonly name: string | null
  readonly value: string
}

export const collect = (
  variables: Readonly<Record<string, string | undefined>>,
  { mcpServers = {}, network, providers = {}, search, secrets = [] }: ConfigSchema.User
): ReadonlyArray<Secret> => {
  const fromVariables = Object.entries(variables).flatMap(([name, value]) =>
    value !== undefined && (keysOfProviders.has(name) || (value.length >= minLength && credentialName.test(name)))
      ? [value.trim(), value].map((value) => ({ name, value }))
      : []
  )
  const collector = Object.entries(variables).flatMap(([name, value = ""]) =>
    collectorHeaders.test(name) ? headerValues(value).map((value) => ({ name, value })) : []
  )
  const headers = (network?.headers ?? []).flatMap(({ headers }) =>
    Object.entries(headers).flatMap(([name, value]) =>
      CredentialHeader.isCredential(name) ? credentialsIn(value).map((value) => ({ name, value })) : []
    )
  )
  const keys = [
    ...Object.entries(providers).flatMap(([name, { apiKey, oauth }]) => [
      { name: `providers.${name}.apiKey`, value: apiKey },
      { name: `providers.${name}.oauth.clientSecret`, value: oauth?.clientSecret }
    ]),
    { name: "search.key", value: search?.key }
  ]
  const servers = Object.entries(mcpServers).flatMap(([server, { env = {}, headers = {} }]) => [
    ...Object.entries(env).flatMap(([name, value]) =>
      value.length >= minLength && credentialName.test(name)
        ? [{ name: `mcpServers.${server}.env.${name}`, value }]
        : []
    ),
    ...Object.entries(headers).flatMap(([name, value]) =>
      CredentialHeader.isCredential(name)
        ? credentialsIn(value).map((value) => ({ name: `mcpServers.${server}.headers.${name}`, value }))
        : []
    )
  ])
  const configured = secrets.map((value) => ({ name: null, value }))
  const byValue = new Map<string, Secret>()
  for (const { name, value } of [...fromVariables, ...collector, ...keys, ...headers, ...servers, ...configured]) {
    if (value !== undefined && value !== "" && !byValue.has(value)) byValue.set(value, { name, value })
  }
  return [...byValue.values()]
}

/** Header values that are long enough to be a credential, as configured and as sent, with and without their scheme. */
const headerValues = (text: string): ReadonlyArray<string> =>
  text.split(",").flatMap((pair) => {
    const written = pair.slice(pair.indexOf("=") + 1).trim()
    return [written, decodePercent(written)].flatMap(credentialsIn).filter((value) => value.length >= minLength)
  })

const decodePercent = (written: string): string => {
  const result = Result.try(() => decodeURIComponent(written))
  return Result.isSuccess(result) ? result.success : written
}

/** Returns the value, and the value without its scheme: X for `Bearer X`. */
const credentialsIn = (value: string): ReadonlyArray<string> => [value, value.replace(/^\S+\s+/u, "")]
