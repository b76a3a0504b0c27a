/** Names in messages: the key of a configuration file in place of the variable that the file sets. */
import { Model } from "@bough/runtime"
import * as Stream from "effect/Stream"

/** The key of the configuration that sets a variable, by the variable's name. */
export type SettingNames = Readonly<Record<string, string>>

/** Replaces the names of variables. */
export const rename = (text: string, names: SettingNames): string =>
  text.replaceAll(/\b[A-Z][A-Z0-9_]+\b/gu, (name) => (Object.hasOwn(names, name) ? names[name] : name))

export const renameError = (error: Model.ModelError, names: SettingNames): Model.ModelError => {
  const { hint, message, model, reason, retryable, retryAfterMillis } = error
  return new Model.ModelError({ reason, model, message, hint: rename(hint, names), retryable, retryAfterMillis })
}

/** A model whose errors name the keys. */
export const withNames = (model: Model.Model["Service"], names: SettingNames): Model.Model["Service"] =>
  Object.keys(names).length === 0
    ? model
    : { ...model, stream: (prompt) => Stream.mapError(model.stream(prompt), (error) => renameError(error, names)) }
