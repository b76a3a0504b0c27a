/**
 * Checks a rule by its examples: calls that it should cover, and calls that it should not. Each example is decoded by
 * its tool's schema. A wrong example means that the rule differs from its author's intent.
 */
import { CallText, HostRule, Rule, RuleMatch } from "@bough/policy"
import * as Result from "effect/Result"
import type { Registry } from "./DispatchContext.ts"
import * as ToolCodecs from "./ToolCodecs.ts"
import * as Issues from "./internal/Issues.ts"
import * as Places from "./Places.ts"
import * as RuleFields from "./RuleFields.ts"

/** The example calls as `CallText` writes them. Arguments that are irrelevant to the rule may be left out. */
export interface Examples {
  readonly match: ReadonlyArray<string>
  readonly notMatch: ReadonlyArray<string>
}

export const none: Examples = { match: [], notMatch: [] }

/** The context of examples; `workspaceRoot` is the base of their relative paths. */
export interface ExampleContext {
  readonly registry: Registry
  readonly workspaceRoot: string
}

type CheckedRule<A> = Result.Result<A, Rule.RuleInvalid>

/** Returns the rule if all of its examples are correct, else the first wrong one. */
export const check = (
  rule: Rule.Rule,
  { match, notMatch }: Examples,
  context: ExampleContext
): CheckedRule<Rule.Rule> => {
  const expected = [
    ...match.map((text) => ({ text, covers: true })),
    ...notMatch.map((text) => ({ text, covers: false }))
  ]
  for (const { covers, text } of expected) {
    const subject = subjectOf(text, context)
    if (Result.isFailure(subject)) return invalid(rule, text, subject.failure)
    const unknown = whereUnknown(rule, subject.success)
    if (unknown !== null) return invalid(rule, text, unknown)
    if (RuleMatch.matches(ofAnyCaller(rule), subject.success.call) !== covers) {
      return invalid(rule, text, covers ? "does not match, and should" : "matches, and should not")
    }
  }
  return Result.succeed(rule)
}

/** Removes the callers from the rule: an example counts as a call by the rule's own caller. */
const ofAnyCaller = ({ effect, fields, text, tool }: Rule.Rule): Rule.Rule => ({ effect, tool, fields, text })

interface Subject {
  readonly call: RuleMatch.Subject
  /** The required arguments that the example lacks and a real call would have. */
  readonly missing: ReadonlyArray<string>
}

/** The tool cannot determine the destination of an incomplete call. */
const whereUnknown = (rule: Rule.Rule, { call, missing }: Subject): string | null =>
  missing.length > 0 &&
  rule.fields.some(({ name }) => name === HostRule.hostField && !Object.hasOwn(call.arguments as object, name))
    ? `has no destination without ${missing.join(", ")}`
    : null

const subjectOf = (text: string, { registry, workspaceRoot }: ExampleContext): Result.Result<Subject, string> => {
  const parsed = CallText.parse(text)
  if (Result.isFailure(parsed)) return Result.fail(parsed.failure)
  const { arguments: callArguments, tool: name } = parsed.success
  const tool = registry.get(name)
  if (tool === undefined) return Result.fail(`names the tool "${name}", which does not exist`)
  const compiled = ToolCodecs.codecsOf(tool)
  const decoded = compiled.decodeParameters(callArguments)
  const issues = Result.isFailure(decoded) ? Issues.flatten(decoded.failure) : []
  const wrong = issues.filter(({ message }) => message !== Issues.missingText)
  if (wrong.length > 0) return Result.fail(`is not a call of ${name}: ${Issues.summary(wrong)}`)
  return Result.succeed({
    call: {
      tool: name,
      arguments: { ...compiled.defaults(), ...callArguments },
      defaults: compiled.defaults(),
      workspaceRoot,
      ...Places.declared(tool),
      destination: Result.isSuccess(decoded) ? RuleFields.destinationOf(tool, decoded.success) : null
    },
    missing: issues.map(({ path }) => path)
  })
}

const invalid = (rule: Rule.Rule, example: string, fault: string): CheckedRule<never> =>
  Result.fail(
    new Rule.RuleInvalid({
      rule: rule.text,
      message: `the rule ${JSON.stringify(rule.text)} has the example ${JSON.stringify(example)}, which ${fault}`
    })
  )
