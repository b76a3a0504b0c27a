/** Reads the file of an agent: its settings as front matter, and its instructions as the text after it. Pure. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as ConfigSchema from "../config/ConfigSchema.ts"
import * as FrontMatter from "../skills/FrontMatter.ts"

export type AgentDefinition = typeof ConfigSchema.AgentMatter.Type & { readonly instructions: string }

const decode = Schema.decodeUnknownResult(ConfigSchema.AgentMatter, { onExcessProperty: "error" })
const formatter = SchemaIssue.makeFormatterStandardSchemaV1()

/** Parses the file; returns a sentence about its first fault if it has one. */
export const read = (text: string): AgentDefinition | string => {
  const matter = FrontMatter.readMatter(text)
  if (typeof matter === "string") return matter
  const decoded = decode(toObject(matter.facts))
  if (Result.isSuccess(decoded)) return { ...decoded.success, instructions: matter.body }
  const [issue] = formatter(decoded.failure.issue).issues
  const path = (issue.path ?? []).map((part) => String(typeof part === "object" ? part.key : part))
  if (issue.message.startsWith("Expected no excess property")) {
    return FrontMatter.unknownKey(path, Object.keys(ConfigSchema.AgentMatter.fields))
  }
  return `its front matter: ${[...path, issue.message].join(": ")}`
}

/** Turns the maps of the parser into objects. */
const toObject = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(toObject)
  if (!(value instanceof Map)) return value
  return Object.fromEntries([...value].map(([key, item]) => [String(key), toObject(item)]))
}
