/** JSON Schema of a tool's arguments and output, derived from its schemas. */
import * as JsonSchema from "effect/JsonSchema"
import * as Schema from "effect/Schema"
import type * as Tool from "./Tool.ts"

export type Draft = "2020-12" | "draft-07"

/** JSON Schema of the arguments, without `$ref`s: anonymous and named parts are written out where they stand. */
export const parameters = (tool: Tool.Any, draft: Draft = "2020-12"): JsonSchema.JsonSchema =>
  derive(tool.parameters, draft)

/** JSON Schema of the output as the model reads it. */
export const output = (tool: Tool.Any, draft: Draft = "2020-12"): JsonSchema.JsonSchema => derive(tool.output, draft)

/** JSON Schema of any codec's JSON form; throws where a recursive schema cannot be written without `$ref`. */
export const derive = (schema: Tool.Codec, draft: Draft): JsonSchema.JsonSchema => {
  const document = Schema.toJsonSchemaDocument(schema, { onExcessProperty: "error" })
  const written = draft === "draft-07" ? JsonSchema.toDocumentDraft07(document) : document
  return inline(written.schema, written.definitions, []) as JsonSchema.JsonSchema
}

const inline = (
  node: unknown,
  definitions: Readonly<Record<string, unknown>>,
  path: ReadonlyArray<string>
): unknown => {
  if (Array.isArray(node)) return node.map((item) => inline(item, definitions, path))
  if (node === null || typeof node !== "object") return node
  const { $ref, ...rest } = node as { readonly $ref?: unknown }
  if (typeof $ref === "string") {
    const name = decodeURIComponent($ref.slice($ref.lastIndexOf("/") + 1))
      .replaceAll("~1", "/")
      .replaceAll("~0", "~")
    if (path.includes(name)) throw new Error(`the schema of ${name} is recursive: a provider cannot take it`)
    const target = inline(definitions[name], definitions, [...path, name])
    return { ...(target as object), ...rest }
  }
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, inline(value, definitions, path)]))
}
