/** Determines kind and name of a declaration whose node type is ambiguous. */
import type { Node } from "web-tree-sitter"
import type { Kind } from "./Symbols.ts"

export interface NamedDeclaration {
  readonly name: string
  readonly kind: Kind
  /** The type in the name of a member that is defined outside of the type's body, as in `Shape::area`. */
  readonly ownerType: string | null
}

const functionValues: ReadonlySet<string> = new Set(["arrow_function", "function_expression", "generator_function"])

/** Kinds whose functions are methods. */
export const owners: ReadonlySet<Kind> = new Set(["class", "struct", "trait", "impl", "interface", "enum"])

/** The maximum nesting of declarators, which real programs do not exceed. */
const maxDeclarators = 20

/** Returns the name in a C declarator, and whether it declares a function. */
const declarator = (node: Node): { readonly name: Node; readonly isFunction: boolean } => {
  let name = node
  let isFunction = false
  for (let depth = 0; depth < maxDeclarators; depth++) {
    if (name.type === "function_declarator") isFunction = true
    // A pointer to a function is a variable.
    if (name.type === "parenthesized_declarator") isFunction = false
    const inner = name.childForFieldName("declarator") ?? innerDeclarator(name)
    if (inner === null) break
    name = inner
  }
  return { name, isFunction }
}

const innerDeclarator = (node: Node): Node | null =>
  ["parenthesized_declarator", "reference_declarator"].includes(node.type) ? node.namedChild(0) : null

const modifiersOf = (node: Node): string => {
  const name = node.childForFieldName("declarator") ?? node.childForFieldName("name")
  return node.text.slice(0, Math.min(200, name === null ? 200 : name.startIndex - node.startIndex))
}

const constantName = /^_*[A-Z][A-Z0-9_]*$/u

const kindOfVariable = (language: string, node: Node, name: string): Kind => {
  switch (language) {
    case "javascript":
    case "typescript":
    case "tsx": {
      const value = node.childForFieldName("value")
      const isFunction = value !== null && functionValues.has(value.type)
      if (node.type !== "variable_declarator") return isFunction ? "method" : "variable"
      if (isFunction) return "function"
      return node.parent?.childForFieldName("kind")?.text === "const" ? "const" : "variable"
    }
    case "python":
      return constantName.test(name) ? "const" : "variable"
    case "bash":
      return /^(?:readonly|declare\s+-\w*r)/u.test(node.text.slice(0, 40)) ? "const" : "variable"
    case "java":
    case "csharp": {
      const before = modifiersOf(node)
      if (/\bconst\b/u.test(before) || (/\bstatic\b/u.test(before) && /\b(?:final|readonly)\b/u.test(before)))
        return "const"
      return /\bstatic\b/u.test(before) ? "static" : "variable"
    }
    case "c":
    case "cpp": {
      const before = modifiersOf(node)
      if (/\b(?:const|constexpr)\b/u.test(before)) return "const"
      return /\bstatic\b/u.test(before) ? "static" : "variable"
    }
    default:
      return "variable"
  }
}

export interface DeclarationNode {
  readonly node: Node
  readonly nameNode: Node
  /** The kind that the query assigns. */
  readonly kind: Kind
}

/** Returns kind and name; null: the declaration has no name. */
export const refine = (language: string, { kind, nameNode, node }: DeclarationNode): NamedDeclaration | null => {
  if (language !== "c" && language !== "cpp") {
    const name = nameNode.text
    return { name, kind: kind === "variable" ? kindOfVariable(language, node, name) : kind, ownerType: null }
  }
  const { isFunction, name } = declarator(nameNode)
  const parts = name.text.split("::")
  const last = parts.pop() ?? ""
  if (last === "") return null
  const ownerType = parts.length === 0 ? null : parts.join(".")
  const refinedKind = kind === "variable" ? (isFunction ? "function" : kindOfVariable(language, node, last)) : kind
  return { name: last, kind: refinedKind === "function" && ownerType !== null ? "method" : refinedKind, ownerType }
}
