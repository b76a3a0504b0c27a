/** Reads the result of a function: the value of its Promise, or the last value of its generator. */
import { type Node, SyntaxKind, type TypeNode } from "typescript/unstable/ast"
import { isIdentifier, isTypeReferenceNode } from "typescript/unstable/ast/is"
import { type Type, TypeFlags } from "typescript/unstable/sync"
import type { Candidate } from "./findFunctions.ts"
import type * as Shape from "./Shape.ts"
import type { SourceReader } from "./SourceReader.ts"

/** Returns the `X` of a written `Promise<X>`; null: only the checker can determine it. */
export const resultNodeOf = ({ function: { asteriskToken, type }, isConstant }: Candidate): TypeNode | null => {
  if (type === undefined || isConstant || asteriskToken !== undefined || !isTypeReferenceNode(type)) return null
  const [result] = type.typeArguments ?? []
  return isIdentifier(type.typeName) && type.typeName.text === "Promise" && result !== undefined ? result : null
}

/** The output of a function. */
export interface ReturnShape {
  /** The shape of the output; null: the function returns nothing. */
  readonly output: Shape.Shape | null
  /** True if it returns a `ToolResult`, which contains more than the output. */
  readonly isWhole: boolean
}

const nothing: ReturnShape = { output: null, isWhole: false }

export const readResult = (reader: SourceReader, candidate: Candidate): ReturnShape => {
  const node = resultNodeOf(candidate)
  if (node !== null) {
    if (node.kind === SyntaxKind.VoidKeyword || node.kind === SyntaxKind.UndefinedKeyword) return nothing
    const shape = reader.fromSyntax(node)
    if (shape !== null) return { output: shape, isWhole: false }
  }
  const at = candidate.function.type ?? candidate.at
  const type = node === null ? returnedType(reader, candidate) : reader.typeOf(node)
  if (type === undefined) {
    return reader.refuse(candidate.at, "its result is not known", "write the return type, such as Promise<string>")
  }
  if ((type.flags & (TypeFlags.Void | TypeFlags.Undefined)) !== 0) return nothing
  if ((type.flags & TypeFlags.Never) !== 0) {
    return reader.refuse(at, "its result is never: it returns nothing at all", "write Promise<void>")
  }
  const isToolResult = type.isTypeReference() && type.getSymbol()?.name === "ToolResult"
  const [output = type] = isToolResult ? reader.checker.getTypeArguments(type) : []
  return {
    output: reader.fromChecker(at, output, { side: "Result", path: "the result", isOptional: false }),
    isWhole: output !== type
  }
}

const returnedType = (reader: SourceReader, { at, function: node }: Candidate): Type | undefined => {
  const { checker } = reader
  const signature = checker.getSignatureFromDeclaration(node)
  const returned = signature === undefined ? undefined : checker.getReturnTypeOfSignature(signature)
  if (returned?.isTypeReference() !== true) return undefined
  const parts = checker.getTypeArguments(returned)
  if (node.asteriskToken === undefined) return parts[0]
  const [yielded, result] = parts
  return yieldsText(yielded)
    ? result
    : reader.refuse(
        placeOf(node.type, at),
        "it yields something other than text",
        "yield lines of progress, and return the result"
      )
}

const yieldsText = (yielded: Type | undefined): boolean => {
  if (yielded === undefined) return false
  const members = yielded.isUnionType() ? yielded.getTypes() : [yielded]
  return members.every(({ flags }) => (flags & (TypeFlags.StringLike | TypeFlags.Never)) !== 0)
}

const placeOf = (type: TypeNode | undefined, name: Node): Node => type ?? name
