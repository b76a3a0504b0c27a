/**
 * Finds tools that another copy of `@bough/tool` or of effect made. npm installs two copies of a package if a pack and
 * its program pin different versions; defaults are then no longer filled in, and errors are not recognised. Pure.
 */
import { Contract, type Tool } from "@bough/tool"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"

/**
 * Names the tool from another copy of the package, and the locations of both copies; null: all tools are from this
 * copy.
 */
export const fault = (tools: Iterable<Tool.Any>): string | null => {
  // Tools share parts of their schemas.
  const seen = new Set<SchemaAST.AST>()
  for (const tool of tools) {
    if (wholeResultTools.has(tool)) continue
    const found = contractFault(tool) ?? effectFault(tool, seen)
    if (found !== null) return found
    wholeResultTools.add(tool)
  }
  return null
}

/** Checks each tool once: sessions share their tools. */
const wholeResultTools = new WeakSet<Tool.Any>()

const contractFault = (tool: Tool.Any): string | null => {
  const contract = Contract.contractOf(tool)
  const { place, version } = Contract.own
  if (contract === Contract.own) return null
  const other =
    contract === null
      ? "no copy of @bough/tool that this version knows"
      : `@bough/tool at ${contract.place} (contract ${contract.version})`
  return `the tool ${tool.name} was declared with ${other}, and this program runs @bough/tool at ${place} (contract ${version}): ${oneCopy("@bough/tool")}`
}

const effectFault = (tool: Tool.Any, seen: Set<SchemaAST.AST>): string | null => {
  for (const [what, schema] of [
    ["@bough/tool", Contract.own.schema],
    [`the parameters of the tool ${tool.name}`, tool.parameters],
    [`the output of the tool ${tool.name}`, tool.output]
  ] as const) {
    const foreign = foreignPart(schema.ast, seen)
    if (foreign === null) continue
    return `the schema of ${what} was made by effect${placeOf(schema, " at ")}, and this program runs effect${placeOf(Schema.String, " at ")}: ${oneCopy("effect")}`
  }
  return null
}

const oneCopy = (name: string): string =>
  `make it a peer dependency of the pack, and install one copy (npm ls ${name} shows them)`

/** The prototype of every schema node of this copy. */
const ownNode: object = Object.getPrototypeOf(Object.getPrototypeOf(Schema.String.ast))

type Part = SchemaAST.AST | null

/** Finds a part from another copy in a schema, such as one that a library made; null: all of it is from this copy. */
const foreignPart = (ast: SchemaAST.AST, seen: Set<SchemaAST.AST>): Part => {
  if (seen.has(ast)) return null
  seen.add(ast)
  if (!Object.prototype.isPrototypeOf.call(ownNode, ast)) return ast
  for (const { to } of ast.encoding ?? []) {
    const foreign = foreignPart(to, seen)
    if (foreign !== null) return foreign
  }
  // A recursive schema is not expanded.
  switch (ast._tag) {
    case "Objects":
      return foreignType(ast.propertySignatures, seen) ?? foreignType(ast.indexSignatures, seen)
    case "Arrays":
      return foreignAmong(ast.elements, seen) ?? foreignAmong(ast.rest, seen)
    case "Union":
      return foreignAmong(ast.types, seen)
    case "Declaration":
      return foreignAmong(ast.typeParameters, seen)
    default:
      return null
  }
}

const foreignAmong = (parts: ReadonlyArray<SchemaAST.AST>, seen: Set<SchemaAST.AST>): Part => {
  for (const part of parts) {
    const foreign = foreignPart(part, seen)
    if (foreign !== null) return foreign
  }
  return null
}

const foreignType = (fields: ReadonlyArray<{ readonly type: SchemaAST.AST }>, seen: Set<SchemaAST.AST>): Part => {
  for (const { type } of fields) {
    const foreign = foreignPart(type, seen)
    if (foreign !== null) return foreign
  }
  return null
}

/** The file of the code that made the schema, from the stack of an error; "" if the stack does not show it. */
const placeOf = (schema: Schema.Top, before: string): string => {
  const thrown = Result.try(() => (schema as { readonly make?: (value: unknown) => unknown }).make?.(nothing))
  const stack = Result.isFailure(thrown) && thrown.failure instanceof Error ? (thrown.failure.stack ?? "") : ""
  const [, place] = /((?:file:\/\/)?\/[^\s()]*\/effect)\/(?:dist|src)\//u.exec(stack) ?? []
  return place === undefined ? "" : `${before}${place}`
}

/** A value that fits no schema of arguments. */
const nothing = Symbol("nothing")
