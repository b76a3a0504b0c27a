/** Writes the table of configuration keys that docs/configuration.md includes, from the published schema. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"

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

const schema = JSON.parse(
  readFileSync(new URL("../../apps/cli/dist/config.schema.json", import.meta.url), "utf8")
) as Node

const resolved = (node: Node): Node => {
  const name = node.$ref?.replace(/^#\/\$defs\//u, "")
  const found = name === undefined ? undefined : schema.$defs?.[name]
  return found === undefined ? node : { ...found, ...node }
}

/** The allowed values of a key, in words. */
const valueOf = (given: Node): string => {
  const node = resolved(given)
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

/** A row for each key that holds a value, in the order of the schema; NAME stands for a name of your own. */
const rows = (given: Node, above: string): ReadonlyArray<Row> => {
  const node = resolved(given)
  const inside = Object.entries(node.properties ?? {}).flatMap(([name, child]) => rows(child, `${above}${name}.`))
  const more = node.additionalProperties
  // What stands under a name of your own is described with the key above it, unless it has words of its own.
  const each = typeof more === "object" ? { description: node.description ?? "", ...resolved(more) } : null
  const named = each === null ? [] : rows(each, `${above}NAME.`)
  if (inside.length + named.length > 0) return [...inside, ...named]
  const key = above.replace(/\.$/u, "")
  return key === "" ? [] : [{ key, value: valueOf(node), description: node.description ?? "" }]
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll("{{", "{ {")

const table = rows(schema, "").map(
  ({ description, key, value }) => `| \`${key}\` | ${cell(value)} | ${cell(description)} |`
)
if (table.length < 20) throw new Error("the schema names fewer than 20 keys: build @bough/cli first")

mkdirSync(new URL("generated", import.meta.url), { recursive: true })
writeFileSync(
  new URL("generated/configuration.md", import.meta.url),
  ["| key | value | meaning |", "| --- | --- | --- |", ...table, ""].join("\n")
)
