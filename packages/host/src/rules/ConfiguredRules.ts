/** Rules from a configuration or a command line, validated against the known tools. Pure. */
import { RuleExamples, RuleFields } from "@bough/dispatch"
import { Rule, RuleText } from "@bough/policy"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { RuleSource } from "./WrittenRules.ts"
import { type HostFailure, invalid } from "../HostFailure.ts"

/** Reads all rules; fails with the fault of the first invalid one. */
export const toRules = (
  rules: ReadonlyArray<RuleSource>,
  world: RuleExamples.ExampleContext
): Effect.Effect<ReadonlyArray<Rule.Rule>, HostFailure> =>
  Effect.forEach(rules, (rule) =>
    Effect.mapError(Effect.fromResult(toRule(rule, world)), (problem) => invalid(`${rule.from}: ${problem}`, example))
  )

/**
 * Reads one rule, or fails with a sentence: a rule that names a missing tool or field would never match, and a rule
 * that contradicts its examples is not what its author intended.
 */
export const toRule = (
  { effect, text, ...examples }: Omit<RuleSource, "from">,
  world: RuleExamples.ExampleContext
): Result.Result<Rule.Rule, string> => {
  const read = readRule(text, world)
  if (Result.isFailure(read)) return Result.fail(read.failure.message)
  const [word] = text.trim().split(/\s/u)
  if (Rule.isEffect(word) && word !== effect) {
    return Result.fail(`${JSON.stringify(text)} begins with "${word}", but is listed under ${effect}`)
  }
  const rule = Rule.forCallers(Rule.make(effect, read.success.tool, read.success.fields), read.success.callers)
  return Result.mapError(RuleExamples.check(rule, examples, world), ({ message }) => message)
}

/** Tools of servers are unknown before the servers are connected, so a rule about one is not reported as a misspelt name. */
const readRule = (
  text: string,
  { registry }: RuleExamples.ExampleContext
): Result.Result<Rule.Rule, Rule.RuleInvalid> => {
  const parsed = RuleText.parse(text)
  const isUnknown = Result.isSuccess(parsed) && parsed.success.tool.includes("__") && !registry.has(parsed.success.tool)
  return isUnknown ? parsed : RuleText.read(text, RuleFields.ruleFields(registry))
}

const example = `write it as TOOL FIELD=VALUE, such as run_command argv=["npm","test"] or write_file path=src/`
