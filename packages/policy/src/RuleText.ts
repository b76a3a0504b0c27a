/** Reads a rule's text: `[allow|ask|deny] TOOL [FIELD=VALUE]…`, where a value is JSON or a bare word. */
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import { hostField, isHost } from "./HostRule.ts"
import { isPathField, segmentsOf } from "./PathRule.ts"
import { type Field, isEffect, isFieldName, isToolName, type KnownFields, type Rule, RuleInvalid } from "./Rule.ts"

type Parsed<A> = Result.Result<A, RuleInvalid>

/** The text as a rule; its tool and fields are not looked up. */
export const parse = (text: string): Parsed<Rule> => {
  const source = text.trim()
  const [first, afterFirst] = word(source)
  const [tool, afterTool] = isEffect(first) ? word(afterFirst) : [first, afterFirst]
  if (tool === "") return invalid(source, isEffect(first) ? `names no tool after "${first}"` : "is empty")
  if (tool !== "*" && !isToolName(tool)) return invalid(source, `names "${tool}", which cannot be a tool's name`)
  return Result.map(parseFields(source, afterTool), (fields) => ({
    effect: isEffect(first) ? first : "allow",
    tool,
    fields,
    text: source
  }))
}

/** The rule, if its tool and fields exist: a rule that can never match is a mistake. */
export const check = (rule: Rule, known: KnownFields): Parsed<Rule> => {
  const fields = known.get(rule.tool)
  if (rule.tool !== "*" && fields === undefined) {
    return invalid(rule.text, `names the tool "${rule.tool}", which does not exist; there are ${list(known.keys())}`)
  }
  const names = new Set(fields ?? [...known.values()].flat())
  const unknown = rule.fields.find(({ name }) => !names.has(name))
  if (unknown === undefined) return Result.succeed(rule)
  const whose = rule.tool === "*" ? "no tool has" : `${rule.tool} does not have`
  return invalid(rule.text, `names the field "${unknown.name}", which ${whose}; there are ${list(names)}`)
}

/** `parse`, then `check`. */
export const read = (text: string, known: KnownFields): Parsed<Rule> =>
  Result.flatMap(parse(text), (rule) => check(rule, known))

const invalid = (rule: string, what: string): Parsed<never> =>
  Result.fail(new RuleInvalid({ rule, message: `the rule ${JSON.stringify(rule)} ${what}` }))

const list = (names: Iterable<string>): string => [...names].toSorted().join(", ") || "none"

/** The first word and what follows it. */
const word = (text: string): readonly [string, string] => {
  const trimmed = text.trimStart()
  const end = trimmed.search(/\s/u)
  return end === -1 ? [trimmed, ""] : [trimmed.slice(0, end), trimmed.slice(end)]
}

const parseFields = (source: string, text: string): Parsed<ReadonlyArray<Field>> => {
  const fields: Array<Field> = []
  let rest = text.trimStart()
  while (rest !== "") {
    const equals = rest.indexOf("=")
    const name = equals === -1 ? rest : rest.slice(0, equals)
    if (equals === -1 || !isFieldName(name)) {
      return invalid(source, `has "${word(rest)[0]}" where FIELD=VALUE is expected`)
    }
    if (fields.some((field) => field.name === name)) return invalid(source, `names the field "${name}" twice`)
    const end = valueEnd(rest, equals + 1)
    const value = parseValue(rest.slice(equals + 1, end))
    if (value === undefined) return invalid(source, `gives "${name}" a value that is neither JSON nor one word`)
    if (isPathField(name) && typeof value === "string" && segmentsOf(value).includes("..")) {
      return invalid(source, `gives "${name}" a path with ".."`)
    }
    if (name === hostField && !isHost(value)) {
      return invalid(source, `gives "${name}" what is no host, such as example.com or localhost:3000`)
    }
    fields.push({ name, value })
    rest = rest.slice(end).trimStart()
  }
  return Result.succeed(fields)
}

/** JSON where it reads as JSON, else the word itself; `undefined` where it is neither. */
const parseValue = (text: string): Schema.Json | undefined => {
  if (text === "") return undefined
  const parsed = Result.try(() => JSON.parse(text) as Schema.Json)
  if (Result.isSuccess(parsed)) return parsed.success
  return /^[[{"]/u.test(text) ? undefined : text
}

/** Where the value that starts at `start` ends: at white space outside strings and brackets. */
const valueEnd = (text: string, start: number): number => {
  const structured = /[[{"]/u.test(text.charAt(start))
  let depth = 0
  let inString = false
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at)
    if (inString) {
      if (character === "\\") at++
      else if (character === '"') inString = false
    } else if (structured && character === '"') inString = true
    else if (structured && (character === "[" || character === "{")) depth++
    else if (structured && (character === "]" || character === "}")) depth--
    else if (depth <= 0 && /\s/u.test(character)) return at
  }
  return text.length
}
