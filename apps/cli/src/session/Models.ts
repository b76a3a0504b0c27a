/** The model of a run: the one that was named or found, and whether a cost limit can be held with it. */
import type { Model as ModelPort } from "@bough/runtime"
import * as Effect from "effect/Effect"
import type { Settings } from "../config/Settings.ts"
import { toCliFailure } from "../Failures.ts"
import type { Program } from "../Program.ts"
import { type CliFailure, usage } from "../CliFailure.ts"

export type Model = ModelPort.Model["Service"]

const offline = "offline/planner"

export const choose = Effect.fnUntraced(function* (
  { adapters, output }: Program,
  settings: Settings
): Effect.fn.Return<Model, CliFailure> {
  const { model, name, reason } = yield* adapters.model(settings).pipe(Effect.mapError(toCliFailure))
  if (name === offline && settings.model === null) {
    output.note(`using ${offline}, because ${reason}`)
  } else if (output.verbose) output.note(`using ${name}: ${reason}`)
  if (name === offline && settings.effort !== null) output.note(`${offline} does not think: --effort is ignored`)
  if (settings.limits.maxCostUsd !== null && !model.priced) {
    return yield* usage(
      `the price of ${name} is not known, so a cost limit cannot be held`,
      `give it under "prices" in ~/.config/bough/config.jsonc, or leave --max-cost out`
    )
  }
  return model
})

/** Who looks back on a conversation: as configured, else the small model of its provider; null: the conversation's own. */
export const reflecting = (
  { adapters, output }: Program,
  settings: Settings,
  session: Model
): Effect.Effect<Model | null> => {
  const named = settings.reflectionModel ?? adapters.smallModel(session.name, settings.providerVariables)
  if (named === null || named === "session" || named === session.name) return Effect.succeed(null)
  return adapters.model({ ...settings, model: named }).pipe(
    Effect.map(({ model }) => model),
    Effect.catch(({ message }) => {
      output.note(`${named} cannot look back on this conversation, so ${session.name} does: ${message}`)
      return Effect.succeed(null)
    })
  )
}
