/**
 * The schema of Gemini's `parameters`: a subset of OpenAPI 3.0 without the references, constants, free keys and defaults
 * of JSON Schema. Types are in capitals.
 */
import { definitionsOf, isNode, listOf, nodeOf, requiredOf, resolve, typesOf } from "../internal/nodes.ts"
import { pathBelow, collect, type Losses, type WriteResult } from "../Loss.ts"
import type { JsonSchema } from "../ToolMessage.ts"

const supportedKeywords =
  "title description default minItems maxItems minLength maxLength minProperties maxProperties pattern minimum maximum".split(
    " "
  )

const handled: ReadonlySet<string> = new Set([
  ...supportedKeywords,
  ...(
    "type enum const anyOf oneOf properties required items format exclusiveMinimum exclusiveMaximum " +
    "additionalProperties $ref $defs definitions $schema"
  ).split(" ")
])

/** Formats that the API accepts; it refuses all others. */
const formats: Readonly<Record<string, ReadonlyArray<string>>> = {
  string: ["enum", "date-time"],
  number: ["float", "double"],
  integer: ["int32", "int64"]
}

export const fromSchema = (schema: JsonSchema, at: string): WriteResult<JsonSchema> => {
  const losses = collect()
  const value = geminiNode(schema, { at, losses, definitions: definitionsOf(schema), seen: new Set() })
  return { value, losses: losses.list }
}

interface SchemaPosition {
  readonly at: string
  readonly losses: Losses
  readonly definitions: JsonSchema
  readonly seen: ReadonlySet<string>
}

const positionInside = (position: SchemaPosition, ...keys: ReadonlyArray<string | number>): SchemaPosition => ({
  ...position,
  at: keys.reduce<string>(pathBelow, position.at)
})

const geminiNode = (schema: JsonSchema, position: SchemaPosition): JsonSchema => {
  const target = resolve(schema, position.definitions, position.seen)
  if (target === null) {
    position.losses.add("Reference", position.at, "any object")
    const { description } = schema
    return { type: "OBJECT", ...(description === undefined ? {} : { description }) }
  }
  const { node } = target
  const here = { ...position, seen: target.seen }
  for (const keyword of Object.keys(node)) {
    if (!handled.has(keyword)) here.losses.add("Keyword", pathBelow(here.at, keyword), keyword)
  }
  const plain = Object.fromEntries(
    supportedKeywords.filter((keyword) => keyword in node).map((keyword) => [keyword, node[keyword]])
  )
  const alternatives = [...listOf(node["anyOf"]), ...listOf(node["oneOf"])].map(nodeOf)
  if (alternatives.length > 0) return { ...plain, ...anyOf(alternatives, here) }
  return { ...plain, ...convertTypes(node, here) }
}

/** Converts alternatives; if one of them is only null, the others become nullable. */
const anyOf = (alternatives: ReadonlyArray<JsonSchema>, position: SchemaPosition): JsonSchema => {
  const isNull = (one: JsonSchema) => typesOf(one).join() === "null" || one["const"] === null
  const members = alternatives.filter((one) => !isNull(one))
  const nullable = members.length < alternatives.length ? { nullable: true } : {}
  if (members.length === 0) return { type: "NULL" }
  const written = members.map((one, index) => geminiNode(one, positionInside(position, "anyOf", index)))
  return written.length === 1 ? { ...written[0], ...nullable } : { anyOf: written, ...nullable }
}

const convertTypes = (node: JsonSchema, position: SchemaPosition): JsonSchema => {
  if ("const" in node) return literals([node["const"]], node, position)
  if (Array.isArray(node["enum"])) return literals(node["enum"], node, position)
  const types = typesOf(node)
  const nullable = types.includes("null") && types.length > 1 ? { nullable: true } : {}
  const named = types.filter((type) => type !== "null" || types.length === 1)
  if (named.length === 0) {
    position.losses.add("Type", position.at, "any value")
    return {}
  }
  if (named.length > 1) return { anyOf: named.map((type) => ofType(type, node, position)), ...nullable }
  return { ...ofType(named[0], node, position), ...nullable }
}

const ofType = (type: string, node: JsonSchema, position: SchemaPosition): JsonSchema => ({
  type: type.toUpperCase(),
  ...(type === "object" ? objectOf(node, position) : {}),
  ...(type === "array" ? { items: geminiNode(nodeOf(node["items"]), positionInside(position, "items")) } : {}),
  ...(type === "number" || type === "integer" ? exclusive(type, node, position) : {}),
  ...formatOf(type, node, position)
})

const objectOf = (node: JsonSchema, position: SchemaPosition): JsonSchema => {
  const others = node["additionalProperties"]
  if (isNode(others) || others === true) position.losses.add("Open", position.at, "an object of free keys")
  if (others === false)
    position.losses.add("Keyword", pathBelow(position.at, "additionalProperties"), "additionalProperties")
  const properties = Object.entries(nodeOf(node["properties"]))
  if (properties.length === 0) return {}
  const required = requiredOf(node)
  return {
    properties: Object.fromEntries(
      properties.map(([name, member]) => [
        name,
        geminiNode(nodeOf(member), positionInside(position, "properties", name))
      ])
    ),
    ...(required.length === 0 ? {} : { required })
  }
}

/** Converts an exclusive bound of an integer to the next whole number; for other numbers it is lost. */
const exclusive = (type: string, node: JsonSchema, position: SchemaPosition): JsonSchema =>
  Object.fromEntries(
    ([["exclusiveMinimum", "minimum", 1] as const, ["exclusiveMaximum", "maximum", -1] as const] as const).flatMap(
      ([keyword, inclusive, step]) => {
        const bound = node[keyword]
        if (typeof bound !== "number") return []
        if (type === "integer" && Number.isSafeInteger(bound) && !(inclusive in node))
          return [[inclusive, bound + step]]
        position.losses.add("Keyword", pathBelow(position.at, keyword), keyword)
        return []
      }
    )
  )

const formatOf = (type: string, { format }: JsonSchema, position: SchemaPosition): JsonSchema => {
  if (typeof format !== "string") return {}
  if ((formats[type] ?? []).includes(format)) return { format }
  position.losses.add("Keyword", pathBelow(position.at, "format"), "format")
  return {}
}

/** Converts literals: only texts can be listed, and a single number becomes a range with equal bounds. */
const literals = (values: ReadonlyArray<unknown>, node: JsonSchema, position: SchemaPosition): JsonSchema => {
  const rest = values.filter((value) => value !== null)
  const nullable = rest.length < values.length && rest.length > 0 ? { nullable: true } : {}
  if (rest.length === 0) return { type: "NULL" }
  if (rest.every((value) => typeof value === "string"))
    return { type: "STRING", format: "enum", enum: rest, ...nullable }
  const [first] = rest
  if (rest.length === 1 && typeof first === "number") {
    return { type: Number.isInteger(first) ? "INTEGER" : "NUMBER", minimum: first, maximum: first, ...nullable }
  }
  position.losses.add("Literal", position.at, JSON.stringify("const" in node ? node["const"] : values))
  const types = [...new Set(rest.map(typeNameOf))]
  return types.length === 1 ? { type: types[0], ...nullable } : { anyOf: types.map((type) => ({ type })), ...nullable }
}

const typeNameOf = (value: unknown): string =>
  Array.isArray(value) ? "ARRAY" : typeof value === "object" ? "OBJECT" : (typeof value).toUpperCase()

/** Converts back to JSON Schema. */
export const toSchema = (schema: JsonSchema): JsonSchema => {
  const { anyOf: alternatives, format, items, nullable, properties, propertyOrdering: _, type, ...rest } = schema
  const name = typeof type === "string" && type !== "TYPE_UNSPECIFIED" ? { type: type.toLowerCase() } : {}
  const node: JsonSchema = {
    ...rest,
    ...name,
    ...(format === undefined || format === "enum" ? {} : { format }),
    ...(items === undefined ? {} : { items: toSchema(nodeOf(items)) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(nodeOf(properties)).map(([key, member]) => [key, toSchema(nodeOf(member))])
          )
        }),
    ...(Array.isArray(alternatives) ? { anyOf: alternatives.map((one) => toSchema(nodeOf(one))) } : {})
  }
  return nullable === true ? withNull(node) : node
}

const withNull = (node: JsonSchema): JsonSchema => {
  if (Array.isArray(node["anyOf"])) return { ...node, anyOf: [...node["anyOf"], { type: "null" }] }
  const values = Array.isArray(node["enum"]) ? { enum: [...node["enum"], null] } : {}
  return typeof node["type"] === "string" ? { ...node, type: [node["type"], "null"], ...values } : node
}
