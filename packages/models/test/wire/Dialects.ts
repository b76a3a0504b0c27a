/** Every provider that is reached over the network, with the dialect of its server. */
import * as Anthropic from "./AnthropicDialect.ts"
import * as Bedrock from "./BedrockDialect.ts"
import * as Chat from "./ChatDialect.ts"
import type { Dialect } from "./Dialect.ts"
import * as Gemini from "./GeminiDialect.ts"
import * as Responses from "./ResponsesDialect.ts"

export const dialects: ReadonlyArray<Dialect> = [
  Anthropic.dialect,
  Responses.dialect,
  Chat.openAiChat,
  Chat.openAiCompatible,
  Chat.ollama,
  Gemini.dialect,
  Bedrock.dialect
]

/** The rows of test tables: the provider's name first. */
export const each: ReadonlyArray<readonly [name: string, dialect: Dialect]> = dialects.map((dialect) => [
  dialect.provider.name,
  dialect
])
