/** Requests of every operation of the document: as it says, and with mistakes in parts, types, sizes, ids and encodings. */
import { document, type Json, type JsonSchema, type Operation, operations, type Parameter } from "./Document.ts"
import * as FromSchema from "./FromSchema.ts"
import * as Random from "./Random.ts"

export interface RandomRequest {
  readonly operation: Operation
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer> | null
}

/** Ids that exist, by the name of the parameter that takes them. */
export type KnownIds = Readonly<Record<string, ReadonlyArray<string>>>

const resolve = (reference: string): JsonSchema => {
  const name = reference.split("/").at(-1) ?? ""
  return (document.components.schemas as Readonly<Record<string, JsonSchema>>)[name] ?? {}
}

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

/** What a header may hold: everything else never leaves a client. */
const headerText = (text: string): string =>
  text
    .replaceAll(/[^\x20-\x7e]/gu, "")
    .slice(0, 1_000)
    .trim()

/** Requests without end; the same seed gives the same ones. */
export function* make(seed: number, known: KnownIds): Generator<RandomRequest, never> {
  const random = Random.make(seed)
  const { fitting, spoiled } = FromSchema.make(resolve, random)

  const textOf = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value))

  const valueOf = (method: string, parameter: Parameter, isSpoiled: boolean): string => {
    const all = known[parameter.name] ?? []
    const ids = method === "DELETE" ? all.slice(0, 1) : all
    if (isSpoiled) return random.chance(0.7) ? random.pick(FromSchema.strangeTexts) : textOf(spoiled("x"))
    return ids.length > 0 && random.chance(0.9) ? random.pick(ids) : textOf(fitting(parameter.schema))
  }

  const bodyOf = ({ method, requestBody }: Operation, isSpoiled: boolean): Pick<RandomRequest, "body" | "headers"> => {
    const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
    if (type === undefined || content === undefined) {
      return isSpoiled && method !== "GET" && random.chance(0.3)
        ? { headers: { "content-type": "application/json" }, body: "{}" }
        : { headers: {}, body: null }
    }
    const headers = { "content-type": isSpoiled && random.chance(0.15) ? random.pick(contentTypes) : type }
    if (!/[/+]json/u.test(type)) {
      return { headers, body: new Uint8Array(Array.from({ length: random.int(200) }, () => random.int(255))) }
    }
    const value = fitting(content.schema ?? {})
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
      // Each part is right more often than not: a request with a mistake everywhere is refused at the first.
      const isSpoiled = (): boolean => random.chance(0.25)
      const query: Array<string> = []
      const headers: Record<string, string> = {}
      let path = operation.path
      for (const parameter of operation.parameters) {
        const value = valueOf(operation.method, parameter, isSpoiled())
        if (parameter.in === "path") {
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
        body
      }
    }
  }
}
