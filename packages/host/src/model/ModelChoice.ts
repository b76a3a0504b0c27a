/** The models of a session: the model for its turns, and the model for reflections. */
import { Registry, SmallModels } from "@bough/models"
import type { Model as ModelPort } from "@bough/runtime"
import * as Effect from "effect/Effect"
import type { Settings } from "../config/Settings.ts"
import { type HostFailure, invalid } from "../HostFailure.ts"

export type Model = ModelPort.Model["Service"]

/** Finds the model that the settings name, or else a model for which the environment has a key. */
export const fromSettings = Effect.fnUntraced(function* ({
  dataDirectory,
  model: { effort, name: model, prices },
  providers: { logins: declared, variables: environment, settingNames }
}: Settings): Effect.fn.Return<Registry.Choice, ModelPort.ModelError> {
  const logins = Object.keys(declared).length === 0 ? {} : yield* loginsOf(declared, { dataDirectory, environment })
  return yield* Registry.choose({ model, effort, environment, prices, logins, settingNames })
})

// Loaded for a configuration that declares a login.
const loginsOf = (
  declared: Settings["providers"]["logins"],
  {
    dataDirectory,
    environment
  }: { readonly dataDirectory: string; readonly environment: Settings["providers"]["variables"] }
) =>
  Effect.map(
    Effect.promise(() => import("../login/LoginTokens.ts")),
    ({ make }) => make(declared, { dataDirectory, variables: environment })
  )

/** Fails if the settings limit the cost and the model's price is not known. */
export const requirePrice = (
  { limits }: Settings,
  { model, name }: Pick<Registry.Choice, "model" | "name">
): Effect.Effect<void, HostFailure> =>
  limits.maxCostUsd === null || model.priced
    ? Effect.void
    : Effect.fail(
        invalid(
          `the price of ${name} is unknown, so a cost limit cannot be enforced`,
          `add it under "prices" in ~/.config/bough/config.jsonc, or omit --max-cost`
        )
      )

export interface ReflectionModel {
  /** Null: reflections use the conversation's own model. */
  readonly model: Model | null
  /** The reason why the configured model is not used; null if it is used or none is configured. */
  readonly notice: string | null
}

/**
 * Chooses the model for reflections on a conversation: the configured one, else the small model of the same provider.
 */
export const forReflection = (settings: Settings, session: Model): Effect.Effect<ReflectionModel> => {
  const named = settings.memory.reflectionModel ?? SmallModels.smallModelOf(session.name, settings.providers.variables)
  if (named === null || named === "session" || named === session.name) {
    return Effect.succeed({ model: null, notice: null })
  }
  return fromSettings({ ...settings, model: { ...settings.model, name: named } }).pipe(
    Effect.map(({ model }) => ({ model, notice: null })),
    Effect.catch(({ message }) =>
      Effect.succeed({
        model: null,
        notice: `${named} cannot reflect on this conversation, so ${session.name} does: ${message}`
      })
    )
  )
}
