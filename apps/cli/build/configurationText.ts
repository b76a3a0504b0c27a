/** The list of configuration keys in docs/configuration.md, from the published schema. */
import * as SchemaDocument from "@bough/host/config/SchemaDocument"

interface Node {
  readonly type?: string | ReadonlyArray<string>
  readonly description?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly const?: unknown
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly properties?: Readonly<Record<string, Node>>
  readonly additionalProperties?: Node | boolean
  readonly items?: Node
  readonly anyOf?: ReadonlyArray<Node>
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Node>>
}

const schema = SchemaDocument.user() as Node

const resolveNode = (node: Node): Node => {
  const name = node.$ref?.replace(/^#\/\$defs\//u, "")
  const found = name === undefined ? undefined : schema.$defs?.[name]
  return found === undefined ? node : { ...found, ...node }
}

/** The allowed values of a key, in words. */
const valueOf = (given: Node): string => {
  const node = resolveNode(given)
  if (node.enum !== undefined) return node.enum.map((value) => JSON.stringify(value)).join(", ")
  if (node.const !== undefined) return JSON.stringify(node.const)
  if (node.anyOf !== undefined) return [...new Set(node.anyOf.map(valueOf))].join(" or ")
  if (node.type === "array") return `list of ${valueOf(node.items ?? {})}`
  if (node.type === "integer" || node.type === "number") {
    const least = node.minimum === undefined ? "" : ` from ${node.minimum}`
    const above = node.exclusiveMinimum === undefined ? "" : ` above ${node.exclusiveMinimum}`
    const most = node.maximum === undefined || node.maximum > 1e12 ? "" : ` to ${node.maximum}`
    return `${node.type}${least}${above}${most}`
  }
  return typeof node.type === "string" ? node.type : "value"
}

interface Row {
  readonly key: string
  readonly value: string
  readonly description: string
}

/** A row for each key that holds a value, in the order of the schema; NAME stands for a name that users choose. */
const rows = (given: Node, above: string): ReadonlyArray<Row> => {
  const node = resolveNode(given)
  const inside = Object.entries(node.properties ?? {}).flatMap(([name, child]) => rows(child, `${above}${name}.`))
  const more = node.additionalProperties
  // A value under a name that users choose takes the description of the key above it if its schema has none.
  const each = typeof more === "object" ? { description: node.description ?? "", ...resolveNode(more) } : null
  const named = each === null ? [] : rows(each, `${above}NAME.`)
  if (inside.length + named.length > 0) return [...inside, ...named]
  const key = above.replace(/\.$/u, "")
  return key === "" ? [] : [{ key, value: valueOf(node), description: node.description ?? "" }]
}

const plain = (text: string): string => text.replaceAll("<", "&lt;").replaceAll("{{", "{ {")

/** Returns the list of keys, as docs/configuration.md contains it. */
export const configurationText = (): string =>
  rows(schema, "")
    .map(({ description, key, value }) => {
      const meaning = description === "" ? "" : `. ${description}`
      return `- \`${key}\`: ${plain(`${value}${meaning}`)}\n`
    })
    .join("")

/** Returns the document with its list of keys replaced by the current one. */
export const renewed = (document: string): string =>
  `${document.slice(0, document.indexOf("- `"))}${configurationText()}`
