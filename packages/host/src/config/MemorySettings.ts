/** The settings of notes: how they are found, how many a prompt contains, and when a reflection writes them. */
import type * as ConfigSchema from "./ConfigSchema.ts"

export interface MemorySettings {
  /** The embedding model: `static`, `none`, a folder, or a model of the hub. */
  readonly embeddingModel: string
  /** The URL from which a model of the hub is downloaded; null: huggingface.co. */
  readonly embeddingHub: string | null
  /** The weights of words and meaning in a search of notes; null: the default weights. */
  readonly noteWeights: { readonly words: number | null; readonly meaning: number | null }
  /** The maximum number of tokens of recalled notes that are added to a message; 0: none are added. */
  readonly recallTokens: number
  /** The maximum number of tokens for the user's preferences in a prompt; 0: none are added. */
  readonly preferenceTokens: number
  /** True if reflections may start; null: not configured. */
  readonly reflect: boolean | null
  /** The model of reflections: `session`, or as `provider/model`; null: not configured. */
  readonly reflectionModel: string | null
  /** Idle seconds before a reflection starts. */
  readonly reflectAfterSeconds: number
}

const defaultRecallTokens = 500
const defaultPreferenceTokens = 200
const defaultReflectAfterSeconds = 5

/** `reflect`: the override of the command line or the request. */
export const toMemorySettings = (
  { embedding, memory = {}, reflection }: Pick<ConfigSchema.User, "embedding" | "memory" | "reflection">,
  reflect: boolean | null | undefined
): MemorySettings => ({
  embeddingModel: embedding?.model ?? "static",
  embeddingHub: embedding?.hub ?? null,
  noteWeights: { words: memory.weights?.words ?? null, meaning: memory.weights?.meaning ?? null },
  recallTokens: memory.recall === false ? 0 : (memory.recallTokens ?? defaultRecallTokens),
  preferenceTokens: memory.preferenceTokens ?? defaultPreferenceTokens,
  reflect: reflect ?? memory.reflect ?? null,
  reflectionModel: reflection?.model ?? null,
  reflectAfterSeconds: memory.reflectAfterSeconds ?? defaultReflectAfterSeconds
})
