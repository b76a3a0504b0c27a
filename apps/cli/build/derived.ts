/** What the bundle holds instead of deriving it at every start, each from its one source. */
import { SessionState, UseTools } from "@bough/runtime"
import { ToolSchema } from "@bough/tool"
import * as Schema from "effect/Schema"
import { readFileSync } from "node:fs"
import { registryOf } from "../src/Agents.ts"
import * as ConfigSchema from "../src/config/ConfigSchema.ts"
import * as Packs from "../src/Packs.ts"
import type { PrebuiltSchemas } from "../src/Program.ts"

/** As models are sent them. */
export const toolSchemas = (): PrebuiltSchemas =>
  Object.fromEntries([
    ...[...registryOf(Packs)].map(([name, tool]) => [name, ToolSchema.parameters(tool, "draft-07")] as const),
    [SessionState.useToolsName, ToolSchema.derive(UseTools.parameters, "draft-07")]
  ])

/** By the file's name. */
export const configSchemas = (): Readonly<Record<string, unknown>> => ({
  "config.schema.json": documentOf(ConfigSchema.User, "The operator's configuration of Bough"),
  "project-config.schema.json": documentOf(ConfigSchema.Project, "A project's configuration of Bough")
})

const documentOf = (schema: Schema.Top, title: string): unknown => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title,
  // An editor reads JSONC with what the program takes: comments and commas at the end.
  allowComments: true,
  allowTrailingCommas: true,
  ...Schema.toJsonSchemaDocument(schema, { onExcessProperty: "error" }).schema
})

export const version = (): string =>
  (JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { readonly version: string })
    .version
