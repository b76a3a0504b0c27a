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
  readonly body: { readonly type: TypeText; readonly required: boolean } | null
  readonly answers: ReadonlyArray<{ readonly status: number; readonly type: TypeText | null }>
  readonly problems: ReadonlyArray<number>
}

export interface Reference {
  readonly limits: ReadonlyArray<readonly [name: string, value: number]>
  readonly groups: ReadonlyArray<{ readonly name: string; readonly operations: ReadonlyArray<Operation> }>
  /** A schema without fields is a union or an alias. */
  readonly schemas: ReadonlyArray<{
    readonly name: string
    readonly fields: ReadonlyArray<Field>
    readonly options: ReadonlyArray<TypeText>
    readonly type: TypeText
  }>
}

interface OperationObject {
  readonly operationId: string
  readonly summary?: string
  readonly tags: ReadonlyArray<string>
  readonly parameters: ReadonlyArray<{
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly schema: Schema
  }>
  readonly requestBody?: { readonly content: Content; readonly required: boolean }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>

const nameOf = (reference: string): string => reference.split("/").at(-1) ?? ""

const words = (text: string): TypeText => [{ text, as: "words" }]
const code = (text: string): TypeText => [{ text, as: "code" }]

const textOf = (type: TypeText): string => JSON.stringify(type)

const lengthOf = (type: TypeText): number => type.reduce((length, { text }) => length + text.length, 0)

const joinTypes = (types: ReadonlyArray<TypeText>, between: string): TypeText =>
  types.flatMap((type, index) => (index === 0 ? type : [...words(between), ...type]))

const optionsOf = (schema: Schema): ReadonlyArray<Schema> | null =>
  ((schema["anyOf"] ?? schema["oneOf"]) as ReadonlyArray<Schema> | undefined) ?? null

const fieldsOf = (schema: Schema): ReadonlyArray<readonly [string, Schema]> =>
  Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, Schema>>)

const requiredOf = (schema: Schema): ReadonlySet<string> => new Set((schema["required"] ?? []) as ReadonlyArray<string>)

/** Returns the tag of a member of a tagged union; null: it is not a member of one. */
const tagOf = (schema: Schema): string | null => {
  const tag = (schema["properties"] as Readonly<Record<string, Schema>> | undefined)?.["_tag"]
  const value: unknown = Array.isArray(tag?.["enum"]) ? tag["enum"][0] : tag?.["const"]
  return typeof value === "string" ? value : null
}

/** The number of characters beyond which a nested type gets a name and a section of its own. */
const maxInline = 120

/** Returns the name of a nested type; null: it is written inline. */
type Lift = (schema: Schema, type: TypeText, hint: string) => string | null

/** `hint` is a name for the type, if it gets one. */
const typeOf = (schema: Schema | undefined, hint: string, lift: Lift): TypeText => {
  const type = wholeType(schema, hint, lift)
  const isLong = schema !== undefined && lengthOf(type) > maxInline && !Array.isArray(schema["enum"])
  const name = isLong && schema["type"] !== "array" ? lift(schema, type, hint) : null
  return name === null ? type : [{ text: name, as: "schema" }]
}

/** Describes the type without giving the type itself a name. */
const wholeType = (schema: Schema | undefined, hint: string, lift: Lift): TypeText => {
  if (schema === undefined) return words("anything")
  if (typeof schema["$ref"] === "string") return [{ text: nameOf(schema["$ref"]), as: "schema" }]
  if ("const" in schema) return code(JSON.stringify(schema["const"]))
  if (Array.isArray(schema["enum"])) {
    return joinTypes(
      schema["enum"].map((value) => code(JSON.stringify(value))),
      " or "
    )
  }
  const options = optionsOf(schema)
  if (options !== null) {
    const types = options.map((option) => typeOf(option, `${hint}${tagOf(option) ?? ""}`, lift))
    return joinTypes([...new Map(types.map((type) => [textOf(type), type])).values()], " or ")
  }
  if (schema["type"] === "array") {
    return [...words("list of "), ...typeOf(schema["items"] as Schema | undefined, hint.replace(/s$/u, ""), lift)]
  }
  if (schema["type"] !== "object") return words(typeof schema["type"] === "string" ? schema["type"] : "anything")
  const fields = fieldsOf(schema)
  if (fields.length === 0) return words("object")
  const required = requiredOf(schema)
  const named = fields.map(([name, field]) => [
    ...words(`${name}${required.has(name) ? "" : "?"}: `),
    ...typeOf(field, capitalise(name), lift)
  ])
  return [...words("{ "), ...joinTypes(named, ", "), ...words(" }")]
}

const capitalise = (name: string): string => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`

const contentOf = (content: Content | undefined, lift: Lift): TypeText =>
  joinTypes(
    Object.entries(content ?? {}).map(([type, { schema }]) =>
      // The body of a request or response is written inline at its operation even if it is long; its parts may be
      // links.
      /[/+]json$/u.test(type) ? wholeType(schema, "", lift) : code(type)
    ),
    " or "
  )

const operationOf = (method: string, path: string, { lift, written }: ListedOperation): Operation => {
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
      type: wholeType(schema, "", lift)
    })),
    body:
      requestBody === undefined ? null : { type: contentOf(requestBody.content, lift), required: requestBody.required },
    answers: statuses
      .filter((status) => status < 400)
      .map((status) => {
        const content = responses[String(status)]?.content
        return { status, type: content === undefined ? null : contentOf(content, lift) }
      }),
    problems: statuses.filter((status) => status >= 400)
  }
}

interface ListedOperation {
  readonly written: OperationObject
  readonly lift: Lift
}

type NamedSchema = Reference["schemas"][number]

const schemaOf = (name: string, schema: Schema, lift: Lift): NamedSchema => {
  const required = requiredOf(schema)
  const fields = fieldsOf(schema).map(([field, type]) => ({
    name: field,
    required: required.has(field),
    type: typeOf(type, capitalise(field), lift)
  }))
  const options = (optionsOf(schema) ?? []).map((option) => typeOf(option, `${name}${tagOf(option) ?? ""}`, lift))
  return { name, fields, options, type: wholeType(schema, name, lift) }
}

/** The named schemas, including nested types that get a name because of their length. */
const makeSchemas = (components: Readonly<Record<string, Schema>>) => {
  const named = new Map(Object.entries(components))
  const names = new Map(Array.from(named, ([name, schema]) => [JSON.stringify(schema), name] as const))
  const schemas: Array<NamedSchema> = []
  const within =
    (parent: string): Lift =>
    (schema, _type, hint) => {
      const structure = JSON.stringify(schema)
      const known = names.get(structure)
      if (known !== undefined) return known
      const name = [hint, `${parent}${hint}`].find((each) => each !== "" && !named.has(each))
      if (name === undefined) return null
      named.set(name, schema)
      names.set(structure, name)
      return name
    }
  let done = 0
  /** Describes the schemas that were named in the meantime. */
  const describe = (): void => {
    // Describing a schema may name others.
    for (let next = [...named][done]; next !== undefined; next = [...named][done]) {
      done += 1
      schemas.push(schemaOf(next[0], next[1], within(next[0])))
    }
  }
  return { describe, lift: within(""), schemas }
}

export const make = (): Reference => {
  const { components, paths, tags } = OpenApi.fromApi(Api.Api)
  const { describe, lift, schemas } = makeSchemas(components.schemas)
  describe()
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Readonly<Record<string, OperationObject>>).map(([method, written]) => ({
      tags: written.tags,
      operation: operationOf(method, path, { lift, written })
    }))
  )
  describe()
  return {
    limits: Object.entries(limits),
    groups: tags.map(({ name }) => ({
      name,
      operations: operations.filter(({ tags }) => tags.includes(name)).map(({ operation }) => operation)
    })),
    schemas: schemas.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  }
}
