/** Formats a declaration without its body, on one line. */
import type { Node } from "web-tree-sitter"

const maxLength = 300

export const signatureOf = (node: Node): string => {
  const end = bodyOf(node)?.startIndex ?? node.endIndex
  // Reads more than the limit, because much of the text may be indentation that is collapsed.
  const text = node.text.slice(0, Math.min(end - node.startIndex, maxLength * 2))
  const line = (prefixOf(node) + text)
    .replaceAll(/\s+/gu, " ")
    .replace(/(?:[\s{:;=]|=>)+$/u, "")
    .trim()
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line
}

/** Returns the keyword before a list of declarations. */
const prefixOf = (node: Node): string => {
  switch (node.type) {
    case "variable_declarator":
      return `${node.parent?.childForFieldName("kind")?.text ?? "var"} `
    case "type_spec":
    case "type_alias":
      return "type "
    case "const_spec":
      return "const "
    case "var_spec":
      return "var "
    default:
      return ""
  }
}

const bodyOf = (node: Node): Node | null => {
  const body = node.childForFieldName("body")
  if (body !== null) return body
  // `const f = () => { … }`, `type T struct { … }`
  const inner = node.childForFieldName("value") ?? node.childForFieldName("type")
  if (inner === null) return null
  return inner.childForFieldName("body") ?? (bracedTypes.has(inner.type) ? inner.namedChild(0) : null)
}

/** Types of Go whose members follow the keyword. */
const bracedTypes: ReadonlySet<string> = new Set(["struct_type"])
