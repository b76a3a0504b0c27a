/**
 * Reads the JSON form of a type that is written with built-in parts, without the checker: each query of the checker is
 * a message to another process, and most parameters have such types. The check of the output compares both readings
 * with the function.
 */
import { type Node, SyntaxKind, type TypeNode } from "typescript/unstable/ast"
import {
  isArrayTypeNode,
  isIdentifier,
  isLiteralTypeNode,
  isNumericLiteral,
  isParenthesizedTypeNode,
  isPropertySignatureDeclaration,
  isStringLiteral,
  isTypeLiteralNode,
  isTypeOperatorNode,
  isTypeReferenceNode,
  isUnionTypeNode
} from "typescript/unstable/ast/is"
import * as Shape from "./Shape.ts"

export interface SyntaxReader {
  /** The names that the source declares or imports. */
  readonly declared: ReadonlySet<string>
  readonly descriptionOf: (node: Node) => string
}

/** Returns the shape; null: only the checker can determine it. */
export const readSyntax = (node: TypeNode, reader: SyntaxReader): Shape.Shape | null => {
  switch (node.kind) {
    case SyntaxKind.StringKeyword:
      return Shape.text
    case SyntaxKind.NumberKeyword:
      return Shape.number
    case SyntaxKind.BooleanKeyword:
      return Shape.boolean
    default:
      break
  }
  if (isParenthesizedTypeNode(node)) return readSyntax(node.type, reader)
  if (isLiteralTypeNode(node)) return literalOf(node.literal)
  if (isUnionTypeNode(node)) {
    const members = node.types.map((member) => readSyntax(member, reader))
    return members.every((member) => member !== null) && isSimple(members) ? Shape.union(members) : null
  }
  if (isArrayTypeNode(node)) return arrayOf(node.elementType, true, reader)
  if (isTypeOperatorNode(node)) {
    return node.operator === SyntaxKind.ReadonlyKeyword && isArrayTypeNode(node.type)
      ? arrayOf(node.type.elementType, false, reader)
      : null
  }
  if (isTypeLiteralNode(node)) return objectOf(node.members, reader)
  const [name, argument, ...others] = isTypeReferenceNode(node)
    ? [nameOf(node.typeName), ...(node.typeArguments ?? [])]
    : []
  if (name === undefined || argument === undefined || others.length > 0 || reader.declared.has(name)) return null
  return name === "ReadonlyArray" || name === "Array" ? arrayOf(argument, name === "Array", reader) : null
}

const nameOf = (name: Node): string | undefined => (isIdentifier(name) ? name.text : undefined)

/**
 * True if the union has no literal beside its base type, such as "a" beside string; the checker would drop such a
 * literal.
 */
const isSimple = (members: ReadonlyArray<Shape.Shape>): boolean => {
  const kinds = new Set(members.map(({ _tag }) => _tag))
  return !kinds.has("Literal") || !(kinds.has("Text") || kinds.has("Number") || kinds.has("Boolean"))
}

const literalOf = (literal: Node): Shape.Shape | null => {
  if (isStringLiteral(literal)) return Shape.literal(literal.text)
  if (isNumericLiteral(literal)) return Shape.literal(Number(literal.text))
  if (literal.kind === SyntaxKind.TrueKeyword) return Shape.literal(true)
  if (literal.kind === SyntaxKind.FalseKeyword) return Shape.literal(false)
  return literal.kind === SyntaxKind.NullKeyword ? Shape.nullShape : null
}

const arrayOf = (item: TypeNode, isMutable: boolean, reader: SyntaxReader): Shape.Shape | null => {
  const shape = readSyntax(item, reader)
  return shape === null ? null : Shape.array(shape, isMutable)
}

const objectOf = (members: ReadonlyArray<Node>, reader: SyntaxReader): Shape.Shape | null => {
  const fields = members.map((member): Shape.Field | null => {
    if (!isPropertySignatureDeclaration(member) || member.type === undefined) return null
    const { name, type } = member
    const shape =
      (isIdentifier(name) || isStringLiteral(name)) && name.text !== "__proto__" ? readSyntax(type, reader) : null
    if (shape === null || !("text" in name)) return null
    return {
      name: name.text,
      shape,
      isOptional: member.postfixToken?.kind === SyntaxKind.QuestionToken,
      description: reader.descriptionOf(member)
    }
  })
  return fields.length > 0 && fields.every((field) => field !== null) ? { _tag: "Object", fields } : null
}
