/** Token counts in the two shapes that OpenAI's protocols use. */
import type { Usage } from "@bough/protocol"

export const forResponses = ({ cachedInputTokens, inputTokens, outputTokens }: Usage.Usage) => ({
  input_tokens: inputTokens,
  input_tokens_details: { cached_tokens: cachedInputTokens, cache_write_tokens: 0 },
  output_tokens: outputTokens,
  // Providers count reasoning as output, and Bough does not separate the two.
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: inputTokens + outputTokens
})

export const forChat = ({ cachedInputTokens, inputTokens, outputTokens }: Usage.Usage) => ({
  prompt_tokens: inputTokens,
  prompt_tokens_details: { cached_tokens: cachedInputTokens },
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens
})
