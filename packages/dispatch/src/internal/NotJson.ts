/**
 * Finds the parts of a value that JSON text would drop or cannot represent. Schemas that accept any value allow such
 * parts.
 */
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaIssue from "effect/SchemaIssue"
import { types } from "node:util"

/** True if the JSON form of a schema has a part that accepts any value. */
export const takesAny = (ast: SchemaAST.AST, seen: Set<SchemaAST.AST> = new Set()): boolean => {
  if (seen.has(ast)) return false
  seen.add(ast)
  const anyTakesAny = (parts: ReadonlyArray<SchemaAST.AST>): boolean => parts.some((part) => takesAny(part, seen))
  switch (ast._tag) {
    case "Any":
    case "Declaration":
      return true
    case "Objects":
      // A schema without fields accepts every value.
      if (ast.propertySignatures.length + ast.indexSignatures.length === 0) return true
      return anyTakesAny([...ast.propertySignatures, ...ast.indexSignatures].map(({ type }) => type))
    case "Arrays":
      return anyTakesAny([...ast.elements, ...ast.rest])
    case "Union":
      return anyTakesAny(ast.types)
    case "Suspend":
      return takesAny(ast.thunk(), seen)
    default:
      return false
  }
}

/**
 * Describes such a part; null: JSON text represents the whole value. A key without a value is dropped, as everywhere in
 * JavaScript.
 */
export const issueOf = (value: unknown): SchemaIssue.Issue | null => {
  const path: Array<PropertyKey> = []
  const words = find(value, path, new Set())
  if (words === null) return null
  const issue = new SchemaIssue.InvalidValue({ message: words })
  return path.length === 0 ? issue : new SchemaIssue.Pointer(path, issue)
}

const find = (value: unknown, path: Array<PropertyKey>, ancestors: Set<object>): string | null => {
  if (typeof value === "function" || typeof value === "symbol" || typeof value === "bigint") {
    return `Expected JSON value: it is a ${typeof value}`
  }
  if (typeof value === "number" && !Number.isFinite(value)) return `Expected JSON value: it is ${value}`
  if (value === null || typeof value !== "object") return null
  const exotic = nameOfExotic(value)
  if (exotic !== null) return `Expected JSON value: it is ${exotic}`
  if ("toJSON" in value) return null
  if (ancestors.has(value)) return "Expected JSON value: it contains itself"
  ancestors.add(value)
  if (Array.isArray(value) && value.includes(undefined)) return "Expected JSON value: an item is undefined"
  for (const [key, inner] of Object.entries(value)) {
    path.push(key)
    const words = find(inner, path, ancestors)
    if (words !== null) return words
    path.pop()
  }
  ancestors.delete(value)
  return null
}

/** Names an object whose content is not in its own fields; null: JSON represents it by its fields or its `toJSON`. */
const nameOfExotic = (value: object): string | null => {
  if (types.isDate(value)) return Number.isNaN(value.getTime()) ? "an invalid date" : null
  if (types.isMap(value)) return "a Map"
  if (types.isSet(value)) return "a Set"
  if (types.isPromise(value)) return "a promise"
  if (types.isNativeError(value)) return "an Error"
  if (types.isAnyArrayBuffer(value) || (ArrayBuffer.isView(value) && !("toJSON" in value))) return "bytes"
  return types.isRegExp(value) || types.isBoxedPrimitive(value) ? "an object of JavaScript" : null
}
