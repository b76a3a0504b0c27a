/** Finds the documentation comments of a declaration. */
import type { Node } from "web-tree-sitter"
import type { Language } from "./languages.ts"

const maxLength = 1000
/** The maximum number of comment nodes above a declaration that are read. */
const maxComments = 100

/** Nodes around a declaration that begin at or before it. */
const wrappers: ReadonlySet<string> = new Set([
  "export_statement",
  "decorated_definition",
  "template_declaration",
  "lexical_declaration",
  "variable_declaration",
  "ambient_declaration",
  "type_declaration",
  "const_declaration",
  "var_declaration",
  "var_spec_list",
  "expression_statement"
])

/** The kinds of nodes between a declaration and its comment. */
const skippedNodes: ReadonlySet<string> = new Set(["attribute_item", "decorator", "attribute_list"])

const markers = /^(?:\/\/\/|\/\/!|\/\*\*|\/\*!)/u

/** Returns the documentation; null: there is none. */
export const documentationOf = (docs: Language["docs"], node: Node): string | null => {
  if (docs === "string") return docstring(node)
  const comments: Array<string> = []
  const outer = outermost(node)
  let next = outer.startPosition.row
  let previous = outer.previousSibling
  while (previous !== null && comments.length < maxComments) {
    const text = previous.text.trimEnd()
    const endRow = previous.startPosition.row + newlines(text)
    if (skippedNodes.has(previous.type)) {
      next = previous.startPosition.row
    } else if (previous.type.endsWith("comment") && endRow >= next - 1 && startsItsLine(previous)) {
      if (docs === "marked" && !markers.test(text)) break
      if (text.startsWith("#!")) break
      comments.unshift(text)
      next = previous.startPosition.row
    } else break
    previous = previous.previousSibling
  }
  return comments.length === 0 ? null : truncate(comments.map(withoutMarkers).join("\n"))
}

const outermost = (node: Node): Node => {
  let outer = node
  for (let parent = outer.parent; parent !== null && wrappers.has(parent.type); parent = parent.parent) {
    // In a group, only the first declaration has the comment of the group.
    if (parent.namedChild(0)?.startIndex !== outer.startIndex && parent.startPosition.row !== outer.startPosition.row)
      break
    outer = parent
  }
  return outer
}

/** True if a comment starts its line: a comment after code in the same line refers to that code. */
const startsItsLine = (comment: Node): boolean =>
  comment.previousSibling === null ||
  comment.previousSibling.endPosition.row < comment.startPosition.row ||
  comment.previousSibling.type.endsWith("comment")

const docstring = (node: Node): string | null => {
  const first = node.childForFieldName("body")?.namedChild(0)
  const string = first?.type === "expression_statement" ? first.namedChild(0) : first
  if (string?.type !== "string") return null
  return truncate(string.text.replace(/^\w*("""|'''|"|')/u, "").replace(/("""|'''|"|')$/u, ""))
}

const withoutMarkers = (comment: string): string =>
  comment
    .replace(/^\/\*[*!]?/u, "")
    .replace(/\*\/$/u, "")
    .split("\n")
    .map((line) => line.replace(/^\s*(?:\/\/[/!]?|\*|#+)? ?/u, ""))
    .join("\n")

const truncate = (text: string): string | null => {
  const trimmed = text
    .split("\n")
    .map((line) => line.trim())
    .join("\n")
    .trim()
  if (trimmed === "") return null
  return trimmed.length > maxLength ? `${trimmed.slice(0, maxLength)}…` : trimmed
}

const newlines = (text: string): number => text.split("\n").length - 1
