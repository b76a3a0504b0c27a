/**
 * JSON Schemas of other authors in the one form that the rest of this package reads: draft 2020-12, with an object at the
 * root and references to `$defs` alone.
 */
import * as JsonSchema from "effect/JsonSchema"

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value)

/** The keywords that hold one schema, a list of schemas, or schemas by name. */
const holders = {
  one: new Set([
    "additionalProperties",
    "contains",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties"
  ]),
  list: new Set(["allOf", "anyOf", "items", "oneOf", "prefixItems"]),
  named: new Set(["$defs", "dependentSchemas", "patternProperties", "properties"])
}

/** Changes the schemas directly below a schema. `path` names each of them. */
const mapBelow = (node: Node, change: (below: Node, path: ReadonlyArray<string>) => Node): Node => {
  const changed = (value: unknown, path: ReadonlyArray<string>): unknown =>
    isNode(value) ? change(value, path) : value
  return Object.fromEntries(
    Object.entries(node).map(([keyword, value]) => {
      if (holders.named.has(keyword) && isNode(value)) {
        const entries = Object.entries(value).map(([name, one]) => [name, changed(one, [keyword, name])])
        return [keyword, Object.fromEntries(entries)]
      }
      if (holders.list.has(keyword) && Array.isArray(value)) {
        return [keyword, value.map((one, index) => changed(one, [keyword, String(index)]))]
      }
      return [keyword, holders.one.has(keyword) ? changed(value, [keyword]) : value]
    })
  )
}

const types: ReadonlySet<unknown> = new Set(["array", "boolean", "integer", "null", "number", "object", "string"])

/** Describes the first `type` that JSON Schema does not have; null: there is none. Providers refuse such a schema. */
export const wrongType = (schema: Node, path: ReadonlyArray<string> = []): string | null => {
  const { type } = schema
  const wrong = [type].flat().find((one) => one !== undefined && !types.has(one))
  if (wrong !== undefined) {
    return `${[...path, "type"].join(".")} is ${JSON.stringify(wrong)}: it must be one of ${[...types].join(", ")}`
  }
  let found: string | null = null
  mapBelow(schema, (below, at) => {
    found ??= wrongType(below, [...path, ...at])
    return below
  })
  return found
}

/** Returns the schema in draft 2020-12, whose references all lead to `$defs`. */
export const normalize = (schema: JsonSchema.JsonSchema): JsonSchema.JsonSchema => {
  const { $schema: _, ...json } = "definitions" in schema ? fromDraft07(schema) : schema
  return withRoot(withoutSelf(json))
}

const fromDraft07 = (schema: JsonSchema.JsonSchema): JsonSchema.JsonSchema => {
  const document = JsonSchema.fromSchemaDraft07(schema)
  return { ...document.schema, $defs: document.definitions }
}

/** Gives the root a definition if it refers to itself. */
const withoutSelf = (json: Node): Node => {
  const { $defs, ...root } = json
  const definitions = isNode($defs) ? $defs : {}
  let name = "root"
  while (name in definitions) name += "_"
  let isRecursive = false
  const redirect = (node: Node): Node => {
    const changed = mapBelow(node, redirect)
    if (changed["$ref"] !== "#") return changed
    isRecursive = true
    return { ...changed, $ref: `#/$defs/${name}` }
  }
  const { $defs: redirected, ...own } = redirect(json)
  return isRecursive ? { ...own, $defs: { ...(redirected as Node | undefined), [name]: redirect(root) } } : json
}

/** Replaces a root that is a reference by the definition that it refers to. */
const withRoot = (json: Node): JsonSchema.JsonSchema => {
  const seen = new Set<unknown>()
  let root: Node = json
  while (typeof root["$ref"] === "string" && !seen.has(root["$ref"])) {
    const { $ref, ...rest } = root
    seen.add($ref)
    const found = definitionOf($ref, json["$defs"])
    if (found === undefined) return root
    root = { ...found, ...rest }
  }
  return root
}

const definitionOf = (reference: unknown, definitions: unknown): Node | undefined => {
  const [, name] = /^#\/\$defs\/([^/]+)$/u.exec(String(reference)) ?? []
  if (name === undefined || !isNode(definitions)) return undefined
  const found = definitions[decodeURIComponent(name).replaceAll("~1", "/").replaceAll("~0", "~")]
  return isNode(found) ? found : undefined
}

/**
 * Refuses unknown keys at the root, unless the schema has a keyword about them. The names in `required` and in the parts of
 * an `allOf`, `anyOf` or `oneOf` are known as well: the keyword that closes an object only reads `properties`.
 */
export const close = (json: JsonSchema.JsonSchema): JsonSchema.JsonSchema => {
  if ("additionalProperties" in json || "unevaluatedProperties" in json) return json
  const open = namesIn(json).map((name) => [name, {}] as const)
  return {
    ...json,
    properties: { ...Object.fromEntries(open), ...(json["properties"] as Node | undefined) },
    additionalProperties: false
  }
}

const namesIn = (node: Node): ReadonlyArray<string> => {
  const parts = ["allOf", "anyOf", "oneOf"].flatMap((keyword) => {
    const value = node[keyword]
    return Array.isArray(value) ? value.filter(isNode) : []
  })
  const required: unknown = node["required"]
  return [
    ...Object.keys(isNode(node["properties"]) ? node["properties"] : {}),
    ...(Array.isArray(required) ? required.map(String) : []),
    ...parts.flatMap(namesIn)
  ]
}
