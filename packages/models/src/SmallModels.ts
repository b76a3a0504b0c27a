/** The small model of each provider: far cheaper than the provider's others, for background work. */
import * as AnthropicModels from "./known/AnthropicModels.ts"
import * as GoogleModels from "./known/GoogleModels.ts"
import * as OpenAiModels from "./known/OpenAiModels.ts"
import * as KnownModels from "./KnownModels.ts"
import type { Environment } from "./Provider.ts"

interface Small {
  readonly model: string
  /** Variables that redirect requests to another server, which may not have the provider's models. */
  readonly baseUrlNames: ReadonlyArray<string>
}

const openAi: Small = { model: OpenAiModels.small, baseUrlNames: ["OPENAI_BASE_URL"] }

const byProvider: Readonly<Record<string, Small>> = {
  anthropic: { model: AnthropicModels.small, baseUrlNames: ["ANTHROPIC_BASE_URL"] },
  openai: openAi,
  "openai-chat": openAi,
  google: { model: GoogleModels.small, baseUrlNames: ["GOOGLE_GENERATIVE_AI_BASE_URL", "GOOGLE_BASE_URL"] }
}

/** Returns the cost of a million input tokens and a million output tokens together; null: not known. */
const pairUsd = (name: string): number | null => {
  const price = KnownModels.find(name)?.price ?? null
  return price === null ? null : price.inputPerMillionUsd + price.outputPerMillionUsd
}

/**
 * The small model of the same provider, as `provider/model`. Null: its catalogue has none, another server replaces the
 * provider, or the model itself is as cheap.
 */
export const smallModelOf = (name: string, environment: Environment): string | null => {
  const provider = name.slice(0, name.indexOf("/"))
  if (!Object.hasOwn(byProvider, provider)) return null
  const { baseUrlNames, model } = byProvider[provider]
  if (baseUrlNames.some((variable) => (environment[variable] ?? "") !== "")) return null
  const small = `${provider}/${model}`
  const [own, other] = [pairUsd(name), pairUsd(small)]
  return other === null || (own !== null && own <= other) ? null : small
}
