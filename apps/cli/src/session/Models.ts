/** The model of a run, with the notices to the user about it. */
import type { Settings } from "@bough/host/config/Settings"
import * as ModelChoice from "@bough/host/model/ModelChoice"
import * as Effect from "effect/Effect"
import type { CliFailure } from "../CliFailure.ts"
import { toCliFailure } from "../Failures.ts"
import type { Program } from "../Program.ts"

export type { Model } from "@bough/host/model/ModelChoice"

const offline = "offline/planner"

export const choose = Effect.fnUntraced(function* (
  { output }: Program,
  settings: Settings
): Effect.fn.Return<ModelChoice.Model, CliFailure> {
  const chosen = yield* Effect.mapError(ModelChoice.fromSettings(settings), toCliFailure)
  const { model, name, reason } = chosen
  if (name === offline && settings.model.name === null) {
    output.note(
      `${reason}: offline demo mode; set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or choose a model with --model`
    )
  } else if (output.verbose) output.note(`using ${name}: ${reason}`)
  if (name === offline && settings.model.effort !== null)
    output.note(`${offline} has no reasoning effort: --effort is ignored`)
  yield* Effect.mapError(ModelChoice.requirePrice(settings, chosen), toCliFailure)
  return model
})

/** True for an answer in which the offline planner says that it did not understand the prompt, and did nothing. */
export const isDeclined = ({ name }: Pick<ModelChoice.Model, "name">, answer: string): boolean =>
  name === offline && answer.startsWith("I can't do that offline")
