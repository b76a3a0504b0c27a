/** The models that a first start can offer: what the environment speaks for, and what runs on this machine. Pure. */
import type { LocalServers } from "@bough/models"

export interface ModelCandidate {
  /** `provider/model`, as the configuration takes it. */
  readonly model: string
  /** Why it is offered, for people. */
  readonly reason: string
  /** The address to be configured with it; null: it is known. */
  readonly baseUrl: string | null
}

/** A provider's model of choice, and what speaks for it. */
interface Configured {
  readonly name: string
  readonly reason: string
}

/** What can be chosen with one key each. */
export const maxChoices = 9

/**
 * `configured` in the order in which they are looked for. A provider whose server answered stands for the models that it
 * has; the offline planner is what remains without a choice.
 */
export const modelCandidates = (
  configured: ReadonlyArray<Configured>,
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

/** A server may say anything. */
const isName = (model: string): boolean => /^\S{1,100}$/u.test(model)
