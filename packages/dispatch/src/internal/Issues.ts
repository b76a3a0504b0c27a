/**
 * The issues of decoding or encoding a value, for a model: each with its path, and with similar names for unknown keys.
 */
import type { ToolError } from "@bough/protocol"
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaIssue from "effect/SchemaIssue"
import { nearest } from "./NearNames.ts"

type Path = ReadonlyArray<PropertyKey>

/** The message for a missing argument. */
export const missingText = "is missing"

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => (issue._tag === "MissingKey" ? missingText : SchemaIssue.defaultLeafHook(issue))
})

/** The number of issues that are formatted: each may describe hundreds of alternatives. */
export const maxFlattened = 200

/** Returns the leaves of the tree in its order, up to a limit. */
export const flatten = (issue: SchemaIssue.Issue, path: Path = []): ReadonlyArray<ToolError.Issue> => {
  switch (issue._tag) {
    case "Pointer":
      return flatten(issue.issue, [...path, ...issue.path])
    case "Encoding":
      return flatten(issue.issue, path)
    case "Composite": {
      const found: Array<ToolError.Issue> = []
      for (const inner of issue.issues) {
        found.push(...flatten(inner, path))
        if (found.length >= maxFlattened) break
      }
      return found
    }
    case "UnexpectedKey":
      return [{ path: formatPath(path), message: unknownKey(String(path.at(-1)), knownKeys(issue.ast)) }]
    case "AnyOf": {
      // The value was meant for one member of the union, so the issues of the other members would mislead.
      if (issue.issues.length === 1) return flatten(issue.issues[0], path)
      const expected = issue.issues.length === 0 ? alternatives(issue.ast) : null
      return expected === null ? leaves(issue, path) : [{ path: formatPath(path), message: expected }]
    }
    case "InvalidType":
      // A closed object without properties derives this in place of an unexpected key.
      return issue.ast._tag === "Never" && path.length > 0
        ? [{ path: formatPath(path), message: unknownKey(String(path.at(-1)), []) }]
        : leaves(issue, path)
    default:
      return leaves(issue, path)
  }
}

const leaves = (issue: SchemaIssue.Issue, path: Path): ReadonlyArray<ToolError.Issue> => {
  const found = new Map<string, ToolError.Issue>()
  for (const leaf of format(issue).issues) {
    const at = [...path, ...(leaf.path ?? []).map((part) => (typeof part === "object" ? part.key : part))]
    const message = leaf.message
      .replace(/^Expected <filter>/u, "is refused by a check that does not say what it expects")
      .replace(/^Expected no excess property$/u, () => `unknown key ${JSON.stringify(String(at.at(-1)))}`)
    // Members of a union may have the same issue.
    found.set(`${formatPath(at)} ${message}`, { path: formatPath(at), message })
  }
  return [...found.values()]
}

/** The number of enum values that a message names before it counts the rest. */
const maxNamed = 12

/** The descriptions of unions by their schema: a list of thousands of wrong values has one union. */
const described = new WeakMap<SchemaAST.AST, { readonly text: string | null }>()

const alternatives = (ast: SchemaAST.AST): string | null => {
  const known = described.get(ast)
  if (known !== undefined) return known.text
  const text = describe(ast)
  described.set(ast, { text })
  return text
}

/** Describes a union with few values, or of objects that a literal distinguishes; null: another union. */
const describe = (ast: SchemaAST.AST): string | null => {
  const members = SchemaAST.isUnion(ast) ? ast.types.map(SchemaAST.toEncoded) : []
  if (members.length > maxNamed && members.every(SchemaAST.isLiteral)) {
    return `must be one of ${members.length} values, such as ${literals(members.slice(0, maxNamed), ", ")}`
  }
  const [first, ...others] = members
  if (first?._tag !== "Objects" || others.length === 0) return null
  for (const { name } of first.propertySignatures) {
    const tags = members.map((member) => literalAt(member, name))
    if (tags.every((tag) => tag !== null) && new Set(tags.map(({ literal }) => literal)).size === tags.length) {
      return `${String(name)} must be ${literals(tags.slice(0, maxNamed), " or ")}${tags.length > maxNamed ? " …" : ""}`
    }
  }
  return null
}

const literals = (members: ReadonlyArray<SchemaAST.Literal>, between: string): string =>
  members
    .map(({ literal }) => (typeof literal === "string" ? JSON.stringify(literal) : String(literal)))
    .map((text) => (text.length > 40 ? `${text.slice(0, 40)}…` : text))
    .join(between)

const literalAt = (member: SchemaAST.AST, name: PropertyKey): SchemaAST.Literal | null => {
  const property =
    member._tag === "Objects" ? member.propertySignatures.find((signature) => signature.name === name) : undefined
  return property !== undefined && SchemaAST.isLiteral(property.type) ? property.type : null
}

/** Reports an unknown key, with the keys that were probably meant. */
export const unknownKey = (key: string, known: ReadonlyArray<string>): string => {
  const near = nearest(key, known, 1)
  return near.length > 0
    ? `unknown key ${JSON.stringify(key)}: did you mean ${JSON.stringify(near[0])}?`
    : `unknown key ${JSON.stringify(key)}: there are ${known.join(", ") || "none"}`
}

const knownKeys = (ast: SchemaIssue.UnexpectedKey["ast"]): ReadonlyArray<string> =>
  ast._tag === "Objects" ? ast.propertySignatures.map(({ name }) => String(name)) : []

const formatPath = (path: Path): string => path.map(String).join(".")

/** Formats all issues in one line. */
export const summary = (issues: ReadonlyArray<ToolError.Issue>): string =>
  issues.map(({ message, path }) => (path === "" ? message : `${path}: ${message}`)).join("; ")

const maxIssues = 20
const maxOfAll = 600

/** Limits the issues to a useful number, each to a readable length. */
export const limitIssues = (issues: ReadonlyArray<ToolError.Issue>): ReadonlyArray<ToolError.Issue> => {
  const boundedIssues: Array<ToolError.Issue> = []
  let remainingCharacters = maxOfAll
  for (const { message, path } of issues.slice(0, maxIssues)) {
    const issue = { path: cut(path, 200), message: cut(message, 400) }
    remainingCharacters -= issue.path.length + issue.message.length
    if (remainingCharacters < 0 && boundedIssues.length > 0) break
    boundedIssues.push(issue)
  }
  return boundedIssues
}

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text
