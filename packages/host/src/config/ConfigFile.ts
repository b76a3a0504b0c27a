/**
 * Reads a JSONC configuration file against its schema, and reports all of its faults with file and line.
 * `${NAME}` in a string stands for the environment variable of that name.
 */
import * as BoundedIssues from "@bough/tool/BoundedIssues"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import type { Node, ParseError } from "jsonc-parser"
import { HostFailure, invalid } from "../HostFailure.ts"
import { nearest } from "./Nearest.ts"

export interface Source {
  /** The path in the user's notation. */
  readonly name: string
  readonly text: string
}

export interface ReadOptions<A> {
  // oxlint-disable-next-line typescript/no-explicit-any -- the encoded side is whatever the file holds
  readonly schema: Schema.Codec<A, any>
  /** The variables of `${NAME}`; null for a project's file, which may not read the operator's variables. */
  readonly variables: Readonly<Record<string, string | undefined>> | null
  /**
   * The schema of the operator's file, for a project's file: keys that only this schema has are reported as the
   * operator's. Null for other files.
   */
  readonly operatorSchema: Schema.Top | null
}

/** A fault and its line. */
interface Problem {
  readonly line: number
  readonly message: string
}

type Path = ReadonlyArray<string | number>

// Loaded if there is a file to read: most starts have none.
const jsonc = Effect.promise(() => import("jsonc-parser"))

/** Parses the text; undefined: it is empty. Fails if it is not JSONC. */
export const parse = Effect.fnUntraced(function* (source: Source) {
  const { parseTree, printParseErrorCode } = yield* jsonc
  const deep = tooDeep(source.text)
  if (deep !== null) {
    return yield* stop(source, [{ line: lineOf(source, deep), message: `nested deeper than ${maxDepth}` }])
  }
  const errors: Array<ParseError> = []
  const tree = parseTree(source.text, errors, { allowTrailingComma: true, allowEmptyContent: true })
  if (errors.length === 0) return tree
  const faults = errors.map(({ error, offset }) => ({
    line: lineOf(source, offset),
    message: toWords(printParseErrorCode(error))
  }))
  return yield* stop(source, faults)
})

/**
 * Far more than the depth of any key. The limit is needed because the parser recurses, and would exhaust the stack at
 * some thousand levels.
 */
const maxDepth = 100

/** Finds the bracket that exceeds `maxDepth`; null: no bracket does. Strings and comments are skipped. */
const tooDeep = (text: string): number | null => {
  let depth = 0
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\\n]|\\.)*"?|\/\/[^\n]*|\/\*[^]*?\*\/|[[\]{}]/gu)) {
    if (token === "[" || token === "{") depth++
    else if (token === "]" || token === "}") depth--
    if (depth > maxDepth) return index
  }
  return null
}

const lineOf = ({ text }: Source, offset: number): number => text.slice(0, offset).split("\n").length

/** Decodes the file, or fails with all faults: the first is the message, the others are the details. */
export const read = Effect.fnUntraced(function* <A>(source: Source, reading: ReadOptions<A>) {
  const { findNodeAtLocation, getNodeValue } = yield* jsonc
  const tree = yield* parse(source)
  if (tree === undefined) return yield* decodeEmpty(source, reading)
  const at = (path: Path): number => lineOf(source, findNode(findNodeAtLocation, tree, path).offset)
  const problems = repeatedKeys(tree).map((node) => ({
    line: lineOf(source, node.offset),
    message: `duplicate key ${JSON.stringify(node.value)}`
  }))
  const missing: Array<Problem> = []
  const filled = fill(getNodeValue(tree), [], (name, path) => {
    const value = reading.variables?.[name]
    if (value === undefined) missing.push({ line: at(path), message: missingVariable(name, reading) })
    return value ?? ""
  })
  problems.push(...missing)
  const decoded = BoundedIssues.boundIssues(SchemaParser.decodeUnknownResult(reading.schema), "error")(filled)
  if (Result.isFailure(decoded)) {
    for (const issue of formatter(decoded.failure).issues) {
      const path = (issue.path ?? []).map(keyOf)
      problems.push({ line: at(path), message: describe(path, issue.message, reading) })
    }
  }
  if (Result.isFailure(decoded) || problems.length > 0) {
    return yield* stop(
      source,
      problems.toSorted((a, b) => a.line - b.line)
    )
  }
  return decoded.success
})

const missingVariable = <A>(name: string, { variables }: ReadOptions<A>): string =>
  variables === null
    ? `\${${name}} is expanded only in your own configuration, ~/.config/bough/config.jsonc; write the value itself`
    : `environment variable ${name} is not set`

const decodeEmpty = <A>(source: Source, { schema }: ReadOptions<A>): Effect.Effect<A, HostFailure> =>
  Schema.decodeUnknownEffect(schema)({}).pipe(
    Effect.mapError(({ message }) => invalid(`${source.name}: ${message}`, ""))
  )

const formatter = SchemaIssue.makeFormatterStandardSchemaV1()

const keyOf = (segment: PropertyKey | { readonly key: PropertyKey }): string | number => {
  const key = typeof segment === "object" ? segment.key : segment
  return typeof key === "symbol" ? String(key) : key
}

const stop = (source: Source, problems: ReadonlyArray<Problem>): Effect.Effect<never, HostFailure> => {
  const [first, ...others] = problems.map(({ line, message }) => `${source.name}:${line}: ${message}`)
  const hint = others.length === 0 ? "" : `and ${others.length} more, with --verbose`
  return Effect.fail(
    new HostFailure({ reason: "Invalid", message: first, hint, nextStep: null, details: others.join("\n") })
  )
}

/** Turns the parser's code "ValueExpected" into words. */
const toWords = (code: string): string => code.replaceAll(/(?<=[a-z])[A-Z]/gu, (letter) => ` ${letter}`).toLowerCase()

/** Finds the node of a path, or of the deepest part of it that exists; a property's node begins at its key. */
const findNode = (
  find: (root: Node, path: Array<string | number>) => Node | undefined,
  root: Node,
  path: Path
): Node => {
  for (let length = path.length; length > 0; length--) {
    const node = find(root, path.slice(0, length))
    if (node !== undefined) return node.parent?.type === "property" ? node.parent : node
  }
  return root
}

const describe = <A>(path: Path, message: string, { operatorSchema, schema }: ReadOptions<A>): string => {
  const key = path.join(".")
  if (!message.startsWith("Expected no excess property")) {
    return path.length === 0 ? message : `${key}: ${message.charAt(0).toLowerCase()}${message.slice(1)}`
  }
  if (operatorSchema !== null && unknownKey(operatorSchema, path) === null) {
    return `${key} is the operator's to decide: it belongs in ~/.config/bough/config.jsonc`
  }
  return unknownKey(schema, path) ?? `unknown key ${JSON.stringify(key)}`
}

/** Returns the description of a key that the derived JSON Schema does not have; null if the schema has the key. */
export const unknownKey = (schema: Schema.Top, path: Path): string | null => {
  const root: unknown = Schema.toJsonSchemaDocument(schema, { onExcessProperty: "error" }).schema
  let node = root
  for (const [index, key] of path.entries()) {
    const next = fieldOf(node, String(key))
    if (next === undefined) {
      const near = pathElsewhere(root, String(key)) ?? nearest(String(key), keysOf(node))
      const unknownKey = path.slice(0, index + 1).join(".")
      return near === null
        ? `unknown key ${JSON.stringify(unknownKey)}`
        : `unknown key "${unknownKey}"; did you mean "${near}"?`
    }
    node = next
  }
  return null
}

const keysOf = (node: unknown): ReadonlyArray<string> => Object.keys(member(objectOf(node), "properties") ?? {})

/**
 * Finds the group of keys that has a key of this name, as in `terminal.theme`; null unless exactly one group has it.
 */
const pathElsewhere = (root: unknown, key: string): string | null => {
  const groups = keysOf(root).filter((group) => keysOf(fieldOf(root, group)).includes(key))
  return groups.length === 1 ? `${groups[0]}.${key}` : null
}

const fieldOf = (node: unknown, key: string): unknown => {
  const object = objectOf(node)
  const items = /^\d+$/u.test(key) ? member(node, "items") : undefined
  return items ?? member(member(object, "properties"), key) ?? (member(object, "additionalProperties") || undefined)
}

/** Returns the object of a value that may be text or an object. */
const objectOf = (node: unknown): unknown => {
  const choices = member(node, "anyOf")
  return Array.isArray(choices) ? choices.find((choice) => member(choice, "properties") !== undefined) : node
}

const member = (node: unknown, key: string): unknown =>
  node !== null && typeof node === "object" ? (node as Record<string, unknown>)[key] : undefined

/** Finds the nodes of keys that repeat an earlier key of their object. */
const repeatedKeys = (node: Node): ReadonlyArray<Node> => {
  const children = node.children ?? []
  if (node.type !== "object") return children.flatMap(repeatedKeys)
  const seen = new Set<unknown>()
  return children.flatMap((property) => {
    const [key, value] = property.children ?? []
    const repeatedKey = seen.has(key?.value) ? [key] : []
    seen.add(key?.value)
    return value === undefined ? repeatedKey : [...repeatedKey, ...repeatedKeys(value)]
  })
}

/** Replaces `${NAME}` in strings at any depth. */
const fill = (value: unknown, path: Path, lookUp: (name: string, path: Path) => string): unknown => {
  if (typeof value === "string") {
    return value.replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/gu, (_, name: string) => lookUp(name, path))
  }
  if (Array.isArray(value)) return value.map((item, index) => fill(item, [...path, index], lookUp))
  if (value === null || typeof value !== "object") return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, [...path, key], lookUp)]))
}
