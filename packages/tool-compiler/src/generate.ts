/**
 * Generates the module that declares the tools of a source file. Types are written explicitly, so that TypeScript need
 * not infer any from the schemas.
 */
import * as path from "node:path"
import type { SourceFile } from "typescript/unstable/ast"
import { importsOf } from "./importsOf.ts"
import type { CompiledTool, Parameter } from "./readTools.ts"
import * as Shape from "./Shape.ts"
import { described, keyText, memberText, schemaText, type SchemaStyle, typeText } from "./ShapeText.ts"

/** The facts of the author's project that the output depends on. */
export interface ProjectStyle {
  /** True if sources import each other with the extension `.ts` and not with that of the emitted file. */
  readonly importsTs: boolean
  /** True if an optional property may not be undefined. */
  readonly exactOptional: boolean
}

/** The output, and the position of each tool in it. */
export interface GeneratedModule {
  readonly text: string
  /** The module without types, for a bundler. */
  readonly javascript: string
  readonly offsets: ReadonlyArray<number>
}

const endings: Readonly<Record<string, string>> = { ".ts": ".js", ".tsx": ".js", ".mts": ".mjs", ".cts": ".cjs" }

/** True for a file that this compiler generates. */
export const isOutput = (file: string): boolean => /\.tools\.[cm]?ts$/u.test(file)

/** Returns "deploy.tools.ts" for "deploy.ts"; null: the file is not a TypeScript source. */
export const outputOf = (file: string): string | null => {
  const ending = path.extname(file)
  if (endings[ending] === undefined || /\.d\.[cm]?ts$/u.test(file)) return null
  return `${file.slice(0, -ending.length)}.tools${ending === ".tsx" ? ".ts" : ending}`
}

const pascalCase = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

const parametersStyle: SchemaStyle = { optional: "optionalKey" }

export const generate = (
  file: string,
  source: SourceFile,
  { style, tools }: { readonly tools: ReadonlyArray<CompiledTool>; readonly style: ProjectStyle }
): GeneratedModule => {
  const ending = path.extname(file)
  const name = `./${path.basename(file)}`
  const specifier = style.importsTs ? name : `./${path.basename(file, ending)}${endings[ending] ?? ""}`
  const used = new Set(tools.flatMap(({ capabilities }) => capabilities.map((one) => one.split(".")[0] ?? one)))
  const hasDefaults = tools.some(({ parameters }) => parameters.some(({ defaultText }) => defaultText !== null))
  const headOf = (from: string): string =>
    [
      `/** The tools of ${from}, written by @bough/tool-compiler: change that file, not this one. */`,
      `import { Tool, ToolPack${hasDefaults ? ", ToolSchema" : ""} } from "@bough/tool"`,
      `import * as Schema from "effect/Schema"`,
      ...importsOf(source, { specifier: from, used }),
      `import * as source from ${JSON.stringify(from)}`,
      "",
      ""
    ].join("\n")
  const usedNames = new Set(["Tool", "ToolPack", "ToolSchema", "Schema", "source", "pack", ...used])
  const written = tools.map((tool) => new ToolWriter(tool, nameFor(tool, usedNames), style))
  const offsets: Array<number> = []
  let text = headOf(specifier)
  for (const writer of written) {
    offsets.push(text.length)
    text += `${[...writer.types(), writer.declaration(true)].join("\n")}\n\n`
  }
  const plain = written.map((writer) => `${writer.declaration(false)}\n\n`).join("")
  return {
    text: text + packText(written, true),
    javascript: headOf(name) + plain + packText(written, false),
    offsets
  }
}

/** Returns a name that no import and no other tool has. */
const nameFor = ({ constant }: CompiledTool, usedNames: Set<string>): string => {
  const plain = pascalCase(constant)
  const name = ["", "Tool", ...Array.from({ length: 100 }, (_, index) => `Tool${index + 2}`)]
    .map((suffix) => `${plain}${suffix}`)
    .find((one) => ![one, `${one}Arguments`, `${one}Input`, `${one}Output`].some((each) => usedNames.has(each)))
  if (name === undefined) throw new Error(`no name is left for ${constant}`)
  for (const one of [name, `${name}Arguments`, `${name}Input`, `${name}Output`]) usedNames.add(one)
  return name
}

const packText = (tools: ReadonlyArray<ToolWriter>, isTyped: boolean): string => {
  const requirements = [...new Set(tools.flatMap(({ tool }) => tool.capabilities))].toSorted()
  const type = [
    `: ToolPack.ToolPack<${requirements.length === 0 ? "never" : requirements.join(" | ")}, {`,
    ...tools.map(({ name, tool }) => `  readonly ${tool.name}: typeof ${name}`),
    "}>"
  ].join("\n")
  return [
    `export const pack${isTyped ? type : ""} = ToolPack.fromRecord({`,
    tools.map(({ name, tool }) => `  ${tool.name}: ${name}`).join(",\n"),
    "})",
    ""
  ].join("\n")
}

class ToolWriter {
  readonly tool: CompiledTool
  readonly name: string
  readonly #style: ProjectStyle

  constructor(tool: CompiledTool, name: string, style: ProjectStyle) {
    this.tool = tool
    this.name = name
    this.#style = style
  }

  #hasDefaults(): boolean {
    return this.tool.parameters.some(({ defaultText }) => defaultText !== null)
  }

  /** Writes the types that the declaration states. */
  types(): ReadonlyArray<string> {
    const { name } = this
    return [
      ...this.#argumentsText(`${name}Arguments`, "Arguments"),
      ...(this.#hasDefaults() ? this.#argumentsText(`${name}Input`, "Input") : []),
      `export type ${name}Output = ${this.#outputType()}`,
      ""
    ]
  }

  declaration(isTyped: boolean): string {
    const { name, tool } = this
    const capabilities = tool.capabilities.map((capability) => `typeof ${capability}`).join(", ")
    const types = [
      JSON.stringify(tool.name),
      `${name}Arguments`,
      `${name}Output`,
      `[${capabilities}]`,
      JSON.stringify(tool.tier),
      ...(this.#hasDefaults() ? [`${name}Input`] : [])
    ]
    return [
      `export const ${name} = Tool.fromFunction${isTyped ? `<${types.join(", ")}>` : ""}(${JSON.stringify(tool.name)}, {`,
      `  version: ${tool.version},`,
      `  description: ${JSON.stringify(tool.description)},`,
      `  tier: ${JSON.stringify(tool.tier)},`,
      `  replay: ${JSON.stringify(tool.replay)},`,
      `  capabilities: [${tool.capabilities.join(", ")}],`,
      ...parametersText(tool.parameters),
      `  output: ${tool.output === null ? "Schema.Struct({})" : schemaText(tool.output, this.#outputStyle())},`,
      ...this.#forModelText(),
      `  ${tool.isWhole ? "result" : "call"}: ${this.#callText()}`,
      "})"
    ].join("\n")
  }

  /** Writes `forModel`, by which the model gets plain text instead of JSON. */
  #forModelText(): ReadonlyArray<string> {
    const { forModel, output } = this.tool
    if (forModel !== null) return [`  forModel: ${memberText("source", forModel)},`]
    return output?._tag === "Text" ? [`  forModel: (text) => text,`] : []
  }

  #outputStyle(): SchemaStyle {
    return { optional: this.#style.exactOptional ? "optionalKey" : "optional" }
  }

  #outputType(): string {
    const { output } = this.tool
    if (output === null) return "{}"
    return Shape.isNominal(output)
      ? `Tool.ReturnedBy<typeof ${this.#function()}>${this.tool.isWhole ? `["output"]` : ""}`
      : typeText(output, this.#outputStyle())
  }

  /** Writes the type of the arguments: `Arguments` for the function, `Input` for a caller. */
  #argumentsText(name: string, side: "Arguments" | "Input"): ReadonlyArray<string> {
    const { parameters } = this.tool
    if (parameters.length === 0) return [`export type ${name} = {}`]
    return [
      `export interface ${name} {`,
      ...parameters.map((parameter, index) => {
        const mayMiss = parameter.isOptional || (side === "Input" && parameter.defaultText !== null)
        return `  readonly ${keyText(parameter.name)}${mayMiss ? "?" : ""}: ${this.#parameterType(parameter, index)}`
      }),
      "}"
    ]
  }

  #parameterType({ defaultText, isOptional, shape }: Parameter, index: number): string {
    if (!Shape.isNominal(shape)) return typeText(shape, parametersStyle)
    const sourceType = `Parameters<typeof ${this.#function()}>[${index}]`
    return isOptional || defaultText !== null ? `Exclude<${sourceType}, undefined>` : sourceType
  }

  #function(): string {
    return `source.${this.tool.exported}`
  }

  #callText(): string {
    const { capabilities, isGenerator, output, parameters, takesContext } = this.tool
    const context = capabilities.map((name) => {
      const short = name.slice(name.lastIndexOf(".") + 1)
      return `${short.charAt(0).toLowerCase()}${short.slice(1)}: context.${short}`
    })
    const parts = [
      ...parameters.map(({ name }) => memberText("input", name)),
      ...(takesContext ? [context.length === 0 ? "context" : `{ ...context, ${context.join(", ")} }`] : [])
    ]
    const call = `${this.#function()}(${parts.join(", ")})`
    const parameterNames = takesContext
      ? [parameters.length === 0 ? "_" : "input", "context"]
      : parameters.length === 0
        ? []
        : ["input"]
    const args = `(${parameterNames.join(", ")})`
    if (output !== null) return `${args} => ${call}`
    return isGenerator
      ? `async function* ${args} {\n    yield* ${call}\n    return {}\n  }`
      : `async ${args} => {\n    await ${call}\n    return {}\n  }`
  }
}

const parametersText = (parameters: ReadonlyArray<Parameter>): ReadonlyArray<string> =>
  parameters.length === 0
    ? ["  parameters: Schema.Struct({}),"]
    : [
        "  parameters: Schema.Struct({",
        parameters.map((parameter) => `    ${keyText(parameter.name)}: ${parameterSchema(parameter)}`).join(",\n"),
        "  }),"
      ]

const parameterSchema = ({ defaultText, description, isOptional, shape }: Parameter): string => {
  const schema = described(schemaText(shape, parametersStyle), description)
  if (defaultText !== null) return `ToolSchema.withDefault(${schema}, ${defaultText})`
  return isOptional ? `Schema.optionalKey(${schema})` : schema
}
