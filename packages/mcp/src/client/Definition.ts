/**
 * A tool in its server's definition, read within limits, so that a server cannot raise the cost of a prompt
 * arbitrarily. Pure.
 */
import { Canonical } from "@bough/protocol"
import * as Predicate from "effect/Predicate"

type Json = Readonly<Record<string, unknown>>

export interface Definition {
  /** The name that the server uses. */
  readonly tool: string
  readonly description: string
  /** JSON Schema of an object, without external references. */
  readonly inputSchema: Json
  /** Digest of the server's complete definition of the tool. */
  readonly digest: string
  /** The server's own claims about the tool; shown to users, never relied on. */
  readonly hints: string
}

const maxDescription = 2048
const maxSchemaBytes = 65_536
const maxDepth = 32

/** Reads one entry of `tools/list`; null: it has no usable name. */
export const read = (listed: unknown): Definition | null => {
  if (!Predicate.isReadonlyObject(listed) || typeof listed["name"] !== "string" || listed["name"].trim() === "")
    return null
  const { annotations, description, inputSchema, name, outputSchema, title } = listed
  const size = sizeOf(inputSchema)
  const fault =
    size > maxSchemaBytes
      ? `is larger than ${maxSchemaBytes} bytes`
      : depthOf(inputSchema) > maxDepth
        ? "is nested too deep"
        : null
  const about = plainText(typeof description === "string" ? description : typeof title === "string" ? title : "")
  const bounded = about.length > maxDescription ? `${about.slice(0, maxDescription)}…` : about
  return {
    tool: name,
    description: `${bounded}${fault === null ? "" : ` (its schema ${fault} and is left out)`}`.toWellFormed().trim(),
    inputSchema: fault === null ? usable(inputSchema) : anyObject,
    digest: Canonical.digest(JSON.stringify([name, title, description, inputSchema, outputSchema, annotations]) ?? ""),
    hints: hintsOf(annotations)
  }
}

/** Returns text of a server without characters that control a terminal or hide words; line breaks stay. */
export const plainText = (text: string): string => text.replaceAll(/(?!\n)[\p{Cc}\p{Cf}]/gu, "").toWellFormed()

const sizeOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0

const depthOf = (value: unknown): number => {
  let depth = 0
  let level: ReadonlyArray<unknown> = [value]
  while (level.length > 0 && depth <= maxDepth) {
    level = level.flatMap((node) => (node !== null && typeof node === "object" ? Object.values(node) : []))
    depth += 1
  }
  return depth
}

const anyObject: Json = { type: "object", properties: {}, additionalProperties: true }

/** Returns the schema with all definitions in `$defs`, and without external references. */
const usable = (schema: unknown): Json => {
  if (!Predicate.isReadonlyObject(schema)) return anyObject
  const { $defs, $schema: _schema, definitions, ...root } = schema
  const all = {
    ...(Predicate.isReadonlyObject(definitions) ? definitions : {}),
    ...(Predicate.isReadonlyObject($defs) ? $defs : {})
  }
  const names = new Set(Object.keys(all).filter((name) => /^[\w.-]+$/u.test(name)))
  const local = new Map([...names].map((name) => [name, resolveReferences(all[name], names)]))
  const expanded = expands(root, local)
    ? { root: resolveReferences(root, names), local }
    : { root: resolveReferences(root, new Set()), local: new Map() }
  const closed = Predicate.isReadonlyObject(expanded.root) ? expanded.root : {}
  return {
    ...closed,
    type: "object",
    ...("additionalProperties" in closed || "unevaluatedProperties" in closed ? {} : { additionalProperties: true }),
    ...(expanded.local.size === 0 ? {} : { $defs: Object.fromEntries(expanded.local) })
  }
}

/** Resolves references to definitions in the schema itself; all others are dropped, and none is fetched. */
const resolveReferences = (node: unknown, names: ReadonlySet<string>): unknown => {
  if (Array.isArray(node)) return node.map((item) => resolveReferences(item, names))
  if (!Predicate.isReadonlyObject(node)) return node
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, value]): ReadonlyArray<readonly [string, unknown]> => {
      if (key === "$dynamicRef" || key === "$recursiveRef" || key === "$id" || key === "$anchor") return []
      if (key !== "$ref" || typeof value !== "string") return [[key, resolveReferences(value, names)]]
      const name = /^#\/(?:\$defs|definitions)\/([\w.-]+)$/u.exec(value)?.[1]
      return name !== undefined && names.has(name) ? [[key, `#/$defs/${name}`]] : []
    })
  )
}

const referencesOf = (node: unknown): ReadonlyArray<string> => {
  if (Array.isArray(node)) return node.flatMap(referencesOf)
  if (!Predicate.isReadonlyObject(node)) return []
  const { $ref } = node
  const ownReferences = typeof $ref === "string" ? [$ref.slice($ref.lastIndexOf("/") + 1)] : []
  return [...ownReferences, ...Object.values(node).flatMap(referencesOf)]
}

/** True if the schema stays small when all references are expanded, which excludes recursive schemas. */
const expands = (root: unknown, definitions: ReadonlyMap<string, unknown>): boolean => {
  const sizes = new Map<string, number>()
  const size = (name: string, above: ReadonlySet<string>): number => {
    const known = sizes.get(name)
    if (known !== undefined) return known
    const node = definitions.get(name)
    if (node === undefined || above.has(name)) return 0
    const inner = new Set(above).add(name)
    const total = referencesOf(node).reduce((sum, next) => sum + size(next, inner), sizeOf(node))
    sizes.set(name, total)
    return total
  }
  const totalSize = referencesOf(root).reduce((sum, name) => sum + size(name, new Set()), sizeOf(root))
  return totalSize <= 4 * maxSchemaBytes
}

const hintsOf = (annotations: unknown): string => {
  if (!Predicate.isReadonlyObject(annotations)) return ""
  const claims = [
    annotations["readOnlyHint"] === true ? "that it only reads" : null,
    annotations["destructiveHint"] === true ? "that it destroys data" : null,
    annotations["openWorldHint"] === true ? "that it contacts other systems" : null
  ].filter((hint) => hint !== null)
  return claims.join(", ")
}
