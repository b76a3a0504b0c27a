/** Finds what of a value JSON text would leave out or cannot hold. Schemas that take any value let such things through. */
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaIssue from "effect/SchemaIssue"

/** True if the JSON form of a schema has a place that takes any value. */
export const takesAny = (ast: SchemaAST.AST, seen: Set<SchemaAST.AST> = new Set()): boolean => {
  if (seen.has(ast)) return false
  seen.add(ast)
  const inside = (parts: ReadonlyArray<SchemaAST.AST>): boolean => parts.some((part) => takesAny(part, seen))
  switch (ast._tag) {
    case "Any":
    case "Declaration":
      return true
    case "Objects":
      return inside([...ast.propertySignatures, ...ast.indexSignatures].map(({ type }) => type))
    case "Arrays":
      return inside([...ast.elements, ...ast.rest])
    case "Union":
      return inside(ast.types)
    case "Suspend":
      return takesAny(ast.thunk(), seen)
    default:
      return false
  }
}

/** Null: JSON text holds all of it. A key without a value is left out, as everywhere in JavaScript. */
export const issueOf = (value: unknown): SchemaIssue.Issue | null => {
  const path: Array<PropertyKey> = []
  const words = find(value, path, new Set())
  if (words === null) return null
  const issue = new SchemaIssue.InvalidValue({ message: words })
  return path.length === 0 ? issue : new SchemaIssue.Pointer(path, issue)
}

const find = (value: unknown, path: Array<PropertyKey>, around: Set<object>): string | null => {
  if (typeof value === "function" || typeof value === "symbol" || typeof value === "bigint") {
    return `Expected JSON value: it is a ${typeof value}`
  }
  if (value === null || typeof value !== "object" || "toJSON" in value) return null
  if (around.has(value)) return "Expected JSON value: it holds itself"
  around.add(value)
  for (const [key, inner] of Object.entries(value)) {
    path.push(key)
    const words = find(inner, path, around)
    if (words !== null) return words
    path.pop()
  }
  around.delete(value)
  return null
}
