/**
 * JSON Schema for models: every `$ref` is inlined if possible, and parts that cost bytes in each prompt without adding
 * information are dropped.
 */
import type * as JsonSchema from "effect/JsonSchema"

type Node = { readonly [key: string]: unknown }

/** True for the schema derived from `{}`, a struct without fields, which accepts everything but null. */
const isAnyNonNull = (node: Node): boolean =>
  Object.keys(node).length === 1 && JSON.stringify(node["not"]) === '{"type":"null"}'

const isNode = (value: unknown): value is Node => value !== null && typeof value === "object" && !Array.isArray(value)

type Definitions = Readonly<Record<string, unknown>>

/** Expands every `$ref` of a schema, except to recursive definitions, which are included. */
export const simplify = (
  schema: JsonSchema.JsonSchema,
  definitions: Definitions
): { readonly schema: JsonSchema.JsonSchema; readonly definitions: Record<string, JsonSchema.JsonSchema> } => {
  const recursive = recursiveOf(definitions)
  const world = { definitions, recursive }
  const root = schema["$ref"]
  // Providers require an object at the top level.
  const top =
    typeof root === "string" && recursive.has(definitionName(root)) ? definitions[definitionName(root)] : schema
  const written = writeOut(top, world) as Node
  return {
    schema: isAnyNonNull(written) ? emptyObject : written,
    definitions: Object.fromEntries([...recursive].map((name) => [name, writeOut(definitions[name], world) as Node]))
  }
}

interface SimplifyContext {
  readonly definitions: Definitions
  readonly recursive: ReadonlySet<string>
}

/** Finds the recursive definitions. */
const recursiveOf = (definitions: Definitions): ReadonlySet<string> => {
  const references = new Map(Object.entries(definitions).map(([name, node]) => [name, referencesOf(node)] as const))
  const isRecursive = (name: string): boolean => {
    const seen = new Set<string>()
    const unvisited = [...(references.get(name) ?? [])]
    for (let next = unvisited.pop(); next !== undefined; next = unvisited.pop()) {
      if (next === name) return true
      if (seen.has(next)) continue
      seen.add(next)
      unvisited.push(...(references.get(next) ?? []))
    }
    return false
  }
  return new Set([...references.keys()].filter(isRecursive))
}

const referencesOf = (node: unknown): ReadonlyArray<string> => {
  if (Array.isArray(node)) return node.flatMap(referencesOf)
  if (!isNode(node)) return []
  const ownReferences = typeof node["$ref"] === "string" ? [definitionName(node["$ref"])] : []
  return ownReferences.concat(Object.values(node).flatMap(referencesOf))
}

const emptyObject: Node = { type: "object", properties: {}, additionalProperties: false }

const writeOut = (node: unknown, context: SimplifyContext): unknown => {
  if (Array.isArray(node)) return node.map((item) => writeOut(item, context))
  if (!isNode(node)) return node
  const { $ref, ...rest } = node
  if (typeof $ref === "string") {
    const name = definitionName($ref)
    const otherKeywords = writeOut(rest, context) as Node
    if (context.recursive.has(name)) return { $ref, ...otherKeywords }
    return { ...(writeOut(context.definitions[name], context) as Node), ...otherKeywords }
  }
  const written: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(node)) {
    // These keywords contain literal data, not schemas.
    const isData = key === "default" || key === "enum" || key === "const" || key === "examples"
    written[key] = isData ? value : key === "properties" ? writeOutEach(value, context) : writeOut(value, context)
  }
  return withoutNoise(written)
}

/** The names of properties are not keywords, because a property may be called `default` or `$ref`. */
const writeOutEach = (properties: unknown, context: SimplifyContext): Node =>
  Object.fromEntries(Object.entries(properties as Node).map(([name, schema]) => [name, writeOut(schema, context)]))

const definitionName = (reference: string): string =>
  decodeURIComponent(reference.slice(reference.lastIndexOf("/") + 1))
    .replaceAll("~1", "/")
    .replaceAll("~0", "~")

const withoutNoise = (node: Record<string, unknown>): Node => {
  if (node["minimum"] === Number.MIN_SAFE_INTEGER) delete node["minimum"]
  if (node["maximum"] === Number.MAX_SAFE_INTEGER) delete node["maximum"]
  return mergeAllOf(listForm(node))
}

/** A non-empty array is derived as a tuple with a rest, which repeats the same schema. */
const listForm = (node: Record<string, unknown>): Record<string, unknown> => {
  const { prefixItems, ...rest } = node
  if (!Array.isArray(prefixItems) || rest["items"] === undefined || rest["minItems"] !== prefixItems.length) return node
  const items = JSON.stringify(rest["items"])
  return prefixItems.every((item) => JSON.stringify(item) === items) ? rest : node
}

/** Merges the parts of an `allOf` that repeat no keyword of their parent; the later description is used. */
const mergeAllOf = (node: Record<string, unknown>): Node => {
  const { allOf, ...rest } = node
  if (!Array.isArray(allOf)) return node
  const unmerged: Array<Node> = []
  for (const part of allOf as ReadonlyArray<Node>) {
    const clashes = Object.keys(part).some((key) => key !== "description" && key in rest)
    if (clashes) unmerged.push(part)
    else Object.assign(rest, part)
  }
  return unmerged.length === 0 ? rest : { ...rest, allOf: unmerged }
}
