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

/** The keys that mean the same in the files of other agents. Their models have other names. */
const sharedKeys = ["description", "argument-hint"] as const

/**
 * Returns the command, or a sentence about the first fault of the file. Of a file for another agent, the other keys are
 * left out: none of them gives a command more rights here.
 */
export const read = (
  text: string,
  { isOfOtherAgent = false }: { readonly isOfOtherAgent?: boolean } = {}
): CommandDefinition | string => {
  const matter = text.startsWith("---") ? FrontMatter.readMatter(text) : { facts: new Map(), body: text.trim() }
  if (typeof matter === "string") return matter
  const { body } = matter
  const facts = isOfOtherAgent ? shared(matter.facts) : matter.facts
  const decoded = decode(Object.fromEntries(facts))
  if (Result.isFailure(decoded)) return faultOf(formatter(decoded.failure.issue).issues[0])
  if (body === "") return "it is empty"
  const { "argument-hint": argumentHint = "", description = firstLine(body), model = null } = decoded.success
  return { argumentHint, body, description, model }
}

/** Returns the keys that all agents share. A hint such as `[path]` is a list in YAML: it is shown as it was written. */
const shared = (facts: ReadonlyMap<unknown, unknown>): ReadonlyMap<string, string> =>
  new Map(
    sharedKeys.flatMap((key) => {
      const value = facts.get(key)
      if (Array.isArray(value)) return [[key, `[${value.join(", ")}]`] as const]
      return typeof value === "string" && value.trim() !== "" ? [[key, value] as const] : []
    })
  )

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
