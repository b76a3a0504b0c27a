/** `/model` and `/effort`: choose the model and its effort from now on, and save the choice. */
import type * as SaveConfigValues from "@bough/host/config/SaveConfigValues"
import type { Settings } from "@bough/host/config/Settings"
import * as ModelCandidates from "@bough/host/model/ModelCandidates"
import * as ContinuedSession from "@bough/host/session/ContinuedSession"
import { Effort } from "@bough/models"
import type { Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import { failure, usage } from "../../CliFailure.ts"
import { toCliFailure } from "../../Failures.ts"
import * as ProviderKey from "../../session/ProviderKey.ts"
import type { ConversationContext, CommandEffect } from "./ConversationContext.ts"
import * as ModelNames from "./ModelNames.ts"
import type { ModelSelection, SessionWithModel } from "./OpenedSession.ts"
import { resumeTarget } from "./resumeTarget.ts"
import * as SavedChoice from "./SavedChoice.ts"

export const model = (context: ConversationContext, open: SessionWithModel, argument: string): CommandEffect =>
  Effect.gen(function* () {
    const offered = yield* candidates(context, open)
    const requested = argument === "" ? yield* choose(context, open, offered) : argument
    if (requested === null) return "stay"
    const name = yield* ModelNames.resolve(
      requested,
      ModelNames.all(offered).map(({ model }) => model)
    )
    const baseUrl = offered.find(({ model }) => model === name)?.baseUrl ?? null
    const { variables } = open.chosen
    const chosen: ModelSelection = {
      ...open.chosen,
      name,
      variables: baseUrl === null ? variables : { ...variables, OPENAI_COMPATIBLE_BASE_URL: baseUrl }
    }
    const { modelValues } = yield* Effect.promise(() => import("@bough/host/config/SaveConfigValues"))
    return yield* reopenWithModel(context, open, { chosen, kept: modelValues(name, baseUrl) })
  })

const choose = (
  { ui }: ConversationContext,
  { model: { name } }: SessionWithModel,
  offered: ReadonlyArray<ModelCandidates.ModelCandidate>
): Effect.Effect<string | null> =>
  ui.dialogs.choose({
    command: "model",
    now: name,
    options: (ui.kind === "lines" ? offered : ModelNames.all(offered)).map((candidate) => [
      candidate.model,
      ModelNames.describe(candidate)
    ]),
    shownFirst: "name",
    hint: "/model PROVIDER/MODEL uses any other model"
  })

export const effort = (context: ConversationContext, open: SessionWithModel, argument: string): CommandEffect =>
  Effect.gen(function* () {
    const name = argument === "" ? yield* chooseEffort(context, open) : argument
    if (name === null) return "stay"
    const level = Effort.levels.find((level) => level === name)
    if (level === undefined) {
      return yield* usage(`unknown effort ${JSON.stringify(name)}`, `choose one of ${Effort.levels.join(", ")}`)
    }
    const configValues = [{ path: ["effort"], value: level }]
    return yield* reopenWithModel(context, open, { chosen: { ...open.chosen, effort: level }, kept: configValues })
  })

const chooseEffort = ({ ui }: ConversationContext, { chosen }: SessionWithModel): Effect.Effect<string | null> =>
  ui.dialogs.choose({
    command: "effort",
    now: chosen.effort ?? Effort.defaultFor(chosen.name) ?? "the provider's default",
    options: Effort.levels.map((level) => [level, ""]),
    shownFirst: "name",
    hint: "/effort LEVEL changes it"
  })

const candidates = Effect.fnUntraced(function* (
  { program: { adapters } }: ConversationContext,
  { chosen: { variables } }: SessionWithModel
) {
  return ModelCandidates.modelCandidates(adapters.configuredModels(variables), yield* adapters.localServers(variables))
})

/** Reopens the session with another model, without saving it as the default. */
export const useFromHere = (context: ConversationContext, open: SessionWithModel, name: string): CommandEffect =>
  reopenWithModel(context, open, { chosen: { ...open.chosen, name }, kept: [] })

/** Reopens the session with its model after a login at the model's provider; a turn that failed without it continues. */
export const useLogin = (context: ConversationContext, { chosen, ...open }: SessionWithModel): CommandEffect =>
  reopenWithModel(context, { ...open, chosen }, { chosen: { ...chosen, variables: { ...chosen.variables } }, kept: [] })

/**
 * Reopens the session with a provider's key: with the current model if it is the provider's, else with the provider's
 * default.
 */
export const useKey = (
  context: ConversationContext,
  open: SessionWithModel,
  { key, provider }: { readonly provider: ProviderKey.KeyProvider; readonly key: string }
): CommandEffect => {
  const variables = ProviderKey.withKey(open.chosen.variables, provider, key)
  const isOfProvider = ProviderKey.providerOf(open.chosen.name) === provider
  const name = isOfProvider ? open.chosen.name : defaultModel(context, provider, variables)
  const configValues = [ProviderKey.configValue(provider, key), { path: ["model"], value: name }]
  return reopenWithModel(context, open, { chosen: { ...open.chosen, name, variables }, kept: configValues })
}

const defaultModel = (
  { program: { adapters } }: ConversationContext,
  { name: provider }: ProviderKey.KeyProvider,
  variables: ModelSelection["variables"]
): string => adapters.configuredModels(variables).find(({ name }) => name.startsWith(`${provider}/`))?.name ?? provider

interface Change {
  readonly chosen: ModelSelection
  readonly kept: ReadonlyArray<SaveConfigValues.ConfigValue>
}

/**
 * Returns the model of a session that is about to open: the model of its newest step, or the current model if it has
 * made no step. Informs the user if the session's own model cannot be used here.
 */
export const modelOfSession = (
  context: ConversationContext,
  { chosen, model }: ModelInUse,
  sessionId: Session.SessionId
) =>
  Effect.gen(function* () {
    const name = yield* ContinuedSession.modelOf(sessionId).pipe(Effect.mapError(toCliFailure))
    if (name === null || name === model.name) return { chosen, model }
    const other = { ...chosen, name }
    return yield* makeModel(context, other).pipe(
      Effect.map((made): ModelInUse => ({ chosen: other, model: made.model })),
      Effect.catch(({ message }) => {
        context.ui.note(`the session's model ${name} cannot be used: ${message}; ${model.name} answers instead`)
        return Effect.succeed({ chosen, model })
      })
    )
  })

type ModelInUse = Pick<SessionWithModel, "chosen" | "model">

/** Opens this session again with another model. */
const reopenWithModel = (context: ConversationContext, open: SessionWithModel, change: Change): CommandEffect =>
  Effect.gen(function* () {
    const { ui, program } = context
    const { chosen } = change
    const choice = yield* makeModel(context, chosen)
    const effortText = chosen.effort === null ? "" : `, effort ${chosen.effort}`
    ui.note(`Now using ${choice.name}${effortText} (${yield* SavedChoice.save(program, change.kept)})`)
    return { which: yield* resumeTarget(open.session.sessionId), model: choice.model, chosen, isNew: false }
  })

/** Makes a model; fails for one of unknown price if the cost is limited. */
const makeModel = Effect.fnUntraced(function* ({ program, settings }: ConversationContext, chosen: ModelSelection) {
  const choice = yield* program.adapters
    .model(settingsOf(settings, chosen))
    .pipe(Effect.mapError(ProviderKey.toCliFailure))
  if (settings.limits.maxCostUsd === null || choice.model.priced) return choice
  return yield* failure(
    `the price of ${choice.name} is unknown, so the cost limit cannot be enforced`,
    `add it under "prices" in the configuration`
  )
})

const settingsOf = (settings: Settings, { effort, name, variables }: ModelSelection): Settings => ({
  ...settings,
  model: { ...settings.model, name, effort },
  providers: { ...settings.providers, variables }
})
