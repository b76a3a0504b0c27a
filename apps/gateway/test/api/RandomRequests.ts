/**
 * Requests of every operation of the OpenAPI document: valid ones, and ones with mistakes in parts, types, sizes, ids
 * and encodings.
 */
import { tar } from "../archives.ts"
import { document, type Json, type JsonSchema, type Operation, operations, type Parameter } from "./Document.ts"
import * as FromSchema from "./FromSchema.ts"
import * as Random from "./Random.ts"

export interface RandomRequest {
  readonly operation: Operation
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer> | null
  /** The parameters of its path, by name. */
  readonly ids: Readonly<Record<string, string>>
}

/** Parameters of paths that name one resource together, such as a session and an attachment of it. */
export interface KnownThing {
  readonly ids: Readonly<Record<string, string>>
  /** True if no request may delete it. */
  readonly isKept: boolean
}

/** Values learned from earlier answers; it grows while requests are made. */
export interface KnownValues {
  /** The newest first. */
  readonly things: ReadonlyArray<KnownThing>
  /** Values by the name of a field or a parameter, or by that of an operation and a parameter. */
  readonly values: Readonly<Record<string, ReadonlyArray<string>>>
}

const resolve = (reference: string): JsonSchema => {
  const name = reference.split("/").at(-1) ?? ""
  return (document.components.schemas as Readonly<Record<string, JsonSchema>>)[name] ?? {}
}

/** An upload from which a workspace can be made. */
const archive = tar([{ name: "notes.txt", content: "The lake is deep." }])

const contentTypes = [
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/json; charset=utf-16",
  "application/octet-stream",
  "application/problem+json",
  "application/json;",
  "json"
]

/** Characters that a header may contain: no client sends any others. */
const headerText = (text: string): string =>
  text
    .replaceAll(/[^\x20-\x7e]/gu, "")
    .slice(0, 1_000)
    .trim()

/** An endless sequence of requests; the same seed gives the same requests. */
export function* make(seed: number, known: KnownValues): Generator<RandomRequest, never> {
  const random = Random.make(seed)
  const { fitting, spoiled } = FromSchema.make(resolve, random)

  const textOf = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value))

  /**
   * The ids of one resource that the path names; undefined if none is known. A deletion removes the resource itself,
   * not its parent.
   */
  const idsOf = ({ method, parameters }: Operation): Readonly<Record<string, string>> => {
    const names = parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name)
    const things = known.things.filter(
      ({ ids, isKept }) =>
        names.every((name) => name in ids) &&
        (method !== "DELETE" || (!isKept && Object.keys(ids).at(-1) === names.at(-1)))
    )
    return things.length === 0 || names.length === 0 ? {} : random.pick(things).ids
  }

  const valueOf = (operation: Operation, parameter: Parameter, isSpoiled: boolean): string => {
    if (isSpoiled) return random.chance(0.7) ? random.pick(FromSchema.strangeTexts) : textOf(spoiled("x"))
    const { in: place, name, schema } = parameter
    const values = known.values[`${operation.operationId}.${name}`] ?? known.values[name] ?? []
    if (values.length > 0 && random.chance(0.9)) return random.pick(values)
    // Numbers of a query are text without a pattern.
    return place === "query" && schema["type"] === "string" && random.chance(0.5)
      ? String(1 + random.int(9))
      : textOf(fitting(schema))
  }

  /** Makes the value with known values for fields of known names. */
  const withKnown = (value: Json): Json =>
    value === null || typeof value !== "object" || Array.isArray(value)
      ? value
      : Object.fromEntries(
          Object.entries(value).map(([name, field]) => {
            const values = known.values[name] ?? []
            return [
              name,
              typeof field === "string" && values.length > 0 && random.chance(0.8) ? random.pick(values) : field
            ]
          })
        )

  const bodyOf = ({ method, requestBody }: Operation, isSpoiled: boolean): Pick<RandomRequest, "body" | "headers"> => {
    const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
    if (type === undefined || content === undefined) {
      return isSpoiled && method !== "GET" && random.chance(0.3)
        ? { headers: { "content-type": "application/json" }, body: "{}" }
        : { headers: {}, body: null }
    }
    const headers = { "content-type": isSpoiled && random.chance(0.15) ? random.pick(contentTypes) : type }
    if (!/[/+]json/u.test(type)) {
      if (random.chance(0.5)) return { headers, body: new Uint8Array(archive) }
      return { headers, body: new Uint8Array(Array.from({ length: random.int(200) }, () => random.int(255))) }
    }
    const value = withKnown(fitting(content.schema ?? {}))
    if (!isSpoiled) return { headers, body: JSON.stringify(value) }
    const whole = JSON.stringify(spoiled(value))
    switch (random.int(9)) {
      case 0:
        return { headers, body: whole.slice(0, random.int(whole.length)) }
      case 1:
        return { headers, body: `${"[".repeat(2_000)}${"]".repeat(2_000)}` }
      case 2:
        return { headers, body: new Uint8Array([0xff, 0xfe, ...Buffer.from(whole)]) }
      case 3:
        return { headers: {}, body: null }
      case 4:
        return { headers, body: JSON.stringify({ padding: "x".repeat(random.chance(0.1) ? 9 * 2 ** 20 : 100_000) }) }
      default:
        return { headers, body: whole }
    }
  }

  while (true) {
    for (const operation of operations) {
      // Each part is valid more often than not: a request with a mistake everywhere is refused at the first.
      const isSpoiled = (): boolean => random.chance(0.25)
      const query: Array<string> = []
      const headers: Record<string, string> = {}
      let path = operation.path
      const found = idsOf(operation)
      const ids: Record<string, string> = {}
      for (const parameter of operation.parameters) {
        const { name } = parameter
        const isWrong = isSpoiled()
        const value =
          name in found && !isWrong && parameter.in === "path" ? found[name] : valueOf(operation, parameter, isWrong)
        if (parameter.in === "path") {
          ids[name] = value
          path = path.replace(`{${parameter.name}}`, () => encodeURIComponent(value.toWellFormed()) || "%20")
        } else if (parameter.required || random.chance(0.5)) {
          if (parameter.in === "query") query.push(`${parameter.name}=${encodeURIComponent(value.toWellFormed())}`)
          else headers[parameter.name] = headerText(value)
        }
      }
      if (random.chance(0.05))
        query.push(`${encodeURIComponent(random.pick(FromSchema.strangeTexts).toWellFormed())}=1`)
      const { body, headers: bodyHeaders } = bodyOf(operation, isSpoiled())
      yield {
        operation,
        path: query.length === 0 ? path : `${path}?${query.join("&")}`,
        headers: { ...headers, ...bodyHeaders },
        body,
        ids
      }
    }
  }
}
