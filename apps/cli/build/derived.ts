/** The values that the bundle inlines instead of deriving them at every start. Each has one source. */
import * as SchemaDocument from "@bough/host/config/SchemaDocument"
import type { PrebuiltSchemas } from "@bough/host/Packs"
import { registryOf } from "@bough/host/session/KindTools"
import { Replay, Summary } from "@bough/receipts"
import { SessionState, UseTools } from "@bough/runtime"
import { ToolSchema } from "@bough/tool"
import * as Schema from "effect/Schema"
import { readFileSync } from "node:fs"
import * as Packs from "../src/Packs.ts"

/** Returns the schemas in the form that is sent to models. */
export const toolSchemas = (): PrebuiltSchemas =>
  Object.fromEntries([
    ...[...registryOf(Packs)].map(([name, tool]) => [name, ToolSchema.forModel(tool)] as const),
    [SessionState.useToolsName, ToolSchema.forModel(UseTools)]
  ])

/** Returns the schemas by file name. */
export const configSchemas = (): Readonly<Record<string, unknown>> => ({
  "config.schema.json": SchemaDocument.user(),
  "project-config.schema.json": SchemaDocument.project()
})

/** Returns the schemas of the files that `sessions export --to` writes, by file name. */
export const exportSchemas = (): Readonly<Record<string, unknown>> => ({
  "receipt.schema.json": documentOf(Summary.Summary, "RECEIPT.json of an exported session"),
  "replay.schema.json": documentOf(Replay.Line, "A line of REPLAY.jsonl of an exported session")
})

const documentOf = (schema: Schema.Top, title: string): unknown => {
  const { definitions, schema: own } = Schema.toJsonSchemaDocument(schema, { onExcessProperty: "error" })
  return { $schema: "https://json-schema.org/draft/2020-12/schema", title, ...own, $defs: definitions }
}

export const version = (): string =>
  (JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { readonly version: string })
    .version
