/** Reads the documented functions of a source file as tools. */
import {
  type FunctionDeclaration,
  type Node,
  type ParameterDeclaration,
  type SourceFile,
  SyntaxKind
} from "typescript/unstable/ast"
import { isFunctionDeclaration, isIdentifier, isTypeReferenceNode } from "typescript/unstable/ast/is"
import { type Checker, type JSDocTagInfo, type Type, TypeFlags } from "typescript/unstable/sync"
import * as CompileError from "./CompileError.ts"
import { readUses } from "./readUses.ts"
import { described, type Field, schemaText, UnsupportedType } from "./SchemaText.ts"

/** A tool as the generated file declares it. */
export interface CompiledTool {
  readonly function: string
  readonly name: string
  readonly description: string
  readonly tier: string
  readonly replay: string
  readonly version: number
  /** Names of capabilities as the source writes them, such as `Capability.WorkspaceRead`. */
  readonly capabilities: ReadonlyArray<string>
  readonly takesContext: boolean
  readonly fields: ReadonlyArray<Field>
  /** Null: the function returns nothing. */
  readonly output: string | null
  readonly place: CompileError.SourcePlace
}

export interface ReadTools {
  readonly tools: ReadonlyArray<CompiledTool>
  readonly errors: ReadonlyArray<CompileError.CompileError>
}

class Refused extends Error {
  readonly error: CompileError.CompileError

  constructor(error: CompileError.CompileError) {
    super(error.message)
    this.error = error
  }
}

/** "deploy_site" of "deploySite". */
const snakeCase = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase()

/** The exported functions of a file, in their order. */
export const readTools = (checker: Checker, source: SourceFile, file: string): ReadTools => {
  const reading = new Reading(checker, source, file)
  const read = source.statements
    .filter(isFunctionDeclaration)
    .filter((declaration) => has(declaration, SyntaxKind.ExportKeyword) && declaration.body !== undefined)
    .map((declaration): CompiledTool | CompileError.CompileError => {
      try {
        return readTool(reading, declaration)
      } catch (thrown) {
        if (thrown instanceof Refused) return thrown.error
        throw thrown
      }
    })
  return { tools: read.filter((one) => "tier" in one), errors: read.filter((one) => "fix" in one) }
}

const has = (declaration: FunctionDeclaration, kind: SyntaxKind): boolean =>
  declaration.modifiers?.some((modifier) => modifier.kind === kind) ?? false

class Reading {
  readonly checker: Checker
  readonly source: SourceFile
  readonly file: string
  readonly known = new Map<number, string>()

  constructor(checker: Checker, source: SourceFile, file: string) {
    this.checker = checker
    this.source = source
    this.file = file
  }

  place(node: Node): CompileError.SourcePlace {
    return { file: this.file, text: this.source.text, offset: node.getStart(this.source) }
  }

  refuse(node: Node, message: string, fix: string): never {
    throw new Refused(CompileError.make(this.place(node), message, fix))
  }
}

const readTool = (reading: Reading, declaration: FunctionDeclaration): CompiledTool => {
  const { checker } = reading
  const { name } = declaration
  if (name === undefined) return reading.refuse(declaration, "a tool has no name", "name the function")
  const [generic] = declaration.typeParameters ?? []
  if (generic !== undefined) reading.refuse(generic, `${name.text} is generic`, "write the types that it takes")
  if (!has(declaration, SyntaxKind.AsyncKeyword) || declaration.asteriskToken !== undefined) {
    reading.refuse(name, `${name.text} is no async function`, "declare it with async function")
  }
  const symbol = checker.getSymbolAtLocation(name)
  const description = symbol?.getDocumentationComment(checker).trim() ?? ""
  if (description === "") reading.refuse(name, `${name.text} has no description`, "write a doc comment above it")
  const tags = symbol?.getJsDocTags(checker) ?? []
  const parameters = [...declaration.parameters]
  const last = parameters.at(-1)
  const takesContext = last !== undefined && isUses(last)
  const capabilities = takesContext ? capabilitiesOf(reading, last) : []
  const taken = takesContext ? parameters.slice(0, -1) : parameters
  const texts = parameterTexts(tags)
  const fields = taken.map((parameter) => fieldOf(reading, parameter, texts))
  const stray = [...texts.keys()].find((known) => !fields.some((field) => field.name === known))
  if (stray !== undefined) {
    reading.refuse(name, `@param ${stray} names no parameter of ${name.text}`, "rename or remove it")
  }
  return {
    function: name.text,
    name: snakeCase(name.text),
    description,
    tier: choice(reading, name, {
      tag: "tier",
      text: textOf(tags, "tier"),
      choices: ["ReadOnly", "Workspace", "System", "Elevated"]
    }),
    replay: choice(reading, name, {
      tag: "replay",
      text: textOf(tags, "replay"),
      choices: ["Safe", "Idempotent", "Unsafe"]
    }),
    version: versionOf(reading, name, tags),
    capabilities,
    takesContext,
    fields,
    output: outputOf(reading, declaration, name),
    place: reading.place(name)
  }
}

interface Choice {
  readonly tag: string
  readonly text: string | undefined
  readonly choices: ReadonlyArray<string>
}

const choice = (reading: Reading, at: Node, { choices, tag, text = "" }: Choice): string => {
  return choices.includes(text)
    ? text
    : reading.refuse(
        at,
        text === "" ? `@${tag} is missing` : `@${tag} ${text} does not exist`,
        `write @${tag} with one of ${choices.join(", ")}`
      )
}

const textOf = (tags: ReadonlyArray<JSDocTagInfo>, tag: string): string | undefined =>
  tags.find(({ name }) => name === tag)?.text?.trim()

const versionOf = (reading: Reading, at: Node, tags: ReadonlyArray<JSDocTagInfo>): number => {
  const text = textOf(tags, "version") ?? "1"
  return /^[1-9]\d{0,8}$/u.test(text)
    ? Number(text)
    : reading.refuse(at, `@version ${text} is no version`, "write a natural number")
}

const parameterTexts = (tags: ReadonlyArray<JSDocTagInfo>): ReadonlyMap<string, string> =>
  new Map(
    tags
      .filter(({ name }) => name === "param")
      .map(({ text = "" }) => {
        const [, name = "", rest = ""] = /^(\S*)\s*(?:-\s+)?([\s\S]*)$/u.exec(text.trim()) ?? []
        return [name, rest.replaceAll(/\s+/g, " ").trim()]
      })
  )

const isUses = ({ type }: ParameterDeclaration): boolean =>
  type !== undefined && isTypeReferenceNode(type) && isIdentifier(type.typeName) && type.typeName.text === "Uses"

const capabilitiesOf = (reading: Reading, parameter: ParameterDeclaration): ReadonlyArray<string> => {
  const names = readUses(parameter, reading.source)
  return (
    names ?? reading.refuse(parameter, "the capabilities of Uses are not a list of names", "write Uses<[Database]>")
  )
}

const fieldOf = (reading: Reading, parameter: ParameterDeclaration, texts: ReadonlyMap<string, string>): Field => {
  const { checker } = reading
  const { initializer, name } = parameter
  if (parameter.dotDotDotToken !== undefined)
    reading.refuse(parameter, "a tool takes no rest parameter", "take an array")
  if (!isIdentifier(name)) {
    return reading.refuse(name, "a parameter of a tool is destructured", "give it a name, and destructure it inside")
  }
  if (name.text === "this") reading.refuse(parameter, "a tool has no this", "take what it needs as a parameter")
  const type = checker.getTypeAtLocation(name)
  if (type === undefined) return reading.refuse(name, `${name.text} has no type`, "write its type")
  const schema = described(supported(reading, name, { type, path: name.text }), texts.get(name.text) ?? "")
  if (initializer !== undefined) {
    const text = initializer.getText(reading.source)
    const isPlain = /^(?:-?\d[\d_.]*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|true|false|null|\[\])$/u.test(text)
    if (!isPlain)
      reading.refuse(
        initializer,
        `the default of ${name.text} is no literal`,
        "write a number, text, true, false, null or []"
      )
    return { name: name.text, schema: `ToolSchema.withDefault(${schema}, ${text})` }
  }
  const isOptional = parameter.questionToken !== undefined
  if (!isOptional && type.isUnionType() && type.getTypes().some(({ flags }) => (flags & TypeFlags.Undefined) !== 0)) {
    reading.refuse(
      name,
      `${name.text} may be undefined, which JSON lacks`,
      `write ${name.text}? for one that may be left out`
    )
  }
  return { name: name.text, schema: isOptional ? `Schema.optionalKey(${schema})` : schema }
}

const supported = (
  reading: Reading,
  at: Node,
  { path, type }: { readonly type: Type; readonly path: string }
): string => {
  try {
    return schemaText({ checker: reading.checker, outer: [], known: reading.known }, type, path)
  } catch (thrown) {
    if (!(thrown instanceof UnsupportedType)) throw thrown
    return reading.refuse(at, thrown.message, "use text, numbers, booleans, null, literals, arrays and objects of them")
  }
}

const outputOf = (reading: Reading, declaration: FunctionDeclaration, name: Node): string | null => {
  const { checker } = reading
  const signature = checker.getSignatureFromDeclaration(declaration)
  const returned = signature === undefined ? undefined : checker.getReturnTypeOfSignature(signature)
  const value = returned?.isTypeReference() === true ? checker.getTypeArguments(returned)[0] : undefined
  if (value === undefined)
    return reading.refuse(name, "its result is not known", "write the return type, such as Promise<string>")
  if ((value.flags & (TypeFlags.Void | TypeFlags.Undefined)) !== 0) return null
  return supported(reading, declaration.type ?? name, { type: value, path: "the result" })
}
