/** Reads the capabilities that the context parameter of a tool declares. */
import type { ParameterDeclaration, SourceFile } from "typescript/unstable/ast"
import { isTupleTypeNode, isTypeReferenceNode } from "typescript/unstable/ast/is"

/** The names in `Uses<[A, B]>`, as they are written; null: the argument is something else. */
export const readUses = ({ type }: ParameterDeclaration, source: SourceFile): ReadonlyArray<string> | null => {
  if (type === undefined || !isTypeReferenceNode(type)) return null
  const [list] = type.typeArguments ?? []
  if (list === undefined || !isTupleTypeNode(list)) return null
  const names = list.elements.map((element) => (isTypeReferenceNode(element) ? element.typeName.getText(source) : null))
  return names.every((name) => name !== null) ? names : null
}
