/**
 * Schemas of other libraries, and plain JSON Schema, as codecs: adr/0038-tools-without-effect.md. A Standard Schema is
 * validated by its own library.
 */
import * as Effect from "effect/Effect"
import type * as JsonSchema from "effect/JsonSchema"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaRepresentation from "effect/SchemaRepresentation"
import * as SchemaTransformation from "effect/SchemaTransformation"
import type { StandardSchemaV1 } from "effect/StandardSchema"
import type { Codec } from "./Declaration.ts"
import * as ForeignSchemas from "./internal/ForeignSchemas.ts"
import { close, normalize, wrongType } from "./internal/normalJsonSchema.ts"

/** A schema that follows https://standardschema.dev, such as one of zod, valibot or arktype. */
// oxlint-disable-next-line typescript/no-explicit-any -- a schema's two sides are free
export type Standard = StandardSchemaV1<any, any>

/** A JSON Schema of draft 2020-12 as a plain object. The compiler does not know its types. */
export interface Json {
  readonly type: "object"
  readonly "~standard"?: never
  readonly ast?: never
  readonly [keyword: string]: unknown
}

/** The schemas that `Tool.fromAsync` takes for parameters and output. */
export type AnySchema = Codec | Standard | Json

/** The value that a handler gets or returns. */
export type TypeOf<S> = S extends Codec ? S["Type"] : S extends Standard ? StandardSchemaV1.InferOutput<S> : JsonObject

/** The value that a program passes, as its schema encodes it. */
export type EncodedOf<S> = S extends Codec
  ? S["Encoded"]
  : S extends Standard
    ? StandardSchemaV1.InferInput<S>
    : JsonObject

/** The value that a handler may return for the output `S`: a Standard Schema parses it once more. */
export type ReturnedOf<S> = S extends Codec
  ? S["Type"]
  : S extends Standard
    ? StandardSchemaV1.InferInput<S>
    : JsonObject

type JsonObject = Readonly<Record<string, unknown>>

/** The codec of a tool whose parameters are `S`. */
export type ParametersCodec<S> = S extends Codec ? S : Schema.Codec<TypeOf<S>, EncodedOf<S>>
/** The codec of a tool whose output is `S`. */
export type OutputCodec<S> = S extends Codec ? S : Schema.Codec<TypeOf<S>, TypeOf<S>>

/** Thrown at the declaration; `fromAsync` adds the tool and the field. */
export class Unusable extends Error {}

/** The codec of arguments. Keys that the JSON Schema does not know are refused, as for every tool. */
export const parameters = (schema: AnySchema): Codec =>
  isCodec(schema) ? schema : isStandard(schema) ? standardParameters(schema) : fromJson(schema)

/** The codec of an output. */
export const output = (schema: AnySchema): Codec =>
  isCodec(schema) ? schema : isStandard(schema) ? standardOutput(schema) : fromJson(schema)

const isCodec = (schema: unknown): schema is Codec => Schema.isSchema(schema)

const isStandard = (schema: unknown): schema is Standard =>
  (typeof schema === "object" || typeof schema === "function") && schema !== null && "~standard" in schema

/** The JSON Schemas that were passed with Standard Schemas of libraries that cannot generate them. */
const derived = new WeakMap<Standard, JsonSchema.JsonSchema>()

/** A Standard Schema together with its JSON Schema, for libraries that generate none. */
export const standard = <S extends Standard>(schema: S, jsonSchema: Json): S => {
  derived.set(schema, jsonSchema)
  return schema
}

const standardParameters = (schema: Standard): Codec => {
  const json = closeSchema(written(schema, "input"))
  const known = Object.keys(json["properties"] ?? {})
  const isClosed = json["additionalProperties"] === false
  // Returns the original value instead of the validated copy, because the original is recorded and run again.
  const sent = new WeakMap<object, unknown>()
  const codec = Schema.Unknown.pipe(
    Schema.decodeTo(
      Schema.Any,
      SchemaTransformation.transformEffect({
        decode: (value: unknown) => {
          const surplus = isClosed ? surplusOf(value, known) : []
          if (surplus.length > 0) return Effect.fail(composite(surplus))
          return Effect.tap(validated(schema, value), (made) =>
            Effect.sync(() => {
              if (typeof made === "object" && made !== null) sent.set(made, value)
            })
          )
        },
        encode: (made: unknown) =>
          Effect.succeed(typeof made === "object" && made !== null && sent.has(made) ? sent.get(made) : made)
      })
    )
  )
  ForeignSchemas.set(codec, json)
  return codec as Codec
}

const standardOutput = (schema: Standard): Codec => {
  const codec = Schema.Unknown.pipe(
    Schema.decodeTo(
      Schema.Any,
      SchemaTransformation.transformEffect({
        decode: (value: unknown) => Effect.succeed(value),
        encode: (value: unknown) => validated(schema, value)
      })
    )
  )
  ForeignSchemas.set(codec, normalize(written(schema, "output")))
  return codec as Codec
}

const fromJson = (schema: Json): Codec => {
  const json = closeSchema(schema)
  const { $defs: definitions = {}, ...root } = json as { readonly $defs?: JsonSchema.Definitions }
  const document = { dialect: "draft-2020-12", schema: root, definitions } as const
  const codec = orUnusable("its JSON Schema cannot be read", () =>
    SchemaRepresentation.fromJsonSchemaDocument(document, { patterns: "apply" })
  )
  ForeignSchemas.set(codec, json)
  return codec as unknown as Codec
}

/** Returns what `make` returns. An exception becomes a sentence about the fault in the schema. */
const orUnusable = <A>(fault: string, make: () => A): A => {
  const converted = Result.try(make)
  if (Result.isSuccess(converted)) return converted.success
  const { failure } = converted
  throw new Unusable(`${fault}: ${failure instanceof Error ? failure.message : String(failure)}`)
}

/** Unknown keys are refused at the top level unless the schema allows them. */
const closeSchema = (schema: JsonSchema.JsonSchema): JsonSchema.JsonSchema => {
  const json = orUnusable("its JSON Schema cannot be read", () => normalize(schema))
  if (json["type"] !== "object") {
    throw new Unusable(
      "its JSON Schema must be one of an object, because models pass arguments by name: make other schemas a property"
    )
  }
  const wrong = wrongType(json)
  if (wrong !== null) throw new Unusable(`its JSON Schema: ${wrong}`)
  return close(json)
}

interface Writer {
  readonly jsonSchema?: Readonly<
    Record<"input" | "output", (options: { readonly target: string }) => JsonSchema.JsonSchema>
  >
}

const written = (schema: Standard, side: "input" | "output"): JsonSchema.JsonSchema => {
  const cached = derived.get(schema)
  if (cached !== undefined) return cached
  const { jsonSchema, vendor } = schema["~standard"] as Writer & { readonly vendor: string }
  if (jsonSchema === undefined) {
    throw new Unusable(`a schema of ${vendor} writes no JSON Schema: pass Tool.standard(schema, jsonSchema)`)
  }
  const fault = `a schema of ${vendor} cannot be written as JSON Schema (pass Tool.standard(schema, jsonSchema))`
  const { $schema: _, ...json } = orUnusable(fault, () => jsonSchema[side]({ target: "draft-2020-12" }))
  return json
}

const validated = (schema: Standard, value: unknown): Effect.Effect<unknown, SchemaIssue.Issue> =>
  Effect.suspend(() => {
    const result = schema["~standard"].validate(value)
    if (result instanceof Promise) {
      result.catch(() => {})
      return Effect.fail(invalid("its schema validates asynchronously, which a tool's schema cannot"))
    }
    return result.issues === undefined
      ? Effect.succeed(result.value)
      : Effect.fail(composite(result.issues.map(issueOf)))
  })

const issueOf = ({ message, path = [] }: StandardSchemaV1.Issue): SchemaIssue.Issue =>
  new SchemaIssue.Pointer(
    path.map((part) => (typeof part === "object" ? part.key : part)),
    invalid(message)
  )

const surplusOf = (value: unknown, known: ReadonlyArray<string>): ReadonlyArray<SchemaIssue.Issue> =>
  typeof value !== "object" || value === null
    ? []
    : Object.keys(value)
        .filter((key) => !known.includes(key))
        .map(
          (key) =>
            new SchemaIssue.Pointer(
              [key],
              invalid(`unknown key ${JSON.stringify(key)}: there are ${known.join(", ") || "none"}`)
            )
        )

const invalid = (message: string): SchemaIssue.Issue => new SchemaIssue.InvalidValue({ message })

const composite = (issues: ReadonlyArray<SchemaIssue.Issue>): SchemaIssue.Issue => {
  const [first = invalid("is not valid"), ...rest] = issues
  return rest.length === 0 ? first : new SchemaIssue.Composite(Schema.Unknown.ast, [first, ...rest])
}

/** Describes the fault of a value that is not a schema of the three kinds; null: the value is such a schema. */
export const faultOf = (schema: unknown): string | null =>
  isCodec(schema) || isStandard(schema) || (typeof schema === "object" && schema !== null && "type" in schema)
    ? null
    : "must be an Effect Schema, a Standard Schema or a JSON Schema of an object"
