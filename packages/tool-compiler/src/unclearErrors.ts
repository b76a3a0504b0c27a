/** Errors for exports that look like tools but are not written as functions. */
import { isExportDeclaration } from "typescript/unstable/ast/is"
import { SignatureKind, type Symbol as TypeSymbol } from "typescript/unstable/sync"
import * as CompileError from "./CompileError.ts"
import type { Unclear } from "./findFunctions.ts"
import type { SourceReader } from "./SourceReader.ts"

export const unclearErrors = (
  reader: SourceReader,
  unclear: ReadonlyArray<Unclear>
): ReadonlyArray<CompileError.CompileError> =>
  unclear.flatMap((one) => {
    const found = errorOf(reader, one)
    return found === null ? [] : [CompileError.make(reader.locationOf(one.at), found.message, found.fix)]
  })

interface Fault {
  readonly message: string
  readonly fix: string
}

/** The errors for what has the tags of a tool. */
const taggedErrors: Readonly<Record<Exclude<Unclear["reason"], "Reexport" | "ReexportAll">, (name: string) => Fault>> =
  {
    Inner: (name) => ({
      message: `${name} is inside of a namespace`,
      fix: "move the function out of it, to the top of the file"
    }),
    Method: (name) => ({
      message: `${name} is a method of a class`,
      fix: "write a function at the top of the file, which may call it"
    }),
    NotExported: (name) => ({
      message: `${name} has the tags of a tool, but is not exported`,
      fix: "write export before it, or remove the tags"
    }),
    Value: (name) => ({
      message: `${name} has the tags of a tool, but is not a function`,
      fix: "write an async function in its place"
    })
  }

const errorOf = (reader: SourceReader, { at, name, reason, statement }: Unclear) => {
  if (reason !== "Reexport" && reason !== "ReexportAll") {
    const isTagged = reader.docOf(statement).tags.some((tag) => tag.name === "tier" || tag.name === "replay")
    return isTagged ? taggedErrors[reason](name) : null
  }
  if (reason === "Reexport") {
    const type = reader.typeOf(at)
    const isFunction =
      type?.isObjectType() === true && reader.checker.getSignaturesOfType(type, SignatureKind.Call).length > 0
    return isFunction
      ? { message: `${name} is written in another file`, fix: "compile that file, and export it from there alone" }
      : null
  }
  const functions = exportsOf(reader, { at, name, reason, statement }).filter((symbol) => {
    const type = reader.checker.getTypeOfSymbol(symbol)
    return type?.isObjectType() === true && reader.checker.getSignaturesOfType(type, SignatureKind.Call).length > 0
  })
  return functions.length === 0
    ? null
    : {
        message: `export * passes on functions of another file, such as ${functions[0]?.name}`,
        fix: "compile that file, and export its types alone"
      }
}

const exportsOf = (reader: SourceReader, { statement }: Unclear): ReadonlyArray<TypeSymbol> => {
  const specifier = isExportDeclaration(statement) ? statement.moduleSpecifier : undefined
  const module = specifier === undefined ? undefined : reader.checker.getSymbolAtLocation(specifier)
  return module === undefined ? [] : reader.checker.getExportsOfModule(module)
}
