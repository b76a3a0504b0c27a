/** Writes the module that declares the tools of a source file. */
import type { SourceFile } from "typescript/unstable/ast"
import { isImportDeclaration, isNamedImports, isStringLiteral } from "typescript/unstable/ast/is"
import * as path from "node:path"
import type { CompiledTool } from "./readTools.ts"
import type { Field } from "./SchemaText.ts"

/** "deploy.tools.ts" of "deploy.ts". */
export const outputOf = (file: string): string => file.replace(/\.ts$/u, ".tools.ts")

const pascalCase = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

export const generate = (file: string, source: SourceFile, tools: ReadonlyArray<CompiledTool>): string => {
  const own = `./${path.basename(file)}`
  const used = new Set(tools.flatMap(({ capabilities }) => capabilities.map((name) => name.split(".")[0] ?? name)))
  const imports = importsOf(source, own, used)
  const fields = tools.flatMap((tool) => tool.fields)
  const names = new Set([
    "Tool",
    "ToolPack",
    ...(fields.some(({ schema }) => schema.includes("ToolSchema.")) ? ["ToolSchema"] : []),
    ...(imports.get("@bough/tool") ?? [])
  ])
  imports.delete("@bough/tool")
  return [
    `/** The tools of ${own}, written by @bough/tool-compiler: change that file, not this one. */`,
    `import { ${[...names].toSorted().join(", ")} } from "@bough/tool"`,
    `import * as Schema from "effect/Schema"`,
    ...[...imports]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([from, all]) => `import { ${[...all].toSorted().join(", ")} } from ${JSON.stringify(from)}`),
    `import * as source from ${JSON.stringify(own)}`,
    "",
    ...tools.flatMap((tool) => [toolText(tool), ""]),
    `export const pack = ToolPack.make(${tools.map((tool) => pascalCase(tool.function)).join(", ")})`,
    ""
  ].join("\n")
}

/** The modules that names of the source come from; a name that it declares itself comes from the source. */
const importsOf = (source: SourceFile, own: string, used: ReadonlySet<string>): Map<string, Array<string>> => {
  const found = new Map<string, Array<string>>()
  const left = new Set(used)
  const add = (from: string, text: string, name: string) => {
    found.set(from, [...(found.get(from) ?? []), text])
    left.delete(name)
  }
  for (const statement of source.statements) {
    if (!isImportDeclaration(statement) || !isStringLiteral(statement.moduleSpecifier)) continue
    const bindings = statement.importClause?.namedBindings
    if (bindings === undefined || !isNamedImports(bindings)) continue
    for (const { name, propertyName } of bindings.elements) {
      const text = propertyName === undefined ? name.text : `${propertyName.text} as ${name.text}`
      if (used.has(name.text)) add(statement.moduleSpecifier.text, text, name.text)
    }
  }
  for (const name of left) add(own, name, name)
  return found
}

const toolText = (tool: CompiledTool): string => {
  const names = tool.fields.map(({ name }) => name)
  const context = tool.capabilities.map((name) => {
    const short = name.slice(name.lastIndexOf(".") + 1)
    return `${short.charAt(0).toLowerCase()}${short.slice(1)}: context.${short}`
  })
  const call = `source.${tool.function}(${[
    ...names,
    ...(tool.takesContext ? [context.length === 0 ? "context" : `{ ...context, ${context.join(", ")} }`] : [])
  ].join(", ")})`
  const display = JSON.stringify(`${tool.name} is done`)
  return [
    `export const ${pascalCase(tool.function)} = Tool.fromAsync(${JSON.stringify(tool.name)}, {`,
    `  version: ${tool.version},`,
    `  description: ${JSON.stringify(tool.description)},`,
    `  tier: ${JSON.stringify(tool.tier)},`,
    `  replay: ${JSON.stringify(tool.replay)},`,
    `  capabilities: [${tool.capabilities.join(", ")}],`,
    ...parametersText(tool.fields),
    `  output: ${tool.output ?? "Schema.Struct({})"},`,
    `  execute: async (${argumentsOf(names, tool.takesContext)}) => {`,
    ...(tool.output === null
      ? [`    await ${call}`, `    return { output: {}, display: ${display} }`]
      : [`    return { output: await ${call}, display: ${display} }`]),
    "  }",
    "})"
  ].join("\n")
}

const argumentsOf = (names: ReadonlyArray<string>, takesContext: boolean): string => {
  const given = names.length === 0 ? (takesContext ? ["_"] : []) : [`{ ${names.join(", ")} }`]
  return [...given, ...(takesContext ? ["context"] : [])].join(", ")
}

const parametersText = (fields: ReadonlyArray<Field>): ReadonlyArray<string> =>
  fields.length === 0
    ? ["  parameters: Schema.Struct({}),"]
    : ["  parameters: Schema.Struct({", fields.map(({ name, schema }) => `    ${name}: ${schema}`).join(",\n"), "  }),"]
