/** `/model` and `/effort`: who answers from here on and how hard it thinks, kept for the conversations to come. */
import { Effort } from "@bough/models"
import * as Effect from "effect/Effect"
import type { Settings } from "../config/Settings.ts"
import type * as Remember from "../config/Remember.ts"
import { toStop } from "../Failures.ts"
import * as Candidates from "../start/Candidates.ts"
import { usage } from "../Stop.ts"
import type { Chosen, Conversing, Doing, Open } from "./Conversing.ts"
import { whichIs } from "./WhichSession.ts"

export const model = (conversing: Conversing, open: Open, given: string): Doing =>
  Effect.gen(function* () {
    const { stage } = conversing
    const offered = yield* candidates(conversing, open)
    if (given === "") {
      stage.print([
        {
          _tag: "Listing",
          entries: [["now", open.model.name], ...offered.map(({ model, reason }) => [model, reason] as const)]
        }
      ])
      return "here"
    }
    const baseUrl = offered.find(({ model }) => model === given)?.baseUrl ?? null
    const { variables } = open.chosen
    const chosen: Chosen = {
      ...open.chosen,
      name: given,
      variables: baseUrl === null ? variables : { ...variables, OPENAI_COMPATIBLE_BASE_URL: baseUrl }
    }
    const { Remember } = yield* loaded
    return yield* goOn(conversing, open, { chosen, kept: Remember.model(given, baseUrl) })
  })

export const effort = (conversing: Conversing, open: Open, given: string): Doing =>
  Effect.gen(function* () {
    if (given === "") {
      const now = open.chosen.effort ?? "as the provider has it"
      conversing.stage.print([
        {
          _tag: "Listing",
          entries: [
            ["now", now],
            ["levels", Effort.levels.join(" ")]
          ]
        }
      ])
      return "here"
    }
    const level = Effort.levels.find((level) => level === given)
    if (level === undefined) {
      return yield* usage(`there is no effort ${JSON.stringify(given)}`, `there are ${Effort.levels.join(", ")}`)
    }
    const kept = [{ path: ["effort"], value: level }]
    return yield* goOn(conversing, open, { chosen: { ...open.chosen, effort: level }, kept })
  })

const candidates = Effect.fnUntraced(function* (
  { program: { adapters } }: Conversing,
  { chosen: { variables } }: Open
) {
  return Candidates.of(adapters.configuredModels(variables), yield* adapters.localServers(variables))
})

// Loaded when there is something to keep: it brings what reads and changes configuration files.
const loaded = Effect.promise(() => import("../config/Remember.ts").then((module) => ({ Remember: module })))

interface Change {
  readonly chosen: Chosen
  readonly kept: ReadonlyArray<Remember.Chosen>
}

/** In this session with another model. What cannot be kept holds for this conversation. */
const goOn = (conversing: Conversing, open: Open, { chosen, kept }: Change): Doing =>
  Effect.gen(function* () {
    const { program, settings, stage } = conversing
    const choice = yield* program.adapters.model(settingsOf(settings, chosen)).pipe(Effect.mapError(toStop))
    if (settings.limits.maxCostUsd !== null && !choice.model.priced) {
      stage.note(`the price of ${choice.name} is not known, so the cost limit cannot be held`, "error")
      return "here"
    }
    const { Remember } = yield* loaded
    const how = chosen.effort === null ? "" : `, effort ${chosen.effort}`
    yield* Remember.remember(program, kept).pipe(
      Effect.map((file) => stage.note(`from here on: ${choice.name}${how}; kept in ${file}`)),
      Effect.catch(({ message }) =>
        Effect.sync(() => stage.note(`from here on: ${choice.name}${how}; for this once, ${message}`))
      )
    )
    return { which: yield* whichIs(open), model: choice.model, chosen, isNew: false }
  })

const settingsOf = (settings: Settings, { effort, name, variables }: Chosen): Settings => ({
  ...settings,
  model: name,
  effort,
  providerVariables: variables
})
