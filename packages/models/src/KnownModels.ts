/**
 * Confirmed prices and context sizes of models, each with the source and the day of its publication. A model that is
 * missing here has an unknown price, not a price of zero; the configuration takes precedence over this table.
 */
import * as AnthropicModels from "./known/AnthropicModels.ts"
import * as GoogleModels from "./known/GoogleModels.ts"
import type { KnownModel } from "./known/KnownModel.ts"
import * as OpenAiModels from "./known/OpenAiModels.ts"
import type { Price } from "./Price.ts"

/** The known models, by the part of a model's name before the slash. */
export const tables: Readonly<Record<string, Readonly<Record<string, KnownModel>>>> = {
  anthropic: AnthropicModels.models,
  openai: OpenAiModels.models,
  "openai-chat": OpenAiModels.models,
  google: GoogleModels.models
}

/**
 * Finds a model by its full name, `provider/model`. A name with a date stands for the model of which it is a snapshot.
 * Null: the model is unknown.
 */
export const find = (name: string): KnownModel | null => {
  const slash = name.indexOf("/")
  const models = ownValue(tables, name.slice(0, slash)) ?? {}
  const model = name.slice(slash + 1)
  return ownValue(models, model) ?? ownValue(models, model.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, ""))
}

/** Reads an own property, because a name may be a property that every object inherits. */
const ownValue = <A>(record: Readonly<Record<string, A>>, key: string): A | null =>
  Object.hasOwn(record, key) ? record[key] : null

/** Returns the price at a time; null: not known. */
export const priceAt = ({ later, price }: KnownModel, nowMillis: number): Price | null =>
  later !== undefined && nowMillis >= later.fromMillis ? later.price : price
