/** Reads defaults that are literals, so that the schema can contain them. */
import { type Node, type NumericLiteral, type SourceFile, SyntaxKind } from "typescript/unstable/ast"
import {
  isArrayLiteralExpression,
  isIdentifier,
  isNoSubstitutionTemplateLiteral,
  isNumericLiteral,
  isObjectLiteralExpression,
  isPrefixUnaryExpression,
  isPropertyAssignment,
  isStringLiteral
} from "typescript/unstable/ast/is"

/** Returns null for a number such as 1e999, which is infinite: JSON has none. */
const numberText = (node: NumericLiteral, source: SourceFile): string | null =>
  Number.isFinite(Number(node.text)) ? node.getText(source) : null

/** Returns the value as TypeScript text; null: the value is computed. */
export const literalText = (node: Node, source: SourceFile): string | null => {
  if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) return JSON.stringify(node.text)
  if (isNumericLiteral(node)) return numberText(node, source)
  if (node.kind === SyntaxKind.TrueKeyword) return "true"
  if (node.kind === SyntaxKind.FalseKeyword) return "false"
  if (node.kind === SyntaxKind.NullKeyword) return "null"
  if (isPrefixUnaryExpression(node)) {
    const text =
      node.operator === SyntaxKind.MinusToken && isNumericLiteral(node.operand)
        ? numberText(node.operand, source)
        : null
    return text === null ? null : `-${text}`
  }
  if (isArrayLiteralExpression(node)) {
    const items = node.elements.map((element) => literalText(element, source))
    return items.every((item) => item !== null) ? `[${items.join(", ")}]` : null
  }
  if (!isObjectLiteralExpression(node)) return null
  const properties = node.properties.map((property) => {
    if (!isPropertyAssignment(property)) return null
    const { initializer, name } = property
    const key = isIdentifier(name) || isStringLiteral(name) || isNumericLiteral(name) ? name.text : null
    const value = literalText(initializer, source)
    return key === null || key === "__proto__" || value === null ? null : `${JSON.stringify(key)}: ${value}`
  })
  if (!properties.every((property) => property !== null)) return null
  return properties.length === 0 ? "{}" : `{ ${properties.join(", ")} }`
}
