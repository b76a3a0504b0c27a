/** Finds the functions that a source exports, in their order, under the names that importers use. */
import {
  type ArrowFunction,
  type FunctionDeclaration,
  type FunctionExpression,
  type Identifier,
  type Node,
  type SourceFile,
  type Statement,
  SyntaxKind
} from "typescript/unstable/ast"
import {
  isArrowFunction,
  isClassDeclaration,
  isExportAssignment,
  isExportDeclaration,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isMethodDeclaration,
  isModuleBlock,
  isModuleDeclaration,
  isNamedExports,
  isParenthesizedExpression,
  isVariableStatement
} from "typescript/unstable/ast/is"

export type FunctionNode = FunctionDeclaration | ArrowFunction | FunctionExpression

/** A function that can become a tool. */
export interface Candidate {
  readonly function: FunctionNode
  /** The declared name of the tool; undefined: there is none. */
  readonly name: string | undefined
  /** The exported name, such as `default`. */
  readonly exported: string
  /** The node at which errors are reported. */
  readonly at: Node
  /** The statement that has the doc comment. */
  readonly statement: Statement
  readonly isOverloaded: boolean
  /** True if the function is the value of a typed constant, in which case its parameters need no type annotations. */
  readonly isConstant: boolean
}

/** An export that may be a function but is not written as one. */
export interface Unclear {
  readonly at: Node
  readonly name: string
  readonly reason: "Inner" | "Method" | "NotExported" | "Reexport" | "ReexportAll" | "Value"
  /** The node that has the doc comment. */
  readonly statement: Node
}

export interface FoundFunctions {
  readonly candidates: ReadonlyArray<Candidate>
  readonly unclear: ReadonlyArray<Unclear>
}

interface Local {
  readonly function: FunctionNode | null
  readonly name: Identifier
  readonly statement: Statement
  readonly isExported: boolean
  readonly isDefault: boolean
  readonly isConstant: boolean
}

export const findFunctions = (source: SourceFile): FoundFunctions => {
  const locals = source.statements.flatMap(localsOf)
  const candidates: Array<Candidate> = []
  const unclear: Array<Unclear> = []
  const bodiless = source.statements.filter(isFunctionDeclaration).filter(({ body }) => body === undefined)
  const add = (local: Local, exported: string, name: string = local.name.text) => {
    if (local.function === null) {
      unclear.push({ at: local.name, name, reason: "Value", statement: local.statement })
      return
    }
    candidates.push({
      function: local.function,
      name,
      exported,
      at: local.name,
      statement: local.statement,
      isOverloaded: bodiless.some((other) => other !== local.function && other.name?.text === local.name.text),
      isConstant: local.isConstant
    })
  }
  for (const statement of source.statements) {
    for (const local of locals) {
      if (local.statement === statement && local.isExported) add(local, local.isDefault ? "default" : local.name.text)
    }
    unclear.push(...innerFunctions(statement))
    if (isAnonymousDefault(statement)) candidates.push(anonymous(statement, statement))
    if (isExportAssignment(statement)) {
      const value = unwrapped(statement.expression)
      const local = isIdentifier(value) ? locals.find(({ name }) => name.text === value.text) : undefined
      if (local !== undefined) add(local, "default")
      else if (isFunction(value)) candidates.push(anonymous(value, statement))
    }
    if (!isExportDeclaration(statement) || statement.isTypeOnly) continue
    const { exportClause, moduleSpecifier } = statement
    if (exportClause === undefined) {
      unclear.push({ at: statement, name: "*", reason: "ReexportAll", statement })
      continue
    }
    for (const specifier of isNamedExports(exportClause) ? exportClause.elements : []) {
      if (specifier.isTypeOnly) continue
      const declaredName = specifier.propertyName?.text ?? specifier.name.text
      const local = moduleSpecifier === undefined ? locals.find(({ name }) => name.text === declaredName) : undefined
      const isDefault = specifier.name.text === "default"
      if (local !== undefined) add(local, specifier.name.text, isDefault ? declaredName : specifier.name.text)
      else unclear.push({ at: specifier.name, name: specifier.name.text, reason: "Reexport", statement })
    }
  }
  const isExported = (local: Local) => candidates.some((candidate) => candidate.function === local.function)
  for (const local of locals) {
    if (local.function === null || isExported(local)) continue
    unclear.push({ at: local.name, name: local.name.text, reason: "NotExported", statement: local.statement })
  }
  return { candidates, unclear }
}

/** Functions of a class or a namespace, which importers of the file cannot name directly. */
const innerFunctions = (statement: Statement): ReadonlyArray<Unclear> => {
  if (isClassDeclaration(statement)) {
    return statement.members.flatMap((member): ReadonlyArray<Unclear> =>
      isMethodDeclaration(member) && isIdentifier(member.name)
        ? [{ at: member.name, name: member.name.text, reason: "Method", statement: member }]
        : []
    )
  }
  if (!isModuleDeclaration(statement)) return []
  const { body } = statement
  if (body === undefined) return []
  // The body of `namespace A.B` is the declaration of B.
  if (!isModuleBlock(body)) return innerFunctions(body)
  return body.statements.flatMap((inner): ReadonlyArray<Unclear> => [
    ...innerFunctions(inner),
    ...localsOf(inner)
      .filter(({ isExported }) => isExported)
      .map(({ name }) => ({ at: name, name: name.text, reason: "Inner" as const, statement: inner }))
  ])
}

const has = (statement: Statement, kind: SyntaxKind): boolean =>
  "modifiers" in statement &&
  ((statement as FunctionDeclaration).modifiers?.some((modifier) => modifier.kind === kind) ?? false)

const localsOf = (statement: Statement): ReadonlyArray<Local> => {
  const isExported = has(statement, SyntaxKind.ExportKeyword)
  if (isFunctionDeclaration(statement)) {
    const { body, name } = statement
    const isAmbient = has(statement, SyntaxKind.DeclareKeyword)
    if (name === undefined || (body === undefined && !isAmbient)) return []
    const isDefault = has(statement, SyntaxKind.DefaultKeyword)
    return [{ function: statement, name, statement, isExported, isDefault, isConstant: false }]
  }
  if (!isVariableStatement(statement)) return []
  return statement.declarationList.declarations.flatMap(({ initializer, name, type }): ReadonlyArray<Local> => {
    if (!isIdentifier(name)) return []
    const value = initializer === undefined ? undefined : unwrapped(initializer)
    const isWritten = value !== undefined && isFunction(value)
    return [
      {
        function: isWritten ? value : null,
        name,
        statement,
        isExported,
        isDefault: false,
        isConstant: type !== undefined
      }
    ]
  })
}

const isAnonymousDefault = (statement: Statement): statement is FunctionDeclaration =>
  isFunctionDeclaration(statement) && statement.name === undefined && statement.body !== undefined

const anonymous = (node: FunctionNode, statement: Statement): Candidate => ({
  function: node,
  name: undefined,
  exported: "default",
  at: statement,
  statement,
  isOverloaded: false,
  isConstant: false
})

const unwrapped = (node: Node): Node => (isParenthesizedExpression(node) ? unwrapped(node.expression) : node)

const isFunction = (node: Node): node is ArrowFunction | FunctionExpression =>
  isArrowFunction(node) || isFunctionExpression(node)
