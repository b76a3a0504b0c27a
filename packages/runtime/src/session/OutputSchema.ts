/**
 * Compiles a JSON Schema, written by a model, to an Effect Schema that decodes values. Loaded on first use, because few
 * sessions request an output.
 */
import * as JsonSchema from "effect/JsonSchema"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import * as SchemaRepresentation from "effect/SchemaRepresentation"

/** Compiles the schema; the failure names the fault. Patterns are refused, since one may take forever to match. */
export const compile = (jsonSchema: Readonly<Record<string, unknown>>): Result.Result<Schema.Codec<unknown>, string> =>
  jsonSchema["type"] === "object"
    ? Result.try({
        try: () =>
          SchemaRepresentation.fromJsonSchemaDocument(
            JsonSchema.fromSchemaDraft2020_12(jsonSchema)
          ) as Schema.Codec<unknown>, // decoding by a JSON Schema needs no services
        catch: (thrown) => (thrown instanceof Error ? thrown.message : String(thrown))
      })
    : Result.fail('its "type" is not "object"')
