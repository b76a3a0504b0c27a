/** What is wrong with decoded or encoded values, for a model: each issue with its path, near names for unknown keys. */
import type { ToolError } from "@bough/protocol"
import * as SchemaIssue from "effect/SchemaIssue"
import { nearest } from "./EditDistance.ts"

type Path = ReadonlyArray<PropertyKey>

/** Said of an argument that is not there. */
export const missing = "is missing"

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => (issue._tag === "MissingKey" ? missing : SchemaIssue.defaultLeafHook(issue))
})

/** Every leaf of the tree, in its order. */
export const flatten = (issue: SchemaIssue.Issue, path: Path = []): ReadonlyArray<ToolError.Issue> => {
  switch (issue._tag) {
    case "Pointer":
      return flatten(issue.issue, [...path, ...issue.path])
    case "Encoding":
      return flatten(issue.issue, path)
    case "Composite":
      return issue.issues.flatMap((inner) => flatten(inner, path))
    case "UnexpectedKey":
      return [{ path: dotted(path), message: unknownKey(String(path.at(-1)), knownKeys(issue.ast)) }]
    default:
      return format(issue).issues.map((leaf) => ({
        path: dotted([...path, ...(leaf.path ?? []).map((part) => (typeof part === "object" ? part.key : part))]),
        message: leaf.message
      }))
  }
}

/** Says that a key is not known, and which may have been meant. */
export const unknownKey = (key: string, known: ReadonlyArray<string>): string => {
  const near = nearest(key, known, 1)
  return near.length > 0
    ? `unknown key ${JSON.stringify(key)}: did you mean ${JSON.stringify(near[0])}?`
    : `unknown key ${JSON.stringify(key)}: there are ${known.join(", ") || "none"}`
}

const knownKeys = (ast: SchemaIssue.UnexpectedKey["ast"]): ReadonlyArray<string> =>
  ast._tag === "Objects" ? ast.propertySignatures.map(({ name }) => String(name)) : []

const dotted = (path: Path): string => path.map(String).join(".")

/** One line for all issues. */
export const summary = (issues: ReadonlyArray<ToolError.Issue>): string =>
  issues.map(({ message, path }) => (path === "" ? message : `${path}: ${message}`)).join("; ")
