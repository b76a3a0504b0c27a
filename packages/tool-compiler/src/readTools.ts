/** Reads the documented functions of a source file as tools. */
import { type Node, type ParameterDeclaration, SyntaxKind, type TypeNode } from "typescript/unstable/ast"
import { isIdentifier, isNumericLiteral } from "typescript/unstable/ast/is"
import * as CompileError from "./CompileError.ts"
import * as DocComment from "./DocComment.ts"
import { type Candidate, findFunctions } from "./findFunctions.ts"
import { literalText } from "./literalText.ts"
import { readResult, resultNodeOf } from "./readResult.ts"
import { capabilitiesOf, isUses } from "./readUses.ts"
import * as Shape from "./Shape.ts"
import { CompileAbort, type SourceReader } from "./SourceReader.ts"
import { unclearErrors } from "./unclearErrors.ts"

/** A parameter of a tool. */
export interface Parameter extends Shape.Field {
  /** The text of its default value; null: there is none. */
  readonly defaultText: string | null
}

/** A tool as the generated file declares it. */
export interface CompiledTool {
  /** The name that the source exports. */
  readonly exported: string
  /** The preferred name of the constant with the tool. */
  readonly constant: string
  readonly name: string
  readonly description: string
  readonly tier: string
  readonly replay: string
  readonly version: number
  /** Names of capabilities as written in the source, such as `Capability.WorkspaceRead`. */
  readonly capabilities: ReadonlyArray<string>
  readonly takesContext: boolean
  readonly parameters: ReadonlyArray<Parameter>
  /** The shape of the output; null: the function returns nothing. */
  readonly output: Shape.Shape | null
  /** True if the function returns a `ToolResult` of the output. */
  readonly isWhole: boolean
  /** The exported function that formats the output for the model; null: there is none. */
  readonly forModel: string | null
  /** True if it yields lines of progress. */
  readonly isGenerator: boolean
  readonly location: CompileError.SourceLocation
}

export interface ReadTools {
  readonly tools: ReadonlyArray<CompiledTool>
  readonly errors: ReadonlyArray<CompileError.CompileError>
}

/** Reads the exported functions of a file, in their order. */
export const readTools = (reader: SourceReader): ReadTools => {
  const { candidates, unclear } = findFunctions(reader.source)
  const writers = new Set(
    candidates.flatMap(({ statement }) =>
      reader
        .docOf(statement)
        .tags.filter(({ name }) => name === "forModel")
        .map(({ text }) => text)
    )
  )
  const offered = candidates.filter(
    ({ exported, statement }) => !writers.has(exported) && !reader.docOf(statement).tags.some(isInternal)
  )
  const infinite = offered.flatMap(({ function: { parameters, type } }) =>
    [...parameters.map((parameter) => parameter.type), type].flatMap((node) => infiniteIn(node) ?? [])
  )
  if (infinite.length > 0) {
    const errorAt = (node: Node) =>
      CompileError.make(reader.locationOf(node), "the number is infinite, which has no JSON form", "write number")
    return { tools: [], errors: infinite.map(errorAt) }
  }
  reader.ask(offered.flatMap((candidate) => nodesToAsk(reader, candidate)))
  const read = offered.map((candidate): CompiledTool | CompileError.CompileError => {
    try {
      return readTool(reader, candidate)
    } catch (thrown) {
      if (thrown instanceof CompileAbort) return thrown.error
      throw thrown
    }
  })
  const errors = [...unclearErrors(reader, unclear), ...read.filter((one) => "fix" in one)]
  return { tools: read.filter((one) => "tier" in one), errors }
}

const isInternal = ({ name }: DocComment.DocTag): boolean => name === "internal"

/** Returns a number such as 1e999 in a type. The checker's process cannot answer questions about it. */
const infiniteIn = (node: Node | undefined): Node | undefined =>
  node !== undefined && isNumericLiteral(node) && !Number.isFinite(Number(node.text))
    ? node
    : node?.forEachChild(infiniteIn)

/** Returns the nodes whose types only the checker can determine. */
const nodesToAsk = (reader: SourceReader, candidate: Candidate): ReadonlyArray<Node> => {
  const parameters = [...candidate.function.parameters]
  const inputParameters = parameters.filter(
    (parameter) => isIdentifier(parameter.name) && !isUses(parameter, reader.source)
  )
  const result = resultNodeOf(candidate)
  return [
    ...inputParameters
      .filter(({ type }) => type === undefined || reader.fromSyntax(type) === null)
      .map((parameter) => parameter.name),
    ...(result === null || reader.fromSyntax(result) !== null ? [] : [result])
  ]
}

/** Returns "deploy_site" for "deploySite". */
const snakeCase = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase()

const readTool = (reader: SourceReader, candidate: Candidate): CompiledTool => {
  const { at, function: node, isOverloaded, statement } = candidate
  const name = candidate.name
  if (name === undefined) return reader.refuse(at, "a tool has no name", "name the function")
  if (isOverloaded) reader.refuse(at, `${name} has overloads`, "write one signature, or one function for each")
  const [generic] = node.typeParameters ?? []
  if (generic !== undefined) reader.refuse(generic, `${name} is generic`, "write the types that it takes")
  if (!(node.modifiers?.some(({ kind }) => kind === SyntaxKind.AsyncKeyword) ?? false)) {
    reader.refuse(at, `${name} is not an async function`, "write async before it, and let it return a Promise")
  }
  const { description, tags } = reader.docOf(statement)
  if (description === "") reader.refuse(at, `${name} has no description`, "write a doc comment above it")
  const toolName = nameOf(reader, at, name)
  const parameters = [...node.parameters]
  const last = parameters.at(-1)
  const takesContext = last !== undefined && isUses(last, reader.source)
  const capabilities = takesContext ? capabilitiesOf(reader, last) : []
  const inputParameters = takesContext ? parameters.slice(0, -1) : parameters
  const early = inputParameters.find((parameter) => isUses(parameter, reader.source))
  if (early !== undefined) reader.refuse(early, "the context is not the last parameter", "move it to the end")
  const fields = inputParameters.map((parameter) => parameterOf(reader, parameter))
  const described = withTexts(reader, at, { name, fields, tags })
  const isGenerator = node.asteriskToken !== undefined
  return {
    exported: candidate.exported,
    constant: name,
    name: toolName,
    description,
    tier: choice(reader, at, { tag: "tier", tags, choices: ["ReadOnly", "Workspace", "System", "Elevated"] }),
    replay: choice(reader, at, { tag: "replay", tags, choices: ["Safe", "Idempotent", "Unsafe"] }),
    version: versionOf(reader, at, tags),
    capabilities,
    takesContext,
    parameters: described,
    ...readResult(reader, candidate),
    forModel: forModelOf(reader, at, tags),
    isGenerator,
    location: reader.locationOf(at)
  }
}

const nameOf = (reader: SourceReader, at: Node, name: string): string => {
  const toolName = snakeCase(name)
  if (!/^[a-z][a-z0-9_]{0,63}$/u.test(toolName) || toolName === "then") {
    reader.refuse(
      at,
      `${name} gives the tool the name ${toolName}, which models cannot call`,
      "rename it: letters of a to z, digits and _, a letter first, at most 64, and not then"
    )
  }
  return toolName
}

interface Choice {
  readonly tag: string
  readonly tags: ReadonlyArray<DocComment.DocTag>
  readonly choices: ReadonlyArray<string>
}

const choice = (reader: SourceReader, at: Node, { choices, tag, tags }: Choice): string => {
  const texts = tags.filter(({ name }) => name === tag).map(({ text }) => text)
  const [text = ""] = texts
  const fix = `write @${tag} with one of ${choices.join(", ")}`
  if (texts.length > 1) reader.refuse(at, `@${tag} is written ${texts.length} times`, "remove all but one")
  return choices.includes(text)
    ? text
    : reader.refuse(at, text === "" ? `@${tag} is missing` : `@${tag} ${text} does not exist`, fix)
}

const forModelOf = (reader: SourceReader, at: Node, tags: ReadonlyArray<DocComment.DocTag>): string | null => {
  const text = tags.find(({ name }) => name === "forModel")?.text
  if (text === undefined) return null
  return findFunctions(reader.source).candidates.some(({ exported }) => exported === text)
    ? text
    : reader.refuse(at, `@forModel ${text} names no exported function of this file`, "export a function of the output")
}

const versionOf = (reader: SourceReader, at: Node, tags: ReadonlyArray<DocComment.DocTag>): number => {
  const text = tags.find(({ name }) => name === "version")?.text ?? "1"
  return /^[1-9]\d{0,8}$/u.test(text)
    ? Number(text)
    : reader.refuse(at, `@version ${text} is not a version`, "write a natural number")
}

const parameterOf = (reader: SourceReader, parameter: ParameterDeclaration): Parameter => {
  const { initializer, name, type: typeNode } = parameter
  if (parameter.dotDotDotToken !== undefined)
    reader.refuse(parameter, "a tool takes no rest parameter", "take an array")
  if (!isIdentifier(name)) {
    return reader.refuse(name, "a parameter of a tool is destructured", "give it a name, and destructure it inside")
  }
  if (name.text === "this") reader.refuse(parameter, "a tool has no this", "take what it needs as a parameter")
  if (name.text === "__proto__") reader.refuse(name, "JSON data cannot have a key __proto__", "rename the parameter")
  const isOptional = parameter.questionToken !== undefined || (typeNode === undefined && reader.mayBeUndefined(name))
  const shape = parameterShape(reader, { name, typeNode, isOptional: isOptional || initializer !== undefined })
  const { description } = reader.docOf(parameter)
  if (initializer === undefined) return { name: name.text, shape, isOptional, description, defaultText: null }
  const defaultText = literalText(initializer, reader.source) ?? reader.constantText(initializer)
  if (defaultText === null) {
    return reader.refuse(
      initializer,
      `the default of ${name.text} is not a literal`,
      "write numbers, text, true, false, null, a member of an enum, or arrays and objects of literals"
    )
  }
  return { name: name.text, shape, isOptional: false, description, defaultText }
}

interface ParameterTypes {
  readonly name: Node & { readonly text: string }
  readonly typeNode: TypeNode | undefined
  readonly isOptional: boolean
}

const parameterShape = (reader: SourceReader, { isOptional, name, typeNode }: ParameterTypes): Shape.Shape => {
  const written = typeNode === undefined ? null : reader.fromSyntax(typeNode)
  if (written !== null) return written
  const type = reader.typeOf(name)
  if (type === undefined) return reader.refuse(name, `${name.text} has no type`, "write its type")
  // If the types come from the constant around the function, parameters that may be undefined are optional.
  const mayMiss = isOptional || typeNode === undefined
  return reader.fromChecker(name, type, { side: "Parameter", path: name.text, isOptional: mayMiss })
}

interface Texts {
  readonly name: string
  readonly fields: ReadonlyArray<Parameter>
  readonly tags: ReadonlyArray<DocComment.DocTag>
}

/** Returns the parameters with their `@param` texts. */
const withTexts = (reader: SourceReader, at: Node, { fields, name, tags }: Texts): ReadonlyArray<Parameter> => {
  const fieldList = [...fields]
  const seen = new Set<string>()
  for (const tag of tags.filter(({ name: one }) => one === "param")) {
    const { description, path } = DocComment.paramOf(tag)
    const [head = "", ...rest] = path.split(".")
    if (seen.has(path)) reader.refuse(at, `@param ${path} is written twice`, "remove one of them")
    seen.add(path)
    const index = fieldList.findIndex((field) => field.name === head)
    const field = fieldList[index]
    const shape =
      field === undefined || rest.length === 0 ? field?.shape : Shape.describe(field.shape, rest, description)
    if (field === undefined || shape === undefined || shape === null) {
      return reader.refuse(at, `@param ${path} names no parameter of ${name}`, "rename or remove it")
    }
    fieldList[index] =
      rest.length === 0 ? { ...field, description: description || field.description } : { ...field, shape }
  }
  return fieldList
}
