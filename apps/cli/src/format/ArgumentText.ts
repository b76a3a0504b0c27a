/** The arguments of a call for a person who decides about it: names and values, without the signs of JSON. Pure. */
import * as Result from "effect/Result"

/** Returns a fact for each argument; arguments that are no JSON object stand as they were written. Not escaped. */
export const facts = (json: string): ReadonlyArray<string> => {
  const read = Result.getOrNull(Result.try((): unknown => JSON.parse(json)))
  if (!isRecord(read)) return json === "" ? [] : [`arguments: ${json}`]
  return Object.entries(read).map(([name, value]) => named(name, value))
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === "object" && !Array.isArray(value)

/** `name: value`, or the name with the lines of its value below it. */
const named = (name: string, value: unknown): string => {
  const text = textOf(value)
  const isBelow = text.includes("\n") || (typeof value === "object" && value !== null && text !== none)
  return isBelow ? `${name}:\n${indented(text)}` : `${name}: ${text}`
}

const none = "none"

/** Text as it is, items of a list after a dash, the fields of an object by name. */
const textOf = (value: unknown): string => {
  if (typeof value === "string") return value.replace(/\n$/u, "")
  if (Array.isArray(value)) {
    return value.length === 0 ? none : value.map((item: unknown) => `- ${indented(textOf(item)).slice(2)}`).join("\n")
  }
  if (!isRecord(value)) return value === null ? none : JSON.stringify(value)
  const fields = Object.entries(value)
  return fields.length === 0 ? none : fields.map(([name, field]) => named(name, field)).join("\n")
}

const indented = (lines: string): string => lines.replaceAll(/^/gmu, "  ")
