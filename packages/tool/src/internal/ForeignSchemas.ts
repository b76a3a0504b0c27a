/**
 * The JSON Schemas of codecs that were made from another library's schemas. The code that reads such schemas is in
 * other modules, so that programs without them never load it.
 */
import type * as JsonSchema from "effect/JsonSchema"

const byCodec = new WeakMap<object, JsonSchema.JsonSchema>()

/** The JSON Schema of a codec that was made from another library's schema; undefined: the codec is Effect's own. */
export const get = (codec: object): JsonSchema.JsonSchema | undefined => byCodec.get(codec)

export const set = (codec: object, schema: JsonSchema.JsonSchema): void => {
  byCodec.set(codec, schema)
}
