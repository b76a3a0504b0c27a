/** Reads nodes of JSON Schema, with references resolved. */
import type { JsonSchema } from "../ToolMessage.ts"

export const isNode = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns a node; the schema `true` allows everything, and becomes an empty node. */
export const nodeOf = (value: unknown): JsonSchema => (isNode(value) ? value : {})

export const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

export const requiredOf = (schema: JsonSchema): ReadonlyArray<string> =>
  listOf(schema["required"]).filter((name) => typeof name === "string")

export const definitionsOf = (schema: JsonSchema): JsonSchema => ({
  ...nodeOf(schema["definitions"]),
  ...nodeOf(schema["$defs"])
})

export const referenceName = (reference: string): string =>
  reference
    .slice(reference.lastIndexOf("/") + 1)
    .replaceAll("~1", "/")
    .replaceAll("~0", "~")

/** Returns the types that a node names; empty: any type. */
export const typesOf = ({ type }: JsonSchema): ReadonlyArray<string> =>
  typeof type === "string" ? [type] : listOf(type).filter((name) => typeof name === "string")

/** Returns the target of a reference, merged with its siblings; null: it has no target, or leads back to `seen`. */
export const resolve = (
  node: JsonSchema,
  definitions: JsonSchema,
  seen: ReadonlySet<string>
): { readonly node: JsonSchema; readonly seen: ReadonlySet<string> } | null => {
  const { $ref, ...beside } = node
  if (typeof $ref !== "string") return { node, seen }
  const name = referenceName($ref)
  if (seen.has(name) || !isNode(definitions[name])) return null
  return resolve({ ...definitions[name], ...beside }, definitions, new Set([...seen, name]))
}

/**
 * Merges alternatives at the root into one object: with the fields of all alternatives; a field is required if every
 * alternative requires it. Null: there are no alternatives.
 */
export const mergedRoot = (schema: JsonSchema): JsonSchema | null => {
  const { allOf, anyOf, enum: _enum, not: _not, oneOf, ...rest } = schema
  const alternatives = [...listOf(anyOf), ...listOf(oneOf)].map(nodeOf)
  const parts = listOf(allOf).map(nodeOf)
  if (alternatives.length + parts.length === 0 && _enum === undefined && _not === undefined) return null
  const [first, ...others] = alternatives
  const shared =
    first === undefined ? [] : requiredOf(first).filter((name) => others.every((one) => requiredOf(one).includes(name)))
  const required = [...new Set([...requiredOf(rest), ...parts.flatMap(requiredOf), ...shared])]
  const properties = Object.fromEntries(
    [...alternatives, ...parts, rest].flatMap((part) => Object.entries(nodeOf(part["properties"])))
  )
  return { ...rest, type: "object", properties, ...(required.length === 0 ? {} : { required }) }
}
