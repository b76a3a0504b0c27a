/** `/model` and `/effort`: who answers from here on and how hard it thinks, kept for the conversations to come. */
import { Effort } from "@bough/models"
import * as Effect from "effect/Effect"
import type { Settings } from "@bough/host/config/Settings"
import type * as SaveConfigValues from "@bough/host/config/SaveConfigValues"
import { toCliFailure } from "../../Failures.ts"
import * as ModelCandidates from "@bough/host/model/ModelCandidates"
import { failed, usage } from "../../CliFailure.ts"
import type { ConversationContext, CommandEffect } from "./ConversationContext.ts"
import type { ModelSelection, Open } from "./OpenedSession.ts"
import { resumeTarget } from "./resumeTarget.ts"

export const model = (conversing: ConversationContext, open: Open, given: string): CommandEffect =>
  Effect.gen(function* () {
    const offered = yield* candidates(conversing, open)
    const name = given === "" ? yield* choose(conversing, open, offered) : given
    if (name === null) return "here"
    const baseUrl = offered.find(({ model }) => model === name)?.baseUrl ?? null
    const { variables } = open.chosen
    const chosen: ModelSelection = {
      ...open.chosen,
      name,
      variables: baseUrl === null ? variables : { ...variables, OPENAI_COMPATIBLE_BASE_URL: baseUrl }
    }
    const { Remember } = yield* loaded
    return yield* goOn(conversing, open, { chosen, kept: Remember.modelValues(name, baseUrl) })
  })

const choose = (
  { place }: ConversationContext,
  { model: { name } }: Open,
  offered: ReadonlyArray<ModelCandidates.ModelCandidate>
): Effect.Effect<string | null> =>
  place.choose({
    command: "model",
    now: name,
    options: offered.map(({ model, reason }) => [model, reason]),
    knownBy: "name",
    hint: "/model PROVIDER/MODEL uses any other model"
  })

export const effort = (conversing: ConversationContext, open: Open, given: string): CommandEffect =>
  Effect.gen(function* () {
    const name = given === "" ? yield* chooseEffort(conversing, open) : given
    if (name === null) return "here"
    const level = Effort.levels.find((level) => level === name)
    if (level === undefined) {
      return yield* usage(`unknown effort ${JSON.stringify(name)}`, `choose one of ${Effort.levels.join(", ")}`)
    }
    const kept = [{ path: ["effort"], value: level }]
    return yield* goOn(conversing, open, { chosen: { ...open.chosen, effort: level }, kept })
  })

const chooseEffort = ({ place }: ConversationContext, { chosen }: Open): Effect.Effect<string | null> =>
  place.choose({
    command: "effort",
    now: chosen.effort ?? Effort.defaultFor(chosen.name) ?? "the provider's default",
    options: Effort.levels.map((level) => [level, ""]),
    knownBy: "name",
    hint: "/effort LEVEL changes it"
  })

const candidates = Effect.fnUntraced(function* (
  { program: { adapters } }: ConversationContext,
  { chosen: { variables } }: Open
) {
  return ModelCandidates.modelCandidates(adapters.configuredModels(variables), yield* adapters.localServers(variables))
})

// Loaded when there is something to keep: it brings what reads and changes configuration files.
const loaded = Effect.promise(() =>
  import("@bough/host/config/SaveConfigValues").then((module) => ({ Remember: module }))
)

interface Change {
  readonly chosen: ModelSelection
  readonly kept: ReadonlyArray<SaveConfigValues.ConfigValue>
}

/** In this session with another model. */
const goOn = (conversing: ConversationContext, open: Open, change: Change): CommandEffect =>
  Effect.gen(function* () {
    const { place, program, settings } = conversing
    const { chosen } = change
    const choice = yield* program.adapters.model(settingsOf(settings, chosen)).pipe(Effect.mapError(toCliFailure))
    if (settings.limits.maxCostUsd !== null && !choice.model.priced) {
      return yield* failed(
        `the price of ${choice.name} is unknown, so the cost limit cannot be enforced`,
        `add it under "prices" in the configuration`
      )
    }
    const how = chosen.effort === null ? "" : `, effort ${chosen.effort}`
    place.note(`Now using ${choice.name}${how} (${yield* kept(conversing, change)})`)
    return { which: yield* resumeTarget(open.session.sessionId), model: choice.model, chosen, isNew: false }
  })

/**
 * A choice that cannot be saved applies to this conversation, as does a choice of a script: the configuration belongs
 * to a person.
 */
const kept = ({ program }: ConversationContext, { kept }: Change): Effect.Effect<string> =>
  program.terminal.isInteractive
    ? Effect.flatMap(loaded, ({ Remember }) => Remember.saveValues(program, kept)).pipe(
        Effect.map((file) => `saved in ${file}`),
        Effect.catch(({ message }) => Effect.succeed(`this conversation only: ${message}`))
      )
    : Effect.succeed("this conversation only")

const settingsOf = (settings: Settings, { effort, name, variables }: ModelSelection): Settings => ({
  ...settings,
  model: name,
  effort,
  providerVariables: variables
})
