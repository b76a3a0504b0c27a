/** Decodes foreign JSON within bounds, with an error for JSON that does not fit its format. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** `path` is dotted, "" for the root; `message` names the expected value. */
export class FormatFault extends Schema.TaggedError<FormatFault>()("FormatFault", {
  format: Schema.String,
  path: Schema.String,
  message: Schema.String
}) {}

export type FormatResult<A> = Result.Result<A, FormatFault>

/** Bounds of foreign JSON, far above the messages of any provider. */
const maxDepth = 64
const maxNodes = 100_000

/** Decodes foreign JSON; keys that are not in the schema are dropped. */
export const reader = <A>(format: string, schema: Schema.Codec<A, unknown>) => {
  const decode = Schema.decodeUnknownResult(schema)
  return (value: unknown): FormatResult<A> => {
    const unknownField = excess(value)
    if (unknownField !== null) return fault(format, "", unknownField)
    return Result.mapError(decode(value), ({ message }) => {
      const [what = "is not of this format"] = message.split("\n  at ")
      return new FormatFault({ format, path: pathOf(message), message: what })
    })
  }
}

/** Reads the path from Effect's message, which ends in `at ["a"][0]`. */
const pathOf = (message: string): string =>
  [...(/\n\s+at (.*)$/u.exec(message)?.[1] ?? "").matchAll(/\[("?)([^\]"]*)\1\]/gu)].map(([, , key]) => key).join(".")

export const fault = (format: string, path: string, message: string): Result.Result<never, FormatFault> =>
  Result.fail(new FormatFault({ format, path, message }))

/** Describes the exceeded bound; null: none is exceeded. */
const excess = (input: unknown): string | null => {
  const open: Array<readonly [value: unknown, depth: number]> = [[input, 0]]
  let nodes = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, depth] = next
    if (++nodes > maxNodes) return `has more than ${maxNodes.toLocaleString("en")} values`
    if (depth > maxDepth) return `is nested deeper than ${maxDepth} levels`
    if (typeof value !== "object" || value === null) continue
    for (const member of Object.values(value)) open.push([member, depth + 1])
  }
  return null
}

/** Any JSON object. */
export const Json = Schema.Record(Schema.String, Schema.Unknown)
