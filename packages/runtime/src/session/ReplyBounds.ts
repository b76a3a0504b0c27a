/** The bounds of one reply. The stream of a provider that exceeds them is closed, and the reply counts as cut off. */
import type { ModelPart } from "../ports/Model.ts"

/** Characters of text, reasoning, arguments, names and signatures together: several times the longest reply of any model. */
export const maxCharacters = 4 * 1024 ** 2

/** Tool calls in one reply. */
export const maxCalls = 64

/** The number of characters that each part counts in addition, so that the number of parts is bounded too. */
const charactersOfPart = 4

export interface Meter {
  characters: number
  calls: number
}

export const start = (): Meter => ({ characters: 0, calls: 0 })

/**
 * Counts a part; null is a part of an unknown kind. Returns a description of the exceeded bound; null: no bound is
 * exceeded.
 */
export const count = (meter: Meter, part: ModelPart | null): string | null => {
  meter.characters += charactersOfPart + (part === null ? 0 : sizeOf(part))
  if (part?._tag === "ToolCallStart") meter.calls++
  if (meter.calls > maxCalls) return `more than ${maxCalls} calls of tools`
  return meter.characters > maxCharacters ? `more than ${maxCharacters.toLocaleString("en")} characters` : null
}

const sizeOf = (part: ModelPart): number => {
  switch (part._tag) {
    case "Text":
    case "Notice":
      return part.text.length
    case "Reasoning":
    case "ToolCallArguments":
      return part.text.length + (part.signature?.length ?? 0)
    case "ToolCallStart":
      return part.name.length + part.callId.length
    case "End":
      return 0
  }
}
