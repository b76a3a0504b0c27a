/** Walks a schema part by part. */
import type * as SchemaAST from "effect/SchemaAST"

/** The maximum number of parts: a schema that creates a new suspended schema each time has no end. */
export const maxNodes = 10_000

/** The maximum depth of nested objects and lists, because schemas and values are read recursively. */
export const maxLevels = 64

export const tooDeep = (subject: string): string =>
  `${subject}: more than ${maxLevels} objects and lists are within each other; make it flatter, or declare a recursive part once`

export const endless = (subject: string): string =>
  `${subject}: a suspended schema has no end; name the schema once, as in const Tree = Schema.Struct({ children: Schema.Array(Schema.suspend(() => Tree)) })`

/** True if a JSON Schema of another library has too many levels. */
export const isTooDeep = (json: unknown, levels = 0): boolean => {
  if (json === null || typeof json !== "object") return false
  // Each level of an object has two levels in its schema: `properties` and the field's name.
  return levels > 2 * maxLevels || Object.values(json).some((part) => isTooDeep(part, levels + 1))
}

export type Part = readonly [ast: SchemaAST.AST, name: string]

/** The direct parts of a schema, each with its path. */
export const partsOf = (ast: SchemaAST.AST): ReadonlyArray<Part> => {
  const encodings = (ast.encoding ?? []).map(({ to }): Part => [to, ""])
  return [...membersOf(ast), ...encodings]
}

const membersOf = (ast: SchemaAST.AST): ReadonlyArray<Part> => {
  switch (ast._tag) {
    case "Objects":
      return [
        ...ast.propertySignatures.map(({ name, type }): Part => [type, `.${String(name)}`]),
        ...ast.indexSignatures.map(({ type }): Part => [type, "[key]"])
      ]
    case "Arrays":
      return [...ast.elements, ...ast.rest].map((item): Part => [item, "[]"])
    case "Union":
      return ast.types.map((member): Part => [member, ""])
    case "Suspend":
      return [[ast.thunk(), ""]]
    case "Declaration":
      return ast.typeParameters.map((parameter): Part => [parameter, ""])
    default:
      return []
  }
}
