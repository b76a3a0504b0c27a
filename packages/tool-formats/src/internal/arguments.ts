/** Converts arguments between text and object: formats use one or the other. */
import * as Result from "effect/Result"
import type { Losses } from "../Loss.ts"
import type { Call } from "../ToolMessage.ts"

type JsonObject = Readonly<Record<string, unknown>>

/** Returns the arguments as an object; if the text is not an object, an empty object and a loss. */
export const argumentsObject = ({ arguments: text, id }: Call, losses: Losses): JsonObject => {
  if (text.trim() === "") return {}
  const changed: Array<string> = []
  const reviveNumber = (_key: string, value: unknown, context?: { readonly source?: string }): unknown => {
    if (typeof value === "number" && isChanged(value, context?.source)) changed.push(context?.source ?? "")
    return value
  }
  const parsed = Result.getOrElse(
    Result.try((): unknown => JSON.parse(text, reviveNumber)),
    () => null
  )
  if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) {
    const [first] = changed
    if (first !== undefined) losses.add("Number", id, `${first.slice(0, 60)} has more digits than a number can have`)
    return parsed as JsonObject
  }
  losses.add("Arguments", id, "the arguments are not a JSON object")
  return {}
}

/** True if a number was written with more digits than its value keeps, or is too large. */
const isChanged = (value: number, source: string | undefined): boolean =>
  !Number.isFinite(value) ||
  (source !== undefined && /^-?\d+$/u.test(source) && BigInt(source) !== BigInt(Math.trunc(value)))

export const argumentsText = (value: unknown): string => JSON.stringify(value ?? {})

/** Makes the id of a call from its position, for formats without ids. */
export const callIdAt = (index: number): string => `call_${index + 1}`
