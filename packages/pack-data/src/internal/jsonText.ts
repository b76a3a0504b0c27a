/** Reading JSON text given as the argument `text`; numbers come with how they were written. */
import type { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import * as JsonFault from "./jsonFault.ts"
import { mistake } from "./mistake.ts"

type OnNumber = (value: number, source: string) => unknown

/** The value, with each number replaced by what `onNumber` makes of it. */
export const read = (text: string, onNumber: OnNumber): Effect.Effect<Schema.Json, ToolError.ValidationError> => {
  const fault = JsonFault.find(text)
  return fault === null
    ? Effect.sync(() =>
        parse(text, (_, value, { source }) => (typeof value === "number" ? onNumber(value, source) : value))
      )
    : Effect.fail(mistake("text", `no JSON at ${JsonFault.place(text, fault.offset)}: ${fault.problem}`))
}

// The language has both; its declarations lag behind.
const parse = JSON.parse as (
  text: string,
  reviver: (key: string, value: unknown, context: { readonly source: string }) => unknown
) => Schema.Json
export const rawJson = (JSON as unknown as { readonly rawJSON: (source: string) => unknown }).rawJSON
