/** Keys of model providers that a user pastes: checked, used from now on, and saved in the configuration. Pure. */
import type { ConfigValue } from "@bough/host/config/SaveConfigValues"
import * as Secrets from "@bough/host/config/Secrets"
import type { Settings } from "@bough/host/config/Settings"
import * as Effect from "effect/Effect"
import { type CliFailure, usage, withHint } from "../CliFailure.ts"
import { type Failure, toCliFailure as plainFailure } from "../Failures.ts"

export interface KeyProvider {
  /** The part of a model's name before the slash. */
  readonly name: string
  /** The environment variable that the configured key replaces. */
  readonly variable: string
  /** Environment variables that take precedence over the configured key. */
  readonly overriding: ReadonlyArray<string>
}

const provider = (name: string, variable: string, ...others: ReadonlyArray<string>): KeyProvider => ({
  name,
  variable,
  overriding: [variable, ...others]
})

/** The providers for which a key alone is enough. */
export const providers: ReadonlyArray<KeyProvider> = [
  provider("anthropic", "ANTHROPIC_API_KEY"),
  provider("openai", "OPENAI_API_KEY"),
  provider("google", "GOOGLE_API_KEY", "GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"),
  provider("openrouter", "OPENROUTER_API_KEY")
]

export const providerOf = (model: string): KeyProvider | null =>
  providers.find(({ name }) => model === name || model.startsWith(`${name}/`)) ?? null

/** The beginnings of keys, as the providers issue them in November 2026. Other companies issue keys with "sk-" too. */
const beginnings: Readonly<Record<string, string>> = {
  "sk-ant-": "anthropic",
  "sk-proj-": "openai",
  "sk-svcacct-": "openai",
  AIza: "google",
  "sk-or-": "openrouter"
}

/** Returns the provider that issued the key; null: the key does not tell. */
export const issuerOf = (key: string): KeyProvider | null => {
  const beginning = Object.keys(beginnings).find((each) => key.startsWith(each))
  return beginning === undefined ? null : providerOf(beginnings[beginning])
}

/** Extracts the key from typed or pasted text. The failure does not repeat the text. */
export const read = (typed: string): Effect.Effect<string, CliFailure> => {
  const key = typed.trim()
  return /^[\x21-\x7E]+$/u.test(key) && !key.includes("${")
    ? Effect.succeed(key)
    : Effect.fail(usage("this is not an API key: it has spaces or other characters that no key has", "paste it again"))
}

type Variables = Settings["providers"]["variables"]

/** Replaces every other key of the provider by this one. */
export const withKey = (variables: Variables, { overriding, variable }: KeyProvider, key: string): Variables => ({
  ...Object.fromEntries(Object.entries(variables).filter(([name]) => !overriding.includes(name))),
  [variable]: key
})

export const configValue = ({ name }: KeyProvider, key: string): ConfigValue => ({
  path: ["providers", name, "apiKey"],
  value: key
})

/** Names the variable that the next start will use instead of the saved key; null: none is set to another value. */
export const overridingVariable = (
  { variables }: Settings["environment"],
  { overriding }: KeyProvider,
  key: string
): string | null =>
  overriding.find((name) => (variables[name] ?? "").trim() !== "" && variables[name]?.trim() !== key) ?? null

/** Settings with the keys and addresses of providers; new keys are redacted like those of the configuration. */
export const withVariables = (settings: Settings, variables: Variables): Settings => {
  if (variables === settings.providers.variables) return settings
  const known = new Set(settings.secrets.map(({ value }) => value))
  const added = Secrets.collect(variables, {}).filter(({ value }) => !known.has(value))
  return { ...settings, providers: { ...settings.providers, variables }, secrets: [...settings.secrets, ...added] }
}

/** Makes a failure for a conversation; an error about the key names the command that changes the key. */
export const toCliFailure = (error: Failure): CliFailure => {
  const stop = plainFailure(error)
  if (error._tag !== "ModelError" || (error.reason !== "Refused" && error.reason !== "MissingKey")) return stop
  const found = providerOf(error.model)
  return found === null ? stop : withHint(stop, `"/login ${found.name}" saves another key`)
}
