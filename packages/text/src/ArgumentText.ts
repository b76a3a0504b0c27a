/** The arguments of a call for a user who decides about it: names and values, without JSON punctuation. Pure. */
import * as Result from "effect/Result"

export interface Argument {
  readonly name: string
  readonly text: string
  /** True for lists, objects and text of several lines, which are shown below the name. */
  readonly isBelow: boolean
}

/** Returns the arguments of a call; any other text becomes one unchanged argument. The result is not escaped. */
export const parse = (json: string): ReadonlyArray<Argument> => {
  const read = Result.getOrNull(Result.try((): unknown => JSON.parse(json)))
  if (!isRecord(read)) return json === "" ? [] : [{ name: "arguments", text: json, isBelow: false }]
  return Object.entries(read).map(([name, value]) => argument(name, value))
}

/** Returns a fact for each argument. The result is not escaped. */
export const facts = (json: string): ReadonlyArray<string> => parse(json).map(fact)

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === "object" && !Array.isArray(value)

/**
 * Matches a plain name; any other name is quoted, so that it cannot be mistaken for a further argument. The Unicode
 * tables are loaded at the first call.
 */
const plainName = (): RegExp => /^[\p{L}\p{N}_.$-]+$/u

const argument = (name: string, value: unknown): Argument => {
  const text = textOf(value)
  const isBelow = text.includes("\n") || (typeof value === "object" && value !== null && text !== none)
  return { name: plainName().test(name) ? name : JSON.stringify(name), text, isBelow }
}

/** Formats `name: value`, or the name with the lines of its value below it. */
const fact = ({ isBelow, name, text }: Argument): string =>
  isBelow ? `${name}:\n${indented(text)}` : `${name}: ${text}`

const none = "none"

/** Formats a value: text unchanged, items of a list after a dash, fields of an object by name. */
const textOf = (value: unknown): string => {
  if (typeof value === "string") return value.replace(/\n$/u, "")
  if (Array.isArray(value)) {
    return value.length === 0 ? none : value.map((item: unknown) => `- ${indented(textOf(item)).slice(2)}`).join("\n")
  }
  if (!isRecord(value)) return value === null ? none : JSON.stringify(value)
  const fields = Object.entries(value)
  return fields.length === 0 ? none : fields.map(([name, field]) => fact(argument(name, field))).join("\n")
}

const indented = (lines: string): string => lines.replaceAll(/^/gmu, "  ")
