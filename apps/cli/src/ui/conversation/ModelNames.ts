/** Names of models: lists those that can be chosen, with price and context, and resolves short or misspelled names. */
import { nearest } from "@bough/host/config/Nearest"
import type { ModelCandidate } from "@bough/host/model/ModelCandidates"
import { KnownModels } from "@bough/models"
import * as Effect from "effect/Effect"
import { type CliFailure, usage } from "../../CliFailure.ts"
import * as Figures from "../../format/Figures.ts"

/** A model that can be chosen; `reason` "": only its name is known, and its provider may have no key yet. */
export type NamedModel = Pick<ModelCandidate, "model" | "reason">

/** Lists the ready models first, then the known ones. */
export const all = (ready: ReadonlyArray<NamedModel>): ReadonlyArray<NamedModel> => {
  const names = new Set(ready.map(({ model }) => model))
  const known = Object.entries(KnownModels.tables).flatMap(([provider, models]) =>
    provider === "openai-chat" ? [] : Object.keys(models).map((model) => `${provider}/${model}`)
  )
  return [...ready, ...known.filter((model) => !names.has(model)).map((model) => ({ model, reason: "" }))]
}

/** Describes a model, such as `$3 in, $15 out per million · context 200k · a key is set`. */
export const describe = ({ model, reason }: NamedModel): string => {
  const known = KnownModels.find(model)
  const price = known === null ? null : KnownModels.priceAt(known, Date.now())
  return [
    price === null ? "" : `$${price.inputPerMillionUsd} in, $${price.outputPerMillionUsd} out per million`,
    known === null ? "" : `context ${Figures.thousands(known.contextTokens)}`,
    reason
  ]
    .filter((part) => part !== "")
    .join(" · ")
}

/** Resolves a short name to a full one. A name with a provider is taken unchanged; one without must be known. */
export const resolve = (requested: string, known: ReadonlyArray<string>): Effect.Effect<string, CliFailure> => {
  if (requested.includes("/")) return Effect.succeed(requested)
  const same = known.filter((name) => name.slice(name.indexOf("/") + 1) === requested)
  if (same.length === 1) return Effect.succeed(same[0])
  if (same.length > 1)
    return Effect.fail(usage(`several providers have ${requested}`, `choose one of ${same.join(", ")}`))
  const near = nearest(
    requested,
    known.map((name) => name.slice(name.indexOf("/") + 1))
  )
  const suggestion = known.find((name) => near !== null && name.endsWith(`/${near}`))
  return Effect.fail(
    usage(
      `there is no model ${JSON.stringify(requested)}`,
      suggestion === undefined ? "name it as provider/model" : `did you mean ${suggestion}?`
    )
  )
}
