/** The parts of a declaration that most formats write alike. */
import { collect, type Loss, type WriteResult } from "../Loss.ts"
import * as StrictSchema from "../schema/StrictSchema.ts"
import type { Declaration, JsonSchema } from "../ToolMessage.ts"
import * as ToolNames from "../ToolNames.ts"
import { mergedRoot, nodeOf } from "./nodes.ts"

export interface DeclaredTool {
  readonly name: string
  readonly description: string
  readonly schema: JsonSchema
  readonly losses: ReadonlyArray<Loss>
}

/** Makes a declaration with the name and the root schema that a provider accepts. */
export const declare = (declaration: Declaration, names: ToolNames.NameRule): DeclaredTool => {
  const losses = collect()
  const name = ToolNames.encodeName(declaration.name, names, losses)
  const root = mergedRoot(declaration.parameters)
  if (root !== null) losses.add("Root", declaration.name, "one object of all arguments")
  const typed: JsonSchema = root ?? declaration.parameters
  const schema =
    typed["type"] === "object" ? typed : { ...typed, type: "object", properties: nodeOf(typed["properties"]) }
  return { name, description: declaration.description, schema, losses: losses.list }
}

/** Collects written tools, with the losses of all of them. */
export const collectTools = <Tool>(
  tools: ReadonlyArray<{ readonly tool: Tool; readonly losses: ReadonlyArray<Loss> }>
): WriteResult<Array<Tool>> => ({
  value: tools.map(({ tool }) => tool),
  losses: tools.flatMap(({ losses }) => losses)
})

/** Returns the JSON Schema for strict functions, if the tool should be strict and they can express it. */
export const declareStrict = (
  { description, losses, name, schema }: DeclaredTool,
  { at, isStrict }: { readonly at: string; readonly isStrict: boolean }
): DeclaredTool & { readonly isStrict: boolean } => {
  const strict = isStrict ? StrictSchema.fromSchema(schema, at) : null
  return {
    name,
    description,
    schema: strict?.value ?? schema,
    losses: [...losses, ...(strict?.losses ?? [])],
    isStrict: strict?.value != null
  }
}
