/** Parses a tool's output from the text for the model, even if the text was truncated. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** `truncated` is true if only a part could be read. */
export type Output = Readonly<Record<string, unknown>>

export const read = (text: string): Output =>
  Option.getOrElse(decode(text), () => listOf(beforeMarker(text)) ?? textsOf(beforeMarker(text)))

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))
const decodeString = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.String))

/**
 * Returns the text before the truncation marker. JSON text contains no line break, so the first line break begins the
 * marker.
 */
const beforeMarker = (text: string): string => text.split("\n", 1)[0]

/**
 * Returns the complete elements of a list, or list of lists, that was truncated inside an element; null: the text is
 * not such a list.
 */
const listOf = (cut: string): Output | null => {
  let end = cut.length
  for (let tries = 0; tries < 8; tries++) {
    end = Math.max(cut.lastIndexOf("},", end - 1), cut.lastIndexOf('",', end - 1))
    if (end < 0) return null
    for (const closing of ["]}", "]}]}"]) {
      const list = decode(cut.slice(0, end + 1) + closing)
      if (Option.isSome(list)) return { ...list.value, truncated: true }
    }
  }
  return null
}

/** Returns the texts, complete or truncated, and the exit code. */
const textsOf = (cut: string): Output => {
  const members: Record<string, unknown> = { truncated: true }
  for (const [, key, value] of cut.matchAll(/"(\w+)":"((?:[^"\\]|\\(?:u[0-9a-fA-F]{4}|[^u]))*)/g)) {
    members[key] ??= Option.getOrElse(decodeString(`"${value}"`), () => value)
  }
  const exitCode = /"exitCode":(-?\d+)/.exec(cut)
  return exitCode === null ? members : { ...members, exitCode: Number(exitCode[1]) }
}
