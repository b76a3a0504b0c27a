/**
 * The API reference as data, made from the same definition as the server and the clients. The Markdown file and the
 * gateway's page both show it.
 */
import * as OpenApi from "effect/http-api/OpenApi"
import * as Api from "./Api.ts"
import { limits } from "./Limits.ts"

type Schema = Readonly<Record<string, unknown>>

/** A type in words: pieces of text, some of which are code or link to a schema. */
export type TypeText = ReadonlyArray<{ readonly text: string; readonly as: "words" | "schema" | "code" }>

export interface Field {
  readonly name: string
  readonly required: boolean
  readonly type: TypeText
}

export interface Operation {
  readonly method: string
  readonly path: string
  readonly id: string
  readonly summary: string
  readonly parameters: ReadonlyArray<Field & { readonly in: string }>
  /** The type of the body; null: there is no body. */
  readonly body: TypeText | null
  readonly answers: ReadonlyArray<{ readonly status: number; readonly type: TypeText | null }>
  readonly problems: ReadonlyArray<number>
}

export interface Reference {
  readonly limits: ReadonlyArray<readonly [name: string, value: number]>
  readonly groups: ReadonlyArray<{ readonly name: string; readonly operations: ReadonlyArray<Operation> }>
  /** A schema without fields is an alias of a type. */
  readonly schemas: ReadonlyArray<{
    readonly name: string
    readonly fields: ReadonlyArray<Field>
    readonly type: TypeText
  }>
}

interface Written {
  readonly operationId: string
  readonly summary?: string
  readonly tags: ReadonlyArray<string>
  readonly parameters: ReadonlyArray<{
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly schema: Schema
  }>
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>

const nameOf = (reference: string): string => reference.split("/").at(-1) ?? ""

const words = (text: string): TypeText => [{ text, as: "words" }]
const code = (text: string): TypeText => [{ text, as: "code" }]

const textOf = (type: TypeText): string => JSON.stringify(type)

const joined = (types: ReadonlyArray<TypeText>, between: string): TypeText =>
  types.flatMap((type, index) => (index === 0 ? type : [...words(between), ...type]))

const typeOf = (schema: Schema | undefined): TypeText => {
  if (schema === undefined) return words("anything")
  if (typeof schema["$ref"] === "string") return [{ text: nameOf(schema["$ref"]), as: "schema" }]
  if ("const" in schema) return code(JSON.stringify(schema["const"]))
  if (Array.isArray(schema["enum"])) {
    return joined(
      schema["enum"].map((value) => code(JSON.stringify(value))),
      " or "
    )
  }
  const options = (schema["anyOf"] ?? schema["oneOf"]) as ReadonlyArray<Schema> | undefined
  if (options !== undefined) {
    return joined([...new Map(options.map(typeOf).map((type) => [textOf(type), type])).values()], " or ")
  }
  if (schema["type"] === "array") return [...words("list of "), ...typeOf(schema["items"] as Schema | undefined)]
  if (schema["type"] !== "object") return words(typeof schema["type"] === "string" ? schema["type"] : "anything")
  const fields = Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, Schema>>)
  if (fields.length === 0) return words("object")
  const named = fields.map(([name, field]) => [...words(`${name}: `), ...typeOf(field)])
  return [...words("{ "), ...joined(named, ", "), ...words(" }")]
}

const contentOf = (content: Content | undefined): TypeText =>
  joined(
    Object.entries(content ?? {}).map(([type, { schema }]) => (/[/+]json$/u.test(type) ? typeOf(schema) : code(type))),
    " or "
  )

const operationOf = (method: string, path: string, written: Written): Operation => {
  const { operationId: id, parameters, requestBody, responses, summary = id } = written
  const statuses = Object.keys(responses).map(Number)
  return {
    method: method.toUpperCase(),
    path,
    id,
    summary,
    parameters: parameters.map(({ in: place, name, required, schema }) => ({
      in: place,
      name,
      required,
      type: typeOf(schema)
    })),
    body: requestBody === undefined ? null : contentOf(requestBody.content),
    answers: statuses
      .filter((status) => status < 400)
      .map((status) => {
        const content = responses[String(status)]?.content
        return { status, type: content === undefined ? null : contentOf(content) }
      }),
    problems: statuses.filter((status) => status >= 400)
  }
}

const schemaOf = ([name, schema]: readonly [string, Schema]) => {
  const required = new Set((schema["required"] ?? []) as ReadonlyArray<string>)
  const fields = Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, Schema>>).map(
    ([field, type]) => ({ name: field, required: required.has(field), type: typeOf(type) })
  )
  return { name, fields, type: typeOf(schema) }
}

export const make = (): Reference => {
  const { components, paths, tags } = OpenApi.fromApi(Api.Api)
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Readonly<Record<string, Written>>).map(([method, written]) => ({
      tags: written.tags,
      operation: operationOf(method, path, written)
    }))
  )
  return {
    limits: Object.entries(limits),
    groups: tags.map(({ name }) => ({
      name,
      operations: operations.filter(({ tags }) => tags.includes(name)).map(({ operation }) => operation)
    })),
    schemas: Object.entries(components.schemas as Readonly<Record<string, Schema>>)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(schemaOf)
  }
}
