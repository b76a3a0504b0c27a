/**
 * JSON Schema as a model needs it: every `$ref` written out where it stands, and nothing that costs bytes in every
 * prompt without saying more.
 */
import type * as JsonSchema from "effect/JsonSchema"

type Node = { readonly [key: string]: unknown }

/** What the schema `{}` of a struct without fields is derived as: anything but null. */
const isAnyNonNull = (node: Node): boolean =>
  Object.keys(node).length === 1 && JSON.stringify(node["not"]) === '{"type":"null"}'

const isNode = (value: unknown): value is Node => value !== null && typeof value === "object" && !Array.isArray(value)

/** Throws on a recursive schema: it cannot be written without `$ref`. */
export const simplify = (
  schema: JsonSchema.JsonSchema,
  definitions: Readonly<Record<string, unknown>>
): JsonSchema.JsonSchema => {
  const written = writeOut(schema, definitions, []) as Node
  return isAnyNonNull(written) ? emptyObject : written
}

const emptyObject: Node = { type: "object", properties: {}, additionalProperties: false }

const writeOut = (
  node: unknown,
  definitions: Readonly<Record<string, unknown>>,
  path: ReadonlyArray<string>
): unknown => {
  if (Array.isArray(node)) return node.map((item) => writeOut(item, definitions, path))
  if (!isNode(node)) return node
  const { $ref, ...rest } = node
  if (typeof $ref === "string") {
    const name = definitionName($ref)
    if (path.includes(name)) throw new Error(`the schema of ${name} is recursive: a provider cannot take it`)
    const target = writeOut(definitions[name], definitions, [...path, name]) as Node
    return { ...target, ...(writeOut(rest, definitions, path) as Node) }
  }
  const written: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(node)) {
    // Literal data, not schemas.
    const isData = key === "default" || key === "enum" || key === "const" || key === "examples"
    written[key] = isData
      ? value
      : key === "properties"
        ? writeOutEach(value, definitions, path)
        : writeOut(value, definitions, path)
  }
  return withoutNoise(written)
}

/** The names of properties are not keywords: one may be called `default` or `$ref`. */
const writeOutEach = (
  properties: unknown,
  definitions: Readonly<Record<string, unknown>>,
  path: ReadonlyArray<string>
): Node =>
  Object.fromEntries(
    Object.entries(properties as Node).map(([name, schema]) => [name, writeOut(schema, definitions, path)])
  )

const definitionName = (reference: string): string =>
  decodeURIComponent(reference.slice(reference.lastIndexOf("/") + 1))
    .replaceAll("~1", "/")
    .replaceAll("~0", "~")

const withoutNoise = (node: Record<string, unknown>): Node => {
  if (node["minimum"] === Number.MIN_SAFE_INTEGER) delete node["minimum"]
  if (node["maximum"] === Number.MAX_SAFE_INTEGER) delete node["maximum"]
  return mergeAllOf(listForm(node))
}

/** A non-empty array is derived as a tuple with a rest: the same schema twice. */
const listForm = (node: Record<string, unknown>): Record<string, unknown> => {
  const { prefixItems, ...rest } = node
  if (!Array.isArray(prefixItems) || rest["items"] === undefined || rest["minItems"] !== prefixItems.length) return node
  const items = JSON.stringify(rest["items"])
  return prefixItems.every((item) => JSON.stringify(item) === items) ? rest : node
}

/** Parts of an `allOf` that repeat no keyword of their parent are part of it; the later description wins. */
const mergeAllOf = (node: Record<string, unknown>): Node => {
  const { allOf, ...rest } = node
  if (!Array.isArray(allOf)) return node
  const left: Array<Node> = []
  for (const part of allOf as ReadonlyArray<Node>) {
    const clashes = Object.keys(part).some((key) => key !== "description" && key in rest)
    if (clashes) left.push(part)
    else Object.assign(rest, part)
  }
  return left.length === 0 ? rest : { ...rest, allOf: left }
}
