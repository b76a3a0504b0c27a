/** Chooses the model: the named one, else that of the first configured provider, else the offline planner. */
import { Model } from "@bough/runtime"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as AmazonBedrock from "./AmazonBedrock.ts"
import * as Anthropic from "./Anthropic.ts"
import * as Effort from "./Effort.ts"
import * as Google from "./Google.ts"
import * as KnownModels from "./KnownModels.ts"
import type { Login } from "./Login.ts"
import * as Offline from "./Offline.ts"
import * as Ollama from "./Ollama.ts"
import * as OpenAi from "./OpenAi.ts"
import * as OpenAiCompatible from "./OpenAiCompatible.ts"
import * as OpenRouter from "./OpenRouter.ts"
import type { Price } from "./Price.ts"
import type { Environment, Provider } from "./Provider.ts"
import * as Retry from "./Retry.ts"
import * as SettingNames from "./SettingNames.ts"
import * as ShapedModel from "./shapes/ShapedModel.ts"
import * as Shapes from "./shapes/Shapes.ts"

/** The providers in the order of preference; the last one needs no configuration. */
const providers: ReadonlyArray<Provider> = [
  OpenAiCompatible.provider,
  Anthropic.provider,
  OpenAi.provider,
  OpenAi.chatProvider,
  Google.provider,
  OpenRouter.provider,
  AmazonBedrock.provider,
  Ollama.provider,
  Offline.provider
]

/** Variables that contain a secret of a provider. */
export const secretNames: ReadonlyArray<string> = [...new Set(providers.flatMap((provider) => provider.secretNames))]

/**
 * Lists the configured providers with the part of the configuration that enables each, in order of preference; the last
 * provider is always configured.
 */
export const listConfigured = (
  environment: Environment
): ReadonlyArray<{ readonly name: string; readonly reason: string }> =>
  providers.flatMap(({ configured, defaultModel, name }) => {
    const reason = configured(environment)
    return reason === null ? [] : [{ name: `${name}/${defaultModel}`, reason }]
  })

export interface Settings {
  /** The model that the user named, as `provider/model` or only a provider; null: none. */
  readonly model: string | null
  /** Keys and addresses, by the variables' names. */
  readonly environment: Environment
  /** Prices by full model name; they override the known ones. */
  readonly prices?: Readonly<Record<string, Price>>
  readonly contextTokens?: Readonly<Record<string, number>>
  readonly effort?: Effort.Effort | null
  /** The user's logins, by the provider's name. */
  readonly logins?: Readonly<Record<string, Login>>
  /** The keys of a configuration file that set variables of `environment`: messages name them in place of the variables. */
  readonly settingNames?: SettingNames.SettingNames
}

/** `reason` explains the choice to users: "OPENAI_BASE_URL is set". */
export interface Choice {
  readonly name: string
  readonly reason: string
  readonly model: Model.Model["Service"]
  readonly layer: Layer.Layer<Model.Model>
}

/** Chooses the model. Fails if the provider of a named model is unknown or not configured; makes no request. */
export const choose = (settings: Settings): Effect.Effect<Choice, Model.ModelError> => {
  const { settingNames: names = {} } = settings
  return find(settings).pipe(
    Effect.map(({ reason, ...choice }) => ({ ...choice, reason: SettingNames.rename(reason, names) })),
    Effect.mapError((error) => SettingNames.renameError(error, names))
  )
}

const find = (settings: Settings): Effect.Effect<Choice, Model.ModelError> => {
  const named = settings.model?.trim() ?? ""
  if (named === "") {
    for (const provider of providers) {
      const reason = provider.configured(settings.environment)
      if (reason !== null) return make(provider, { settings, model: null, reason })
    }
  }
  const slash = named.indexOf("/")
  const [first, rest] = slash < 0 ? [named, ""] : [named.slice(0, slash), named.slice(slash + 1)]
  const provider = providers.find((provider) => provider.name === first)
  if (provider === undefined) return Effect.fail(unknown(named))
  return make(provider, { settings, model: rest === "" ? null : rest, reason: "it is set as the model" })
}

const make = Effect.fnUntraced(function* (
  provider: Provider,
  options: { readonly settings: Settings; readonly model: string | null; readonly reason: string }
): Effect.fn.Return<Choice, Model.ModelError> {
  const { model, reason, settings } = options
  const name = `${provider.name}/${model ?? provider.defaultModel}`
  const known = KnownModels.find(name)
  const now = yield* Clock.currentTimeMillis
  const login = settings.logins?.[provider.name]
  const service = yield* provider.make({
    name,
    model,
    environment: settings.environment,
    price: settings.prices?.[name] ?? (known === null ? null : KnownModels.priceAt(known, now)),
    contextTokens: settings.contextTokens?.[name] ?? known?.contextTokens ?? null,
    effort: settings.effort ?? Effort.defaultFor(name),
    ...(login === undefined ? {} : { login })
  })
  const named = SettingNames.withNames(service, settings.settingNames ?? {})
  const retried = Retry.withRetries(named, Retry.retriesFrom(settings.environment))
  const shape = Shapes.chooseShape(name, settings.environment)
  const shapedModel = shape === null ? retried : ShapedModel.withShape(retried, shape)
  return { name: shapedModel.name, reason, model: shapedModel, layer: Layer.succeed(Model.Model, shapedModel) }
})

const unknown = (name: string): Model.ModelError =>
  new Model.ModelError({
    reason: "UnknownProvider",
    model: name,
    message: `no provider for the model ${JSON.stringify(name)}`,
    hint: `name it as provider/model; known providers: ${providers.map((provider) => provider.name).join(", ")}`,
    retryable: false,
    retryAfterMillis: null
  })
