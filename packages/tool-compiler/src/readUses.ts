/** Reads the capabilities that the context parameter of a tool declares. */
import { type EntityName, type ParameterDeclaration, type SourceFile, type TypeNode } from "typescript/unstable/ast"
import {
  isIdentifier,
  isImportDeclaration,
  isNamedImports,
  isTupleTypeNode,
  isTypeReferenceNode
} from "typescript/unstable/ast/is"
import type { SourceReader } from "./SourceReader.ts"

/** True if the parameter is of type `Uses`, also as `Bough.Uses` or under an alias. */
export const isUses = ({ type }: ParameterDeclaration, source: SourceFile): boolean => {
  if (type === undefined || !isTypeReferenceNode(type)) return false
  const { typeName } = type
  if (!isIdentifier(typeName)) return typeName.right.text === "Uses"
  return typeName.text === "Uses" || importedName(source, typeName.text) === "Uses"
}

/** Returns the original name of an imported name in its module. */
const importedName = (source: SourceFile, local: string): string | undefined => {
  for (const statement of source.statements) {
    const bindings = isImportDeclaration(statement) ? statement.importClause?.namedBindings : undefined
    if (bindings === undefined || !isNamedImports(bindings)) continue
    const found = bindings.elements.find(({ name }) => name.text === local)
    if (found !== undefined) return found.propertyName?.text ?? local
  }
  return undefined
}

/** Returns the names of the capabilities, as written. */
export const capabilitiesOf = (reader: SourceReader, parameter: ParameterDeclaration): ReadonlyArray<string> => {
  const names = namesOf(parameter.type)
  if (names !== null) return names
  const written = parameter.type?.getText(reader.source) ?? ""
  // Authors may write `typeof`, because a capability is a class and other libraries expect classes in that form.
  return written.includes("typeof ")
    ? reader.refuse(parameter, "the capabilities of Uses have no typeof", `write ${written.replaceAll("typeof ", "")}`)
    : reader.refuse(parameter, "the capabilities of Uses are not a list of names", "write Uses<[Database]>")
}

/** Formats a name without the comments and line breaks that may be inside it. */
const nameText = (name: EntityName): string =>
  isIdentifier(name) ? name.text : `${nameText(name.left)}.${name.right.text}`

const namesOf = (type: TypeNode | undefined): ReadonlyArray<string> | null => {
  if (type === undefined || !isTypeReferenceNode(type)) return null
  const [list] = type.typeArguments ?? []
  if (list === undefined) return []
  if (!isTupleTypeNode(list)) return null
  const names = list.elements.map((element) =>
    isTypeReferenceNode(element) && element.typeArguments === undefined ? nameText(element.typeName) : null
  )
  return names.every((name) => name !== null) ? names : null
}
