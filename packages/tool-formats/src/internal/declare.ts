/** The parts of a declaration that most formats write alike. */
import { collect, type Loss } from "../Loss.ts"
import type { Declaration, JsonSchema } from "../ToolMessage.ts"
import * as ToolNames from "../ToolNames.ts"
import { mergedRoot, nodeOf } from "./nodes.ts"

export interface Declared {
  readonly name: string
  readonly description: string
  readonly schema: JsonSchema
  readonly losses: ReadonlyArray<Loss>
}

/** A declaration with the name and the root schema that a provider accepts. */
export const declare = (declaration: Declaration, names: ToolNames.NameRule): Declared => {
  const losses = collect()
  const name = ToolNames.written(declaration.name, names, losses)
  const root = mergedRoot(declaration.parameters)
  if (root !== null) losses.add("Root", declaration.name, "one object of all arguments")
  const typed: JsonSchema = root ?? declaration.parameters
  const schema =
    typed["type"] === "object" ? typed : { ...typed, type: "object", properties: nodeOf(typed["properties"]) }
  return { name, description: declaration.description, schema, losses: losses.list }
}
