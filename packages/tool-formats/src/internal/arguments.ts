/** Converts arguments between text and object: formats use one or the other. */
import * as Result from "effect/Result"
import type { Call } from "../ToolMessage.ts"
import type { Losses } from "../Loss.ts"

type JsonObject = Readonly<Record<string, unknown>>

/** Returns the arguments as an object; if the text is no object, an empty one and a loss. */
export const argumentsObject = ({ arguments: text, id }: Call, losses: Losses): JsonObject => {
  if (text.trim() === "") return {}
  const parsed = Result.getOrElse(
    Result.try((): unknown => JSON.parse(text)),
    () => null
  )
  if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) return parsed as JsonObject
  losses.add("Arguments", id, "the arguments are no JSON object")
  return {}
}

export const argumentsText = (given: unknown): string => JSON.stringify(given ?? {})

/** Makes the id of a call from its position, for formats without ids. */
export const numbered = (index: number): string => `call_${index + 1}`
