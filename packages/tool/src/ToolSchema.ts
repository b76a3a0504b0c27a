/** JSON Schema of a tool's arguments and output, derived from its schemas, and small enough to be sent with every prompt. */
import * as Effect from "effect/Effect"
import * as JsonSchema from "effect/JsonSchema"
import * as Schema from "effect/Schema"
import { checkArguments } from "./checkArguments.ts"
import type * as Tool from "./Declaration.ts"
import * as Expected from "./Expected.ts"
import { brief } from "./internal/brief.ts"
import * as ForeignSchemas from "./internal/ForeignSchemas.ts"
import { ownFields as ownFieldsOf } from "./internal/ownFields.ts"
import { simplify } from "./internal/simplify.ts"

export type Draft = "2020-12" | "draft-07"

/**
 * Makes a parameter optional: `value` appears as the JSON Schema's `default` and is filled in on decode, so the handler
 * always has one. `null` does not count as absent.
 */
export const withDefault = <S extends Tool.Codec>(schema: S, value: S["Encoded"]): Schema.withDecodingDefaultKey<S> =>
  Schema.withDecodingDefaultKey<S>(Effect.succeed(value))(schemaOf(schema).annotate({ default: value }) as S)

/** A program without types may pass any value. */
const schemaOf = <S extends Tool.Codec>(schema: S): S => {
  if (Schema.isSchema(schema)) return schema
  const candidate: unknown = schema
  throw new TypeError(
    `ToolSchema.withDefault: argument 1 must be an Effect Schema, as in withDefault(Schema.String, "a")${Expected.typeText(candidate)}`
  )
}

/**
 * Marks a parameter that is a path of the workspace, or the items of a list of such paths: rules about paths apply to
 * it. Parameters called path, paths, from, to, root or cwd need no mark.
 */
export const path = checkArguments(
  "ToolSchema.path",
  [Expected.schema],
  <S extends Schema.Top>(schema: S): S["Rebuild"] => schema.annotate({ format: "path" })
)

/** The codec, described by this JSON Schema in place of a derived one: for schemas from other libraries. */
export const described = checkArguments(
  "ToolSchema.described",
  [Expected.schema, Expected.object('a JSON Schema, as in { type: "string" }')],
  <S extends Tool.Codec>(codec: S, schema: JsonSchema.JsonSchema): S => {
    ForeignSchemas.set(codec, schema)
    return codec
  }
)

/**
 * Returns a function for values that the codec is about to read. If the codec has a field such as `constructor`, which
 * every object inherits, it copies them without prototypes.
 */
export const ownFields = checkArguments(
  "ToolSchema.ownFields",
  [Expected.schema],
  (codec: Tool.Codec): (<A>(value: A) => A) => ownFieldsOf(codec.ast)
)

/** JSON Schema of the arguments, with anonymous and named parts inlined, except for recursive ones. */
export const parameters = checkArguments(
  "ToolSchema.parameters",
  [Expected.described("parameters")],
  (tool: Tool.Any, draft: Draft = "2020-12"): JsonSchema.JsonSchema => derive(tool.parameters, draft)
)

/** JSON Schema of the arguments in the form for models. Schemas by other authors stay unchanged. */
export const forModel = checkArguments(
  "ToolSchema.forModel",
  [Expected.described("parameters")],
  ({ parameters: codec }: Pick<Tool.Any, "parameters">): JsonSchema.JsonSchema => {
    const schema = derive(codec, "draft-07")
    return ForeignSchemas.get(codec) === undefined ? brief(schema) : schema
  }
)

/** JSON Schema of the output as the model reads it. */
export const output = checkArguments(
  "ToolSchema.output",
  [Expected.described("output")],
  (tool: Tool.Any, draft: Draft = "2020-12"): JsonSchema.JsonSchema => derive(tool.output, draft)
)

/** JSON Schema of a codec's JSON form. Recursive parts are under `$defs`, in draft-07 under `definitions`. */
export const derive = checkArguments(
  "ToolSchema.derive",
  [Expected.schema],
  (codec: Tool.Codec, draft: Draft): JsonSchema.JsonSchema => {
    const document = documentOf(codec)
    const simple = { ...document, ...simplify(document.schema, document.definitions) }
    const { definitions, schema } = draft === "draft-07" ? JsonSchema.toDocumentDraft07(simple) : simple
    if (Object.keys(definitions).length === 0) return schema
    return { ...schema, [draft === "draft-07" ? "definitions" : "$defs"]: definitions }
  }
)

/** Derives the document of a schema. A schema of another library has the document that this library wrote. */
const documentOf = (schema: Tool.Codec) => {
  const foreign = ForeignSchemas.get(schema)
  if (foreign === undefined) return Schema.toJsonSchemaDocument(schema, { onExcessProperty: "error" })
  const { $defs: definitions = {}, ...root } = foreign as { readonly $defs?: JsonSchema.Definitions }
  return { dialect: "draft-2020-12" as const, schema: root, definitions }
}
