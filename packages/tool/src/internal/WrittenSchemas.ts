/**
 * JSON Schemas that another library wrote, in a module without the code that reads them: a program without such schemas
 * never loads that code.
 */
import type * as JsonSchema from "effect/JsonSchema"

const byCodec = new WeakMap<object, JsonSchema.JsonSchema>()

/** The JSON Schema of a codec that was made from another library's schema; undefined: the codec is Effect's own. */
export const get = (codec: object): JsonSchema.JsonSchema | undefined => byCodec.get(codec)

export const set = (codec: object, schema: JsonSchema.JsonSchema): void => {
  byCodec.set(codec, schema)
}
