/** The Harmony format of open-weight models: tools as TypeScript types in the developer message. */
import * as SchemaType from "./SchemaType.ts"

export interface Declaration {
  readonly name: string
  readonly description: string
  readonly parameters: SchemaType.JsonSchema
}

/** Makes the section of tools; "" without tools. */
export const section = (tools: ReadonlyArray<Declaration>): string =>
  tools.length === 0
    ? ""
    : [
        "# Tools",
        "",
        "## functions",
        "",
        "namespace functions {",
        "",
        ...tools.flatMap((tool) => [
          ...SchemaType.comment(tool.description),
          `type ${tool.name} = (${argument(tool.parameters)}) => any;`,
          ""
        ]),
        "} // namespace functions",
        ""
      ].join("\n")

/** Makes the argument of a function type; a tool without arguments has none. */
const argument = (parameters: SchemaType.JsonSchema): string =>
  Object.keys(SchemaType.nodeAt(parameters, "properties")).length === 0 ? "" : `_: ${SchemaType.typeText(parameters)}`
