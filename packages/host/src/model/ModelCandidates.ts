/**
 * The models that Bough can offer at its first start: those with a key in the environment, and those that run on this
 * machine. Pure.
 */
import type { LocalServers } from "@bough/models"

export interface ModelCandidate {
  /** The model as `provider/model`, the form of the configuration. */
  readonly model: string
  /** The reason to offer the model, as a text for the user. */
  readonly reason: string
  /** The address of the server, which is configured with the model; null if the address is already configured. */
  readonly baseUrl: string | null
}

/** A provider's default model, and the reason to offer it. */
interface DefaultModel {
  readonly name: string
  readonly reason: string
}

/** The number of models that a menu with one key each can offer. */
export const maxChoices = 9

/**
 * Lists the models of `configured` in their order. A provider whose server answered is listed with the models of that
 * server. The offline planner is not listed, because it is used when no model is chosen.
 */
export const modelCandidates = (
  configured: ReadonlyArray<DefaultModel>,
  servers: ReadonlyArray<LocalServers.Server>
): ReadonlyArray<ModelCandidate> => {
  const answering = new Set<string>(servers.filter(({ isConfigured }) => isConfigured).map(({ provider }) => provider))
  const byKey = configured.filter(({ name }) => {
    const provider = name.slice(0, name.indexOf("/"))
    return provider !== "offline" && !answering.has(provider)
  })
  return [
    ...byKey.map(({ name, reason }) => ({ model: name, reason, baseUrl: null })),
    ...servers.flatMap(({ baseUrl, isConfigured, models, provider }) =>
      models.filter(isName).map((model) => ({
        model: `${provider}/${model}`,
        reason: `runs here, at ${URL.parse(baseUrl)?.host ?? baseUrl}`,
        baseUrl: isConfigured ? null : baseUrl
      }))
    )
  ]
}

/** True for a name that a server may send; a name with spaces, for example, is refused. */
const isName = (model: string): boolean => /^\S{1,100}$/u.test(model)
