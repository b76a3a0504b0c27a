/** A provider as the registry uses it: one value per provider, whose models need only configuration. */
import type { Model } from "@bough/runtime"
import type * as Effect from "effect/Effect"
import type { Effort } from "./Effort.ts"
import type { Login } from "./Login.ts"
import type { Price } from "./Price.ts"

/** Configuration as data; an empty value counts as none. */
export type Environment = Readonly<Record<string, string | undefined>>

export interface Request {
  /** The full name, `provider/model`. */
  readonly name: string
  /** The part after the provider; null: the default model. */
  readonly model: string | null
  readonly environment: Environment
  readonly price: Price | null
  readonly contextTokens: number | null
  /** Null: the provider's default. */
  readonly effort: Effort | null
  /** The user's login at the provider; absent: requests are sent with the key of the environment. */
  readonly login?: Login
}

export interface Provider {
  /** The part of a model's name before the slash. */
  readonly name: string
  /** The model that is used if none is named. */
  readonly defaultModel: string
  /** Names the part of the configuration that enables the provider, for users; null: it is not configured. */
  readonly configured: (environment: Environment) => string | null
  /** Variables that contain a secret, which must not be shown, stored or passed to a command. */
  readonly secretNames: ReadonlyArray<string>
  readonly make: (request: Request) => Effect.Effect<Model.Model["Service"], Model.ModelError>
}

/** Returns the first of the variables that is set, with its name; null: none is set. */
export const variable = (
  environment: Environment,
  names: ReadonlyArray<string>
): { readonly name: string; readonly value: string } | null => {
  for (const name of names) {
    const value = environment[name]?.trim()
    if (value !== undefined && value !== "") return { name, value }
  }
  return null
}

/** Describes which of the variables is set; null: none is set. */
export const describeSet = (environment: Environment, names: ReadonlyArray<string>): string | null => {
  const set = variable(environment, names)
  return set === null ? null : `${set.name} is set`
}
