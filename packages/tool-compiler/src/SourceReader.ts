/** A source that is read for tools: its nodes, their texts, and batched queries of the checker about them. */
import type { Node, SourceFile, TypeNode } from "typescript/unstable/ast"
import {
  isFunctionDeclaration,
  isClassDeclaration,
  isEnumDeclaration,
  isIdentifier,
  isImportDeclaration,
  isInterfaceDeclaration,
  isNamedImports,
  isPropertyAccessExpression,
  isTypeAliasDeclaration
} from "typescript/unstable/ast/is"
import { type Checker, type Type, TypeFlags } from "typescript/unstable/sync"
import * as CompileError from "./CompileError.ts"
import * as DocComment from "./DocComment.ts"
import { type At, readShape, type Side, type TypeReader } from "./readShape.ts"
import { readSyntax, type SyntaxReader } from "./readSyntax.ts"
import type * as Shape from "./Shape.ts"
import { UnsupportedType } from "./UnsupportedType.ts"

/** Aborts the reading of one tool. */
export class CompileAbort extends Error {
  readonly error: CompileError.CompileError

  constructor(error: CompileError.CompileError) {
    super(error.message)
    this.error = error
  }
}

export class SourceReader {
  readonly checker: Checker
  readonly source: SourceFile
  readonly file: string
  readonly #types: TypeReader
  readonly #syntax: SyntaxReader
  readonly #asked = new Map<Node, Type | undefined>()

  constructor(types: TypeReader, source: SourceFile, file: string) {
    this.#types = types
    this.checker = types.checker
    this.source = source
    this.file = file
    this.#syntax = {
      declared: new Set(source.statements.flatMap(namesOf)),
      descriptionOf: (node) => this.docOf(node).description
    }
  }

  /**
   * Requests the types of these nodes from the checker, in one message to its process. If the message cannot hold the
   * type of one of them, each is requested when it is needed.
   */
  ask(nodes: ReadonlyArray<Node>): void {
    const needed = nodes.filter((node) => !this.#asked.has(node))
    if (needed.length === 0) return
    try {
      this.#request(needed)
    } catch (thrown) {
      if (!isInfinite(thrown)) throw thrown
    }
  }

  #request(nodes: ReadonlyArray<Node>): void {
    const types = this.checker.getTypeAtLocation(nodes)
    for (const [index, node] of nodes.entries()) this.#asked.set(node, types[index])
  }

  typeOf(node: Node): Type | undefined {
    if (!this.#asked.has(node)) this.#finite(node, () => this.#request([node]))
    return this.#asked.get(node)
  }

  /** Runs a question to the checker; reports an error at the node if its answer would hold an infinite number. */
  #finite<A>(node: Node, question: () => A): A {
    try {
      return question()
    } catch (thrown) {
      if (!isInfinite(thrown)) throw thrown
      return this.refuse(node, "its type holds a number that is infinite, which has no JSON form", "write number")
    }
  }

  /** Returns the shape of a type that is written with built-in parts; null: only the checker can determine it. */
  fromSyntax(node: TypeNode): Shape.Shape | null {
    return readSyntax(node, this.#syntax)
  }

  /** Returns the shape of the checker's type; reports an error at the node if the type has no JSON form. */
  fromChecker(node: Node, type: Type, at: At & { readonly side: Side }): Shape.Shape {
    try {
      return this.#finite(node, () => readShape(this.#types, type, at))
    } catch (thrown) {
      if (!(thrown instanceof UnsupportedType)) throw thrown
      return this.refuse(node, thrown.message, thrown.fix)
    }
  }

  /** Returns the value of a named constant, such as a member of an enum, as text; null: the checker does not know it. */
  constantText(node: Node): string | null {
    if (!isIdentifier(node) && !isPropertyAccessExpression(node)) return null
    const type = this.typeOf(node)
    const value = type?.isLiteralType() === true ? type.value : null
    const isPlain = typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)
    return isPlain ? JSON.stringify(value) : null
  }

  mayBeUndefined(node: Node): boolean {
    const type = this.typeOf(node)
    return this.#finite(
      node,
      () => type?.isUnionType() === true && type.getTypes().some(({ flags }) => (flags & TypeFlags.Undefined) !== 0)
    )
  }

  docOf(node: Node): DocComment.DocComment {
    return DocComment.fromTrivia(this.source.text.slice(node.pos, node.getStart(this.source)))
  }

  locationOf(node: Node): CompileError.SourceLocation {
    return { file: this.file, text: this.source.text, offset: node.getStart(this.source) }
  }

  refuse(node: Node, message: string, fix: string): never {
    throw new CompileAbort(CompileError.make(this.locationOf(node), message, fix))
  }
}

/**
 * True for the error of the checker's process whose answer, which is JSON, would hold an infinite number. The process
 * words the error differently from one start to the next, so only the type and the value are compared.
 */
const isInfinite = (thrown: unknown): boolean =>
  thrown instanceof Error && /\bfloat64\b.*[+-]Inf\b/u.test(thrown.message)

const namesOf = (statement: Node): ReadonlyArray<string> => {
  if (isImportDeclaration(statement)) {
    const { name, namedBindings } = statement.importClause ?? {}
    const named = namedBindings !== undefined && isNamedImports(namedBindings) ? [...namedBindings.elements] : []
    return [...(name === undefined ? [] : [name.text]), ...named.map((element) => element.name.text)]
  }
  return (isInterfaceDeclaration(statement) ||
    isTypeAliasDeclaration(statement) ||
    isClassDeclaration(statement) ||
    isEnumDeclaration(statement) ||
    isFunctionDeclaration(statement)) &&
    statement.name !== undefined
    ? [statement.name.text]
    : []
}
