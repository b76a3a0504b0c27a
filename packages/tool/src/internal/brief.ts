/**
 * Removes constraints from a JSON Schema that every sensible call satisfies: that a struct has no further fields, that
 * a text is not empty, that a count is not negative. Decoding enforces them; in a prompt they would cost tokens with
 * every request.
 */
import type * as JsonSchema from "effect/JsonSchema"

type Node = { readonly [key: string]: unknown }

const isNode = (value: unknown): value is Node => value !== null && typeof value === "object" && !Array.isArray(value)

/** Keywords whose values map names that the author chose to schemas. */
const named: ReadonlySet<string> = new Set(["properties", "definitions", "$defs"])

/** Keywords whose values are data, not schemas. */
const data: ReadonlySet<string> = new Set(["default", "enum", "const", "examples"])

const isDescribed = (node: Node, key: string): boolean => {
  const value = node[key]
  if (key === "additionalProperties") return value !== false || node["properties"] === undefined
  if (key === "minLength") return value !== 1
  return key !== "minimum" || node["type"] !== "integer" || (value !== 0 && value !== 1)
}

const briefOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(briefOf)
  if (!isNode(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .filter((key) => isDescribed(value, key))
      .map((key) => [key, data.has(key) ? value[key] : named.has(key) ? namedOf(value[key]) : briefOf(value[key])])
  )
}

const namedOf = (value: unknown): unknown =>
  isNode(value) ? Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, briefOf(schema)])) : value

export const brief = (schema: JsonSchema.JsonSchema): JsonSchema.JsonSchema => briefOf(schema) as JsonSchema.JsonSchema
