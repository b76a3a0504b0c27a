/** Reads a rule's text: `[allow|ask|deny] TOOL [FIELD=VALUE]… [@agent|@channel|@kind=NAME]…`, where a value is JSON or a bare word. */
import * as Result from "effect/Result"
import * as Callers from "./Callers.ts"
import * as CommandPattern from "./CommandPattern.ts"
import * as FieldText from "./FieldText.ts"
import { hostField, isHost } from "./HostRule.ts"
import { isPathField, segmentsOf } from "./PathRule.ts"
import {
  type Effect,
  type Field,
  isEffect,
  isFieldName,
  isToolName,
  type KnownFields,
  type Rule,
  RuleInvalid
} from "./Rule.ts"

type ParsedRule<A> = Result.Result<A, RuleInvalid>

/** Parses the text; tool and fields are not looked up. `unnamed` is the effect of a text that names none. */
export const parse = (text: string, unnamed: Effect = "allow"): ParsedRule<Rule> => {
  const source = text.trim()
  const [first, afterFirst] = FieldText.word(source)
  const [tool, afterTool] = isEffect(first) ? FieldText.word(afterFirst) : [first, afterFirst]
  if (tool === "") return invalid(source, isEffect(first) ? `names no tool after "${first}"` : "is empty")
  if (tool !== "*" && !isToolName(tool)) return invalid(source, `names "${tool}", which cannot be a tool's name`)
  const parsedFields = FieldText.parse(afterTool, (name) => Callers.isCallerField(name) || isFieldName(name))
  if (Result.isFailure(parsedFields)) return invalid(source, parsedFields.failure)
  const effect = isEffect(first) ? first : unnamed
  const wrong = parsedFields.success.map((field) => complaint(effect, field)).find((fault) => fault !== null)
  if (wrong !== undefined) return invalid(source, wrong)
  const fields = parsedFields.success.filter(({ name }) => !Callers.isCallerField(name))
  const callers = Callers.fromFields(parsedFields.success.filter(({ name }) => Callers.isCallerField(name)))
  const rule: Rule = { effect, tool, fields, text: source }
  return Result.succeed(callers === undefined ? rule : { ...rule, callers })
}

/** Returns the fault in a field of a rule; null: it has none. */
const complaint = (effect: Effect, field: Field): string | null => {
  const { name, value } = field
  if (Callers.isCallerField(name)) return Callers.faultOf(field)
  // "Always" saves allows of single files, whose names may contain these characters.
  if (effect !== "allow" && isPathField(name) && typeof value === "string" && /[*?]/u.test(value)) {
    return `gives "${name}" a pattern, which would never match: name a file, or a directory, which covers everything below it`
  }
  if (isPathField(name) && typeof value === "string" && segmentsOf(value).includes("..")) {
    return `gives "${name}" a path with ".."`
  }
  if (name === CommandPattern.commandField && typeof value === "string" && /^[\w.-]+\*$/u.test(value)) {
    return `gives "${name}" ${JSON.stringify(value)}, which is not a pattern: a pattern is words, a space and a *, such as ${name}="${value.slice(0, -1)} *"`
  }
  if (name === hostField && typeof value === "string" && value.includes("*")) {
    return `gives "${name}" a pattern, which would never match: name a host; an ask or a deny covers its subdomains too`
  }
  return name === hostField && !isHost(value)
    ? `gives "${name}" a value that is not a host, such as example.com or localhost:3000`
    : null
}

/** Returns the rule if its tool and fields exist: a rule that can never match is a mistake. */
export const check = (rule: Rule, known: KnownFields): ParsedRule<Rule> => {
  const fields = known.get(rule.tool)
  if (rule.tool !== "*" && fields === undefined) {
    return invalid(
      rule.text,
      `names the tool "${rule.tool}", which does not exist; the tools are ${list(known.keys())}`
    )
  }
  const names = new Set(fields ?? [...known.values()].flat())
  const unknown = rule.fields.find(({ name }) => !names.has(name))
  if (unknown === undefined) return Result.succeed(rule)
  const whose = rule.tool === "*" ? "no tool has" : `${rule.tool} does not have`
  return invalid(rule.text, `names the field "${unknown.name}", which ${whose}; the fields are ${list(names)}`)
}

/** Runs `parse`, then `check`. */
export const read = (text: string, known: KnownFields, unnamed: Effect = "allow"): ParsedRule<Rule> =>
  Result.flatMap(parse(text, unnamed), (rule) => check(rule, known))

const invalid = (rule: string, fault: string): ParsedRule<never> =>
  Result.fail(new RuleInvalid({ rule, message: `the rule ${JSON.stringify(rule)} ${fault}` }))

const list = (names: Iterable<string>): string => [...names].toSorted().join(", ") || "none"
