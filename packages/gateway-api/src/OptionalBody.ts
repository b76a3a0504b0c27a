/** The body of a request whose fields are all optional: a request without a body sets none of them. */
import * as Context from "effect/Context"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"

/** Decodes a missing body, which the server reads as null. */
const NoFields = Schema.Null.pipe(
  Schema.decodeTo(Schema.Struct({}), {
    decode: SchemaGetter.transform(() => ({})),
    encode: SchemaGetter.transform(() => null)
  })
)

/** Makes the payload of an endpoint, which also has the annotation `documented`. */
export const make = <S extends Schema.Top>(fields: S): readonly [S, Schema.Codec<S["Type"], null>] => [fields, NoFields]

interface MediaType {
  readonly schema: { readonly anyOf?: ReadonlyArray<{ readonly type?: unknown }> }
}

const withoutNull = ({ schema }: MediaType) => ({ schema: schema.anyOf?.find(({ type }) => type !== "null") })

/** Documents the body as optional, with its fields alone. */
export const documented = Context.make(OpenApi.Transform, (operation) => ({
  ...operation,
  requestBody: {
    content: Object.fromEntries(
      Object.entries(operation["requestBody"].content as Readonly<Record<string, MediaType>>).map(
        ([type, mediaType]) => [type, withoutNull(mediaType)]
      )
    ),
    required: false
  }
}))
