/** The OpenAPI document as a check of answers: their status, their media type and their schema. */
import { Api } from "@bough/gateway-api"
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import * as OpenApi from "effect/http-api/OpenApi"

export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }
export type JsonSchema = Readonly<Record<string, unknown>>

export interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header" | "cookie"
  readonly required: boolean
  readonly schema: JsonSchema
}

type Content = Readonly<Record<string, { readonly schema?: JsonSchema }>>

export interface Operation {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

/** The parts of an answer that the document describes. */
export interface ObservedAnswer {
  readonly status: number
  readonly contentType: string | null
  readonly text: string
}

export const document = OpenApi.fromApi(Api.Api)

export const operations: ReadonlyArray<Operation> = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods as Readonly<Record<string, Omit<Operation, "method" | "path">>>).map(
    ([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path
    })
  )
)

const root = "https://document.invalid/openapi.json"

let validator: Ajv2020 | null = null
const compiled = new Map<string, ValidateFunction>()

const escapePointer = (key: string): string => encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"))

/** Compiles the schema at that position in the document on first use. */
const validate = (place: ReadonlyArray<string>): ValidateFunction => {
  const pointer = place.map(escapePointer).join("/")
  const known = compiled.get(pointer)
  if (known !== undefined) return known
  if (validator === null) {
    validator = new Ajv2020({ strict: false, validateFormats: false, logger: false })
    validator.addSchema({ ...document, $id: root })
  }
  const made = validator.compile({ $ref: `${root}#/${pointer}` })
  compiled.set(pointer, made)
  return made
}

const matchers = operations
  .map((operation) => ({
    operation,
    // A path without parameters matches before one whose parameter would match its last part.
    parameters: operation.path.split("{").length,
    pattern: new RegExp(`^${operation.path.replaceAll(/[.]/gu, "\\.").replaceAll(/\{[^}]+\}/gu, "[^/]+")}/?$`, "u")
  }))
  .toSorted((a, b) => a.parameters - b.parameters)

/** Finds the operation of a request; null if the document has none. */
export const operationOf = (method: string, url: string): Operation | null => {
  const path = url.split(/[?#]/u, 1)[0]
  return matchers.find(({ operation, pattern }) => operation.method === method && pattern.test(path))?.operation ?? null
}

/** Describes how an answer departs from the document; null if it does not. */
export const departure = ({ method, path, responses }: Operation, answer: ObservedAnswer): string | null => {
  const found = responses[String(answer.status)]
  if (found === undefined) return `the status ${answer.status} is not documented`
  const type = (answer.contentType ?? "").split(";", 1)[0]?.trim() ?? ""
  const content = found.content ?? {}
  const types = Object.keys(content)
  if (types.length === 0) return answer.text === "" ? null : `the status ${answer.status} is documented without a body`
  const documented = types.find((one) => one === "*/*" || one.split(";", 1)[0]?.trim() === type)
  if (documented === undefined)
    return `the type ${type} is not documented for ${answer.status}, but ${types.join(", ")}`
  if (content[documented]?.schema === undefined) return null
  const schema = ["paths", path, method.toLowerCase(), "responses", `${answer.status}`, "content", documented, "schema"]
  if (type === "text/event-stream") return eventDeparture(validate(schema), answer.text)
  return /[/+]json$/u.test(type) ? bodyDeparture(validate(schema), answer.text) : null
}

const bodyDeparture = (check: ValidateFunction, text: string): string | null => {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return `the body is not JSON: ${text.slice(0, 200)}`
  }
  if (check(body)) return null
  const [first] = check.errors ?? []
  return `${first?.instancePath ?? ""} ${first?.message ?? ""} in ${text.slice(0, 500)}`
}

/** The schema of the JSON text that each event of a stream contains. */
const frame = ["components", "schemas", "Frame"]

/** Compares each whole event of a stream; its last one may be cut because the client left. */
const eventDeparture = (check: ValidateFunction, text: string): string | null => {
  for (const block of text.split("\n\n").slice(0, -1)) {
    const lines = block.split("\n").filter((line) => line !== "" && !line.startsWith(":"))
    const fields: Readonly<Record<string, string>> = Object.fromEntries(
      lines.map((line) => [line.split(":", 1)[0], line.slice(line.indexOf(":") + 1).trimStart()])
    )
    // Comments and reconnection times have no data, so they are not events.
    if (fields["data"] === undefined) continue
    const why =
      bodyDeparture(check, JSON.stringify({ event: "message", ...fields })) ??
      bodyDeparture(validate(frame), fields["data"])
    if (why !== null) return why
  }
  return null
}
