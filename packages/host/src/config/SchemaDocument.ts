/** The JSON Schemas of the configuration files, for editors and for users. */
import * as Schema from "effect/Schema"
import * as ConfigSchema from "./ConfigSchema.ts"

const documentOf = (schema: Schema.Top, title: string): unknown => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title,
  // Editors accept comments and trailing commas, as the program does.
  allowComments: true,
  allowTrailingCommas: true,
  ...Schema.toJsonSchemaDocument(schema, { onExcessProperty: "error" }).schema
})

export const user = (): unknown => documentOf(ConfigSchema.User, "The operator's configuration of Bough")
export const project = (): unknown => documentOf(ConfigSchema.Project, "A project's configuration of Bough")
