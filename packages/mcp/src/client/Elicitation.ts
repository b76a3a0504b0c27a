/** A server's request for user input: validated within bounds, shown to the user, and answered. */
import type { ElicitRequest, ElicitResult } from "@modelcontextprotocol/sdk/types.js"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type * as Form from "../Form.ts"
import * as Definition from "./Definition.ts"

type Json = Readonly<Record<string, unknown>>

const maxFields = 20
const maxChoices = 100
const maxMessage = 4000
const maxUrl = 2000
const maxLabel = 300
const maxName = 200

const line = (text: unknown): string =>
  typeof text === "string" ? Definition.plainText(text).replaceAll("\n", " ").slice(0, maxLabel).toWellFormed() : ""

const number = (value: unknown): number | null => (typeof value === "number" && Number.isFinite(value) ? value : null)

const texts = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : []

/** Reads the parameters of `elicitation/create`; returns the reason if they cannot be shown. */
export const read = (server: string, params: ElicitRequest["params"]): Form.Request | string => {
  const message = Definition.plainText(params.message).slice(0, maxMessage).toWellFormed()
  if (params.mode === "url") {
    const url = URL.parse(params.url)
    const isPage = url !== null && /^https?:$/u.test(url.protocol) && url.href.length <= maxUrl
    return isPage ? { _tag: "Page", server, message, url: url.href } : "its page is not an http or https address"
  }
  const { properties, required = [] } = params.requestedSchema
  const entries = Object.entries(properties)
  if (entries.length > maxFields) return `it asks for ${entries.length} fields`
  const fields = entries.map(([name, schema]) => fieldOf(name, schema, required.includes(name)))
  const known = fields.flatMap((field) => field ?? [])
  if (known.length < fields.length) return "it asks for a field of a kind that cannot be shown"
  const asksSecret = known.some(({ description, name, title }) => secretWords.test(`${name} ${title} ${description}`))
  return { _tag: "Form", server, message, fields: known, asksSecret: asksSecret || secretWords.test(message) }
}

/** Words for secrets, which a form must not ask for. */
const secretWords =
  /pass(?:word|phrase|code)|(?:^|[^a-z])(?:pin|cvv|cvc|otp|2fa)(?:[^a-z]|$)|secret|token|api[\s_-]?key|private[\s_-]?key|credential|card[\s_-]?number/iu

const fieldOf = (name: string, schema: unknown, isRequired: boolean): Form.Field | null => {
  if (!Predicate.isReadonlyObject(schema) || name === "" || name.length > maxName) return null
  const described = {
    name,
    title: line(schema["title"]) || line(name),
    description: line(schema["description"]),
    isRequired
  }
  const { default: initial, type } = schema
  const choices = choicesOf(schema)
  if (choices !== null) {
    return choices.length > 0 && choices.length <= maxChoices
      ? { ...described, _tag: "One", choices, initial: typeof initial === "string" ? initial : null }
      : null
  }
  switch (type) {
    case "string":
      return { ...described, ...textOf(schema) }
    case "number":
    case "integer":
      return {
        ...described,
        _tag: "Number",
        isInteger: type === "integer",
        minimum: number(schema["minimum"]),
        maximum: number(schema["maximum"]),
        initial: number(initial)
      }
    case "boolean":
      return { ...described, _tag: "Boolean", initial: typeof initial === "boolean" ? initial : null }
    case "array":
      return manyOf(described, schema)
    default:
      return null
  }
}

const maxText = 10_000

const textOf = ({ default: initial, format, maxLength, minLength }: Json) =>
  ({
    _tag: "Text",
    minLength: number(minLength) ?? 0,
    maxLength: Math.min(number(maxLength) ?? maxText, maxText),
    format: format === "email" || format === "uri" || format === "date" || format === "date-time" ? format : null,
    initial: typeof initial === "string" ? initial : null
  }) as const

const manyOf = (described: Pick<Form.Field, "description" | "isRequired" | "name" | "title">, schema: Json) => {
  const choices = Predicate.isReadonlyObject(schema["items"]) ? choicesOf(schema["items"]) : null
  if (choices === null || choices.length === 0 || choices.length > maxChoices) return null
  return {
    ...described,
    _tag: "Many",
    choices,
    minItems: number(schema["minItems"]) ?? 0,
    maxItems: number(schema["maxItems"]) ?? choices.length,
    initial: Array.isArray(schema["default"]) ? texts(schema["default"]) : null
  } as const
}

/** Returns the choices of a field; null: the schema has none. */
const choicesOf = (schema: Json): ReadonlyArray<Form.Choice> | null => {
  const titled = schema["oneOf"] ?? schema["anyOf"]
  if (Array.isArray(titled)) {
    return titled.flatMap((one) =>
      Predicate.isReadonlyObject(one) && typeof one["const"] === "string"
        ? [{ value: one["const"], title: line(one["title"]) || line(one["const"]) }]
        : []
    )
  }
  if (!Array.isArray(schema["enum"])) return null
  const names = texts(schema["enumNames"])
  return texts(schema["enum"]).map((value, index) => ({ value, title: line(names[index] ?? value) || line(value) }))
}

export interface ElicitationOptions {
  readonly server: string
  /** Shows a request to the user; null: no user is present. */
  readonly ask: ((request: Form.Request) => Effect.Effect<Form.Reply>) | null
  /**
   * The number of running calls, since a server has no reason to ask at other times, and of the requests that were shown
   * since no call was running.
   */
  readonly calls: { readonly running: number; asked: number }
  readonly onNotice: (sentence: string) => void
}

/** The maximum number of requests that a user sees while calls of a server run. */
const maxRequests = 20

/** Answers the requests of one connection; while a request is shown to the user, further ones are declined. */
export const answerElicitations = ({ ask, calls, onNotice, server }: ElicitationOptions) => {
  let isAsking = false
  const decline = (reason: string): ElicitResult => {
    onNotice(`MCP server ${server} asked for input, which was declined: ${reason}`)
    return { action: "decline" }
  }
  return (params: ElicitRequest["params"]): Effect.Effect<ElicitResult> =>
    Effect.suspend(() => {
      const request = read(server, params)
      if (typeof request === "string") return Effect.succeed(decline(request))
      if (ask === null) return Effect.succeed(decline("no user can be asked here"))
      if (calls.running === 0) return Effect.succeed(decline("no call of it runs"))
      if (isAsking) return Effect.succeed(decline("another request of it is open"))
      if (calls.asked >= maxRequests) return Effect.succeed(decline("it asked too often during its call"))
      isAsking = true
      calls.asked += 1
      return ask(request).pipe(
        Effect.map((answer) => toResult(request, answer)),
        Effect.ensuring(
          Effect.sync(() => {
            isAsking = false
          })
        )
      )
    })
}

const toResult = (request: Form.Request, answer: Form.Reply): ElicitResult => {
  switch (answer._tag) {
    case "Accepted":
      return {
        action: "accept",
        ...(request._tag === "Page" ? {} : { content: { ...answer.values } as NonNullable<ElicitResult["content"]> })
      }
    case "Declined":
      return { action: "decline" }
    case "Cancelled":
      return { action: "cancel" }
  }
}
