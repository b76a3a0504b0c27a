/** All formats in both directions, by name. */
import * as Anthropic from "./formats/Anthropic.ts"
import type { Dialect } from "./formats/Dialect.ts"
import * as Gemini from "./formats/Gemini.ts"
import * as HarmonyTools from "./formats/HarmonyTools.ts"
import * as Mcp from "./formats/Mcp.ts"
import * as OpenAiChat from "./formats/OpenAiChat.ts"
import * as OpenAiResponses from "./formats/OpenAiResponses.ts"
import type { Format } from "./ToolFormat.ts"

export type { DeltaReader, Dialect } from "./formats/Dialect.ts"

export const dialects: Readonly<Record<Format, Dialect>> = {
  openai: OpenAiResponses.dialect,
  "openai-chat": OpenAiChat.dialect,
  anthropic: Anthropic.dialect,
  gemini: Gemini.dialect,
  mcp: Mcp.dialect,
  harmony: HarmonyTools.dialect
}
