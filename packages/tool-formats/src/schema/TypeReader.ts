/** Converts a TypeScript type in the form of `SchemaType.typeText` back to JSON Schema. */
import * as Result from "effect/Result"
import { nodeOf, typesOf } from "../internal/nodes.ts"
import type { JsonSchema } from "../ToolMessage.ts"

/** The schema, and the text after the type; a failure is a sentence. */
export type ReadType = Result.Result<{ readonly schema: JsonSchema; readonly rest: string }, string>

const maxDepth = 64

export const readType = (text: string, depth = 0): ReadType => {
  if (depth > maxDepth) return Result.fail(`a type is nested deeper than ${maxDepth} levels`)
  const members: Array<JsonSchema> = []
  let rest = text
  do {
    const member = postfix(members.length === 0 ? rest : rest.trimStart().slice(1), depth)
    if (Result.isFailure(member)) return member
    members.push(member.success.schema)
    rest = member.success.rest
  } while (rest.trimStart().startsWith("|"))
  return Result.succeed({ schema: union(members), rest })
}

const postfix = (text: string, depth: number): ReadType =>
  Result.map(primary(text.trimStart(), depth), (read) => {
    let { rest, schema } = read
    while (rest.startsWith("[]")) {
      schema = Object.keys(schema).length === 0 ? { type: "array" } : { type: "array", items: schema }
      rest = rest.slice(2)
    }
    return { schema, rest }
  })

const literal = /^(?:"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true\b|false\b|null\b)/u

const primary = (text: string, depth: number): ReadType => {
  if (text.startsWith("{")) return object(text.slice(1), depth + 1)
  if (text.startsWith("(")) {
    return Result.flatMap(readType(text.slice(1), depth + 1), ({ rest, schema }) =>
      rest.startsWith(")") ? Result.succeed({ schema, rest: rest.slice(1) }) : expectedFailure(")", rest)
    )
  }
  const word = /^(?:string|number|boolean|any|object)\b/u.exec(text)?.[0]
  if (word !== undefined) {
    return Result.succeed({ schema: word === "any" ? {} : { type: word }, rest: text.slice(word.length) })
  }
  const value = literal.exec(text)?.[0]
  if (value === undefined) return expectedFailure("a type", text)
  return Result.map(parseJson(value), (constant) => ({
    schema: constant === null ? { type: "null" } : { const: constant },
    rest: text.slice(value.length)
  }))
}

const parseJson = (text: string): Result.Result<unknown, string> =>
  Result.mapError(
    Result.try((): unknown => JSON.parse(text)),
    () => `${text.slice(0, 40)} is not a literal`
  )

const expectedFailure = (expectation: string, text: string): Result.Result<never, string> =>
  Result.fail(`expected ${expectation} before ${JSON.stringify(text.slice(0, 40))}`)

/** Converts a union: literals become one `enum`, plain types one `type`. */
const union = (members: ReadonlyArray<JsonSchema>): JsonSchema => {
  if (members.length === 1) return "const" in members[0] ? enumOf([members[0]["const"]]) : members[0]
  const isNull = (member: JsonSchema) => member["type"] === "null"
  const isPlain = (member: JsonSchema) => typesOf(member).length > 0 && Object.keys(member).length === 1
  if (members.some((member) => "const" in member) && members.every((member) => "const" in member || isNull(member))) {
    return enumOf(members.map((member) => (isNull(member) ? null : member["const"])))
  }
  if (members.every(isPlain)) return { type: members.flatMap(typesOf) }
  const literals = members.filter((member) => "const" in member).map((member) => member["const"])
  const others = members.filter((member) => !("const" in member))
  return { anyOf: literals.length === 0 ? others : [...others, enumOf(literals)] }
}

const enumOf = (values: ReadonlyArray<unknown>): JsonSchema =>
  values.every((value) => typeof value === "string") ? { type: "string", enum: values } : { enum: values }

interface Member {
  readonly name: string | null
  readonly schema: JsonSchema
  readonly isRequired: boolean
}

const object = (text: string, depth: number): ReadType => {
  const members: Array<Member> = []
  let rest = text
  for (;;) {
    const { after, description } = commentOf(rest)
    if (after.startsWith("}")) return Result.succeed({ schema: objectOf(members), rest: after.slice(1) })
    const member = property(after, depth)
    if (Result.isFailure(member)) return member
    const { schema } = member.success
    members.push({ ...member.success, schema: description === null ? schema : { ...schema, description } })
    rest = member.success.rest
  }
}

const property = (text: string, depth: number): Result.Result<Member & { readonly rest: string }, string> => {
  const open = /^\[key: string\]:/u.exec(text)?.[0]
  const key = /^(?:[A-Za-z_$][\w$]*|"(?:[^"\\]|\\.)*")/u.exec(text)?.[0]
  if (open === undefined && key === undefined) return expectedFailure("an argument", text)
  const [mark] = open === undefined ? (/^\??:/u.exec(text.slice(key?.length)) ?? [null]) : [""]
  if (mark === null) return expectedFailure(":", text.slice(key?.length))
  const name = key === undefined ? Result.succeed(null) : key.startsWith('"') ? parseJson(key) : Result.succeed(key)
  return Result.flatMap(name, (named) =>
    Result.flatMap(readType(text.slice((open ?? key ?? "").length + mark.length), depth), ({ rest, schema }) => {
      const end = /^,?(?: \/\/ default: (.*))?(?:\n|$)?/u.exec(rest) ?? [""]
      const withDefault = end[1] === undefined ? schema : { ...schema, default: defaultOf(end[1], schema) }
      return Result.succeed({
        name: named as string | null,
        schema: withDefault,
        isRequired: mark === ":",
        rest: rest.slice(end[0].length)
      })
    })
  )
}

/** Reads a default: a text is unquoted, unless it has several lines. */
const defaultOf = (text: string, schema: JsonSchema): unknown => {
  const value = Result.getOrElse(parseJson(text), () => text)
  const isText = typesOf(schema).includes("string") && !typesOf(schema).includes("number")
  return isText && !(typeof value === "string" && /[\r\n]/u.test(value)) && !(value === null) ? text : value
}

const commentOf = (text: string): { readonly description: string | null; readonly after: string } => {
  const lines: Array<string> = []
  let after = text.trimStart()
  for (let line = /^\/\/ ?(.*)\n?/u.exec(after); line !== null; line = /^\/\/ ?(.*)\n?/u.exec(after)) {
    lines.push(line[1])
    after = after.slice(line[0].length).trimStart()
  }
  return { description: lines.length === 0 ? null : lines.join("\n"), after }
}

const objectOf = (members: ReadonlyArray<Member>): JsonSchema => {
  const named = members.filter(({ name }) => name !== null)
  const others = members.find(({ name }) => name === null)
  const required = named.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  if (members.length === 0) return { type: "object", properties: {}, additionalProperties: false }
  return {
    type: "object",
    ...(named.length === 0 ? {} : { properties: Object.fromEntries(named.map(({ name, schema }) => [name, schema])) }),
    ...(required.length === 0 ? {} : { required }),
    ...(others === undefined ? {} : { additionalProperties: nodeOf(others.schema) })
  }
}
