/**
 * JSON Schema in the form of OpenAI's strict functions: every argument is required, every object closed, few keywords. An
 * optional argument may be null instead: `restore` removes that null again.
 */
import * as Result from "effect/Result"
import { definitionsOf, isNode, listOf, nodeOf, requiredOf, typesOf } from "../internal/nodes.ts"
import { pathBelow, collect, type Losses, type WriteResult } from "../Loss.ts"
import type { JsonSchema } from "../ToolMessage.ts"

const known: ReadonlySet<string> = new Set(
  (
    "type title description enum const anyOf $ref properties required additionalProperties items " +
    "pattern format multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems"
  ).split(" ")
)

/** Keywords that are handled at the root or together with another keyword. */
const handled: ReadonlySet<string> = new Set(["$defs", "definitions", "oneOf", "allOf", "$schema"])

/** Converts the schema; null: strict functions cannot express these arguments, and the losses give the reason. */
export const fromSchema = (schema: JsonSchema, at: string): WriteResult<JsonSchema | null> => {
  const losses = collect()
  const root = strictNode(schema, { losses, at })
  const definitions = Object.entries(definitionsOf(schema)).map(
    ([name, node]) => [name, strictNode(nodeOf(node), { losses, at: pathBelow(pathBelow(at, "$defs"), name) })] as const
  )
  const isOpen = losses.list.some(({ kind }) => kind === "Open" || kind === "Type")
  const value = definitions.length === 0 ? root : { ...root, $defs: Object.fromEntries(definitions) }
  return { value: isOpen ? null : value, losses: losses.list }
}

interface SchemaPosition {
  readonly losses: Losses
  readonly at: string
}

const strictNode = (schema: JsonSchema, { at, losses }: SchemaPosition): JsonSchema => {
  const node = mergeAllOf(schema, { at, losses })
  for (const keyword of Object.keys(node)) {
    if (!known.has(keyword) && !handled.has(keyword)) losses.add("Keyword", pathBelow(at, keyword), keyword)
  }
  const knownKeywords = Object.fromEntries(Object.entries(node).filter(([keyword]) => known.has(keyword)))
  const alternatives = [...listOf(node["anyOf"]), ...listOf(node["oneOf"])]
  const { $ref, items } = node
  const inner = {
    ...knownKeywords,
    ...(typeof $ref === "string" ? { $ref: $ref.replace("#/definitions/", "#/$defs/") } : {}),
    ...(items === undefined ? {} : { items: strictNode(nodeOf(items), { at: pathBelow(at, "items"), losses }) }),
    ...(alternatives.length === 0
      ? {}
      : {
          anyOf: alternatives.map((one, index) =>
            strictNode(nodeOf(one), { at: pathBelow(pathBelow(at, "anyOf"), index), losses })
          )
        })
  }
  if (isUntyped(inner)) losses.add("Type", at, "any value")
  const isList = typesOf(inner).includes("array") && !("items" in inner)
  if (isList) losses.add("Type", pathBelow(at, "items"), "any value")
  return typesOf(inner).includes("object") ? strictObject(inner, { at, losses }) : inner
}

const isUntyped = (node: JsonSchema): boolean =>
  typesOf(node).length === 0 && !["enum", "const", "anyOf", "$ref"].some((keyword) => keyword in node)

const strictObject = (node: JsonSchema, { at, losses }: SchemaPosition): JsonSchema => {
  const others = node["additionalProperties"]
  if (others === true || isNode(others)) losses.add("Open", at, "an object of free keys")
  const required = requiredOf(node)
  const properties = Object.entries(nodeOf(node["properties"])).map(([name, member]) => {
    const place = { at: pathBelow(pathBelow(at, "properties"), name), losses }
    const inner = strictNode(nodeOf(member), place)
    if (required.includes(name)) return [name, inner] as const
    losses.add("Optional", place.at, "required, and null where it is left out")
    return [name, nullable(inner)] as const
  })
  return {
    ...node,
    properties: Object.fromEntries(properties),
    required: properties.map(([name]) => name),
    additionalProperties: false
  }
}

/** Merges the parts of an `allOf` that repeat no keyword into their parent; the others are lost. */
const mergeAllOf = (node: JsonSchema, { at, losses }: SchemaPosition): JsonSchema => {
  const { allOf, ...rest } = node
  const mergedSchema: Record<string, unknown> = { ...rest }
  for (const [index, part] of listOf(allOf).entries()) {
    const clashes = Object.keys(nodeOf(part)).some((keyword) => keyword in mergedSchema)
    if (clashes) losses.add("Keyword", pathBelow(pathBelow(at, "allOf"), index), "allOf")
    else Object.assign(mergedSchema, part)
  }
  return mergedSchema
}

const nullable = (node: JsonSchema): JsonSchema => {
  if (allowsNull(node)) return node
  const types = typesOf(node)
  if (types.length > 0 && !("const" in node) && !("anyOf" in node)) {
    return {
      ...node,
      type: [...types, "null"],
      ...(Array.isArray(node["enum"]) ? { enum: [...listOf(node["enum"]), null] } : {})
    }
  }
  const { description, ...rest } = node
  return { ...(description === undefined ? {} : { description }), anyOf: [rest, { type: "null" }] }
}

/** True if the node itself allows null. */
const allowsNull = (node: JsonSchema): boolean => {
  if ("const" in node) return node["const"] === null
  if (Array.isArray(node["enum"])) return node["enum"].includes(null)
  const alternatives = [...listOf(node["anyOf"]), ...listOf(node["oneOf"])]
  if (alternatives.length > 0) return alternatives.some((one) => allowsNull(nodeOf(one)))
  const types = typesOf(node)
  return types.includes("null") || (types.length === 0 && !("$ref" in node))
}

/**
 * Removes each null that stands for a missing optional argument of `schema`, unless the argument may also be null by
 * its own schema.
 */
export const restore = (schema: JsonSchema, argumentsText: string): string =>
  Result.match(
    Result.try((): unknown => JSON.parse(argumentsText)),
    {
      onFailure: () => argumentsText,
      onSuccess: (value) => JSON.stringify(withoutNulls(value, schema, definitionsOf(schema)))
    }
  )

const withoutNulls = (value: unknown, schemaOrReference: JsonSchema, definitions: JsonSchema): unknown => {
  if (Array.isArray(value)) {
    return value.map((item) =>
      withoutNulls(item, nodeOf(resolveReference(schemaOrReference, definitions)["items"]), definitions)
    )
  }
  if (!isNode(value)) return value
  const schema = compatibleSchema(value, resolveReference(schemaOrReference, definitions), definitions)
  const properties = nodeOf(schema["properties"])
  const required = requiredOf(schema)
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const node = resolveReference(nodeOf(properties[name]), definitions)
      if (member === null && name in properties && !required.includes(name) && !allowsNull(node)) return []
      return [[name, withoutNulls(member, node, definitions)]]
    })
  )
}

const resolveReference = (node: JsonSchema, definitions: JsonSchema): JsonSchema => {
  const { $ref } = node
  return typeof $ref === "string" ? nodeOf(definitions[$ref.slice($ref.lastIndexOf("/") + 1)]) : node
}

/** Returns the alternative that matches the value's keys. */
const compatibleSchema = (value: JsonSchema, node: JsonSchema, definitions: JsonSchema): JsonSchema => {
  const alternatives = [...listOf(node["anyOf"]), ...listOf(node["oneOf"])].map((one) =>
    resolveReference(nodeOf(one), definitions)
  )
  const names = Object.keys(value)
  return alternatives.find((one) => isFitting(value, one, names)) ?? node
}

const isFitting = (value: JsonSchema, { properties, ...schema }: JsonSchema, names: ReadonlyArray<string>): boolean => {
  const members = nodeOf(properties)
  return (
    typesOf(schema).includes("object") &&
    names.every((name) => name in members) &&
    names.every((name) => {
      const member = nodeOf(members[name])
      return !("const" in member) || member["const"] === value[name]
    })
  )
}
