/**
 * The codec of a server tool's arguments. The server checks the arguments; here only the top level is checked, so that
 * a missing or misspelt argument is reported with its field. Pure.
 */
import { type Tool, ToolSchema } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaTransformation from "effect/SchemaTransformation"

type Json = Readonly<Record<string, unknown>>

interface Issue {
  readonly message: string
  readonly path: ReadonlyArray<string>
}

/** Returns a codec whose JSON Schema is the server's own. */
export const codecOf = (schema: Json): Tool.Codec =>
  ToolSchema.described(
    Schema.Unknown.pipe(
      Schema.decodeTo(
        Schema.Any,
        SchemaTransformation.transformEffect({
          decode: (value: unknown) => {
            const [first, ...rest] = issuesOf(schema, value).map(toSchemaIssue)
            return first === undefined
              ? Effect.succeed(value)
              : Effect.fail(new SchemaIssue.Composite(Schema.Unknown.ast, [first, ...rest]))
          },
          encode: (value: unknown) => Effect.succeed(value)
        })
      )
    ),
    schema
  )

const toSchemaIssue = ({ message, path }: Issue): SchemaIssue.Issue =>
  new SchemaIssue.Pointer(path, new SchemaIssue.InvalidValue({ message }))

const issuesOf = (schema: Json, value: unknown): ReadonlyArray<Issue> => {
  if (!Predicate.isReadonlyObject(value)) return [{ message: "the arguments must be an object", path: [] }]
  const { properties, required } = schema
  const missing = (Array.isArray(required) ? required : []).flatMap((name): ReadonlyArray<Issue> =>
    typeof name === "string" && !Object.hasOwn(value, name) ? [{ message: "is missing", path: [name] }] : []
  )
  const wrong = Object.entries(Predicate.isReadonlyObject(properties) ? properties : {}).flatMap(
    ([name, property]): ReadonlyArray<Issue> => {
      if (!Object.hasOwn(value, name) || !Predicate.isReadonlyObject(property)) return []
      const message = faultOf(property, value[name])
      return message === null ? [] : [{ message, path: [name] }]
    }
  )
  return [...missing, ...wrong]
}

const faultOf = ({ enum: choices, type }: Json, value: unknown): string | null => {
  if (Array.isArray(choices) && choices.every((one) => typeof one !== "object") && !choices.includes(value)) {
    return `must be one of ${choices
      .slice(0, 20)
      .map((one) => JSON.stringify(one))
      .join(", ")}`
  }
  const types = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === "string")
  return types.length === 0 || types.some((one) => isOf(one, value)) ? null : `must be of type ${types.join(" or ")}`
}

const isOf = (type: string, value: unknown): boolean => {
  switch (type) {
    case "null":
      return value === null
    case "array":
      return Array.isArray(value)
    case "object":
      return Predicate.isReadonlyObject(value)
    case "integer":
      return Number.isInteger(value)
    case "number":
    case "string":
    case "boolean":
      return typeof value === type
    default:
      return true
  }
}
