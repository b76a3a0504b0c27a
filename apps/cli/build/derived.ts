/** What the bundle holds instead of deriving it at every start, each from its one source. */
import { SessionState, UseTools } from "@bough/runtime"
import { ToolSchema } from "@bough/tool"
import { readFileSync } from "node:fs"
import { registryOf } from "../src/Agents.ts"
import * as SchemaDocument from "../src/config/SchemaDocument.ts"
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
  "config.schema.json": SchemaDocument.user(),
  "project-config.schema.json": SchemaDocument.project()
})

export const version = (): string =>
  (JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { readonly version: string })
    .version
