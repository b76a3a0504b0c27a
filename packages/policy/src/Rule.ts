/**
 * A rule over typed fields of a call, written by a user: `run_command argv=["npm","test"]`, `write_file path=src/`,
 * `deny delete_path`, `ask * path=deploy/`. No command line or message is parsed here: fields are compared with the
 * values that the tool was given.
 */
import * as Schema from "effect/Schema"
import { type Callers, toFields } from "./Callers.ts"

export type Effect = "allow" | "ask" | "deny"

export const isEffect = (word: string): word is Effect => word === "allow" || word === "ask" || word === "deny"

/** True if the text can be a tool's name in a rule. */
export const isToolName = (name: string): boolean => /^[\p{L}\p{N}_.:-]+$/u.test(name)

/** True if the text can be a field's name in a rule, with dots between its parts. */
export const isFieldName = (name: string): boolean => /^[\p{L}\p{N}_$-]+(?:\.[\p{L}\p{N}_$-]+)*$/u.test(name)

/** `name` is dotted if it names a member of an object: `options.recursive`. */
export interface Field {
  readonly name: string
  readonly value: Schema.Json
}

export interface Rule {
  readonly effect: Effect
  /** The name of a tool; "*" for any tool. */
  readonly tool: string
  /** The fields, all of which must match. Empty: every call of the tool matches. */
  readonly fields: ReadonlyArray<Field>
  /** Absent: the rule applies to the calls of every session. */
  readonly callers?: Callers
  /** The absolute folder from which relative paths of the rule count. Absent: the workspace root of the call. */
  readonly folder?: string
  /** The original text, for users and receipts. */
  readonly text: string
}

/** The rule differs from its author's intent. `message` is one sentence for the author. */
export class RuleInvalid extends Schema.TaggedError<RuleInvalid>()("RuleInvalid", {
  rule: Schema.String,
  message: Schema.String
}) {}

/** Parameter names by tool, including dotted names of nested objects. */
export type KnownFields = ReadonlyMap<string, ReadonlyArray<string>>

/** Makes a rule whose text is derived from its parts. */
export const make = (effect: Effect, tool: string, fields: ReadonlyArray<Field>): Rule => {
  const rule = { effect, tool, fields }
  return { ...rule, text: print(rule) }
}

/** Returns the rule restricted to these callers; undefined: the rule is not restricted. */
export const forCallers = (rule: Rule, callers: Callers | undefined): Rule => {
  if (callers === undefined) return rule
  const narrowed = { ...rule, callers }
  return { ...narrowed, text: print(narrowed) }
}

/** Returns the shortest spelling that `RuleText.parse` reads back as the same rule. */
export const print = (rule: Omit<Rule, "text">): string =>
  [
    ...(rule.effect === "allow" && !isEffect(rule.tool) ? [] : [rule.effect]),
    rule.tool,
    ...[...rule.fields, ...(rule.callers === undefined ? [] : toFields(rule.callers))].map(
      ({ name, value }) => `${name}=${printValue(value)}`
    )
  ].join(" ")

const printValue = (value: Schema.Json): string =>
  typeof value === "string" && isBareWord(value) ? value : JSON.stringify(value)

/** True for a word that cannot be mistaken for JSON and needs no quotes. */
const isBareWord = (text: string): boolean =>
  /^[\p{L}\p{N}_./:@+~^%*?-]+$/u.test(text) && !/^(?:-?\d|true$|false$|null$)/u.test(text)
