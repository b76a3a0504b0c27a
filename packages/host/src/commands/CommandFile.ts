/** Parses the file of a user-defined command: optional front matter, and the text after it. Pure. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as FrontMatter from "../skills/FrontMatter.ts"

const Matter = Schema.Struct({
  description: Schema.optionalKey(Schema.NonEmptyString),
  "argument-hint": Schema.optionalKey(Schema.String),
  model: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(/^[a-z0-9-]+\/\S+$/u, { expected: "a model as provider/model" }))
  )
})

export interface CommandDefinition {
  readonly description: string
  readonly argumentHint: string
  /** The model as `provider/model`; null: the model of the session. */
  readonly model: string | null
  readonly body: string
}

const decode = Schema.decodeUnknownResult(Matter, { onExcessProperty: "error" })
const formatter = SchemaIssue.makeFormatterStandardSchemaV1()

const maxDescription = 120

/** Returns the command, or a sentence about the first fault of the file. */
export const read = (text: string): CommandDefinition | string => {
  const matter = text.startsWith("---") ? FrontMatter.readMatter(text) : { facts: new Map(), body: text.trim() }
  if (typeof matter === "string") return matter
  const { body, facts } = matter
  const decoded = decode(Object.fromEntries(facts))
  if (Result.isFailure(decoded)) return faultOf(formatter(decoded.failure.issue).issues[0])
  if (body === "") return "it is empty"
  const { "argument-hint": argumentHint = "", description = firstLine(body), model = null } = decoded.success
  return { argumentHint, body, description, model }
}

interface Fault {
  readonly message: string
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
}

const faultOf = ({ message, path = [] }: Fault): string => {
  const keys = path.map((part) => String(typeof part === "object" ? part.key : part))
  return message.startsWith("Expected no excess property")
    ? FrontMatter.unknownKey(keys, Object.keys(Matter.fields))
    : `its front matter: ${keys.join(".")}: ${message}`
}

const firstLine = (body: string): string => {
  const [line = ""] = body.split("\n")
  const text = line.replace(/^#+\s*/u, "").trim()
  return text.length <= maxDescription ? text : `${text.slice(0, maxDescription - 1).toWellFormed()}…`
}
