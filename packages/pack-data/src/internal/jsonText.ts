/** Reads JSON text from the argument `text`; numbers keep their spelling. */
import type { ToolError } from "@bough/protocol"
import * as StrictJson from "@bough/protocol/StrictJson"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import { mistake } from "./mistake.ts"

/**
 * The limits of a text: a document may be larger than arguments are, but deeper nesting would exhaust the stack when
 * the value is written again.
 */
export const limits: StrictJson.ScanLimits = { maxDepth: 500, maxValues: 50_000, checksKeys: false }

type NumberReviver = (value: number, source: string) => unknown

/** Returns the value, with each number replaced by the result of `onNumber`. */
export const read = (text: string, onNumber: NumberReviver): Effect.Effect<Schema.Json, ToolError.ValidationError> => {
  const fault = StrictJson.findFault(text, limits)
  return fault === null
    ? Effect.sync(() =>
        parse(text, (_, value, { source }) => (typeof value === "number" ? onNumber(value, source) : value))
      )
    : Effect.fail(mistake("text", `not JSON at ${StrictJson.lineAndColumn(text, fault.offset)}: ${fault.message}`))
}

// TypeScript's declarations lack the third argument of a reviver, and `rawJSON`.
const parse = JSON.parse as (
  text: string,
  reviver: (key: string, value: unknown, context: { readonly source: string }) => unknown
) => Schema.Json
export const rawJson = (JSON as unknown as { readonly rawJSON: (source: string) => unknown }).rawJSON
