/** Makes arguments that fit a JSON Schema: its required fields, each with the simplest value. */
import * as Predicate from "effect/Predicate"

type Json = Readonly<Record<string, unknown>>

/**
 * Optional fields are left out. A `pattern` is ignored: for a text that must match one, the author has to provide a
 * sample.
 */
export const sampleArguments = (schema: unknown): unknown => {
  if (!Predicate.isReadonlyObject(schema)) return null
  if ("default" in schema) return schema["default"]
  if ("const" in schema) return schema["const"]
  const choices = schema["enum"] ?? null
  if (Array.isArray(choices)) return choices[0]
  const branches = schema["anyOf"] ?? schema["oneOf"]
  if (Array.isArray(branches)) return sampleArguments(branches[0])
  switch (schema["type"]) {
    case "string":
      return "x".repeat(Math.max(1, Number(schema["minLength"] ?? 1)))
    case "integer":
    case "number":
      return Number(schema["minimum"] ?? Math.min(1, Number(schema["maximum"] ?? 1)))
    case "boolean":
      return false
    case "array":
      return Array.from({ length: Number(schema["minItems"] ?? 0) }, () => sampleArguments(schema["items"]))
    case "object":
      return objectOf(schema)
    default:
      return null
  }
}

const objectOf = ({ properties, required }: Json): Json => {
  const names = Array.isArray(required) ? required.map(String) : []
  return Object.fromEntries(
    names.map((name) => [name, sampleArguments(Predicate.isReadonlyObject(properties) ? properties[name] : null)])
  )
}
