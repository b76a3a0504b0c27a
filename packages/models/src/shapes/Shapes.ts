/** Chooses the shape of the tools: docs/tool-shapes.md contains the table with its sources. */
import type { Environment } from "../Provider.ts"
import { variable } from "../Provider.ts"
import { AnthropicShape } from "./AnthropicShape.ts"
import { GeminiShape } from "./GeminiShape.ts"
import { OpenAiShape } from "./OpenAiShape.ts"
import { QwenShape } from "./QwenShape.ts"
import type { ToolShape } from "./ToolShape.ts"

const families: ReadonlyArray<readonly [RegExp, ToolShape]> = [
  [/claude-/iu, AnthropicShape],
  [/\/gpt-(?:[5-9]|\d\d)|codex/iu, OpenAiShape],
  [/gemini-/iu, GeminiShape],
  [/qwen/iu, QwenShape]
]

/** The shape that a model, given as `provider/model`, knows; null: none. */
export const familyOf = (model: string): ToolShape | null => families.find(([names]) => names.test(model))?.[1] ?? null

export const shapes: ReadonlyArray<ToolShape> = [AnthropicShape, OpenAiShape, GeminiShape, QwenShape]

/**
 * Reads `BOUGH_TOOL_SHAPES`: `native` selects the shape of the model's family, the name of a shape selects it for every
 * model, and `own`, the default, leaves the session's tools unchanged.
 */
export const chooseShape = (model: string, environment: Environment): ToolShape | null => {
  const wanted = variable(environment, ["BOUGH_TOOL_SHAPES"])?.value
  if (wanted === "native") return familyOf(model)
  return shapes.find(({ name }) => name === wanted) ?? null
}
