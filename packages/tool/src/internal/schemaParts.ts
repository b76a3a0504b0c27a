/** Walks a schema part by part. */
import type * as SchemaAST from "effect/SchemaAST"

/** The maximum number of parts: a schema that suspends a new schema each time is endless. */
export const mostNodes = 10_000

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
