/**
 * Checks a rule by its examples: calls that it should cover, and calls that it should not. Each example is decoded by
 * its tool's schema. A wrong example means that the rule differs from its author's intent.
 */
import { CallText, CommandPattern, HostRule, Rule, RuleMatch } from "@bough/policy"
import type { Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as CommandWords from "./CommandWords.ts"
import type { Registry } from "./DispatchContext.ts"
import * as Issues from "./internal/Issues.ts"
import * as Places from "./Places.ts"
import * as RuleFields from "./RuleFields.ts"
import * as ToolCodecs from "./ToolCodecs.ts"

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
  /** The commands of examples, by their text. A pattern of other examples is compared with the words of the call. */
  readonly exampleCommands?: ReadonlyMap<string, CommandPattern.Commands>
}

/** Adds the commands of the examples to the context, if the rule refers to commands: this may load a parser. */
export const withCommands = (
  rule: Rule.Rule,
  { match, notMatch }: Examples,
  context: ExampleContext
): Effect.Effect<ExampleContext> =>
  RuleMatch.patternOf(rule) === null
    ? Effect.succeed(context)
    : Effect.map(
        Effect.forEach([...match, ...notMatch], (text) =>
          Result.match(exampleCall(text, context), {
            onFailure: () => Effect.succeed([]),
            onSuccess: ({ parameters, tool }) =>
              Option.isNone(parameters) || tool.commands === null
                ? Effect.succeed([])
                : Effect.map(CommandWords.ofTool(tool, parameters.value), (commands) => [[text, commands] as const])
          })
        ),
        (commands) => ({ ...context, exampleCommands: new Map(commands.flat()) })
      )

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
    if (matches(ofAnyCaller(rule), subject.success.call) !== covers) {
      return invalid(rule, text, covers ? "does not match, and should" : "matches, and should not")
    }
  }
  return Result.succeed(rule)
}

/** Removes the callers from the rule: an example counts as a call by the rule's own caller. */
const ofAnyCaller = ({ effect, fields, text, tool }: Rule.Rule): Rule.Rule => ({ effect, tool, fields, text })

/** Compares a rule with an example; a pattern whose commands were not parsed only has to occur in the arguments. */
const matches = (rule: Rule.Rule, call: RuleMatch.Subject): boolean => {
  const pattern = RuleMatch.patternOf(rule)
  if (pattern === null || call.commands !== undefined) return RuleMatch.matches(rule, call)
  const fields = rule.fields.filter(({ name, value }) => !CommandPattern.isPattern(name, value))
  return (
    RuleMatch.matches({ ...rule, fields }, call) && CommandPattern.maybeMeans(pattern, undefined, () => call.arguments)
  )
}

interface Subject {
  readonly tool: Tool.Any
  readonly call: RuleMatch.Subject
  /** The required arguments that the example lacks and a real call would have. */
  readonly missing: ReadonlyArray<string>
}

/** The tool cannot determine the destination or the commands of an incomplete call, or the hosts of a command. */
const whereUnknown = (rule: Rule.Rule, { call, missing, tool }: Subject): string | null => {
  const toHost = rule.fields.some(
    ({ name }) => name === HostRule.hostField && !Object.hasOwn(call.arguments as object, name)
  )
  if (toHost && tool.egress?.address === undefined && RuleFields.runsCommands(tool)) {
    return "names no host: which hosts a command reaches is known when it runs"
  }
  if (missing.length === 0) return null
  if (RuleMatch.patternOf(rule) !== null) return `has no commands without ${missing.join(", ")}`
  return toHost ? `has no destination without ${missing.join(", ")}` : null
}

interface ExampleCall {
  readonly tool: Tool.Any
  readonly arguments: CallText.Call["arguments"]
  /** None: required arguments are missing. */
  readonly parameters: Option.Option<unknown>
  readonly missing: ReadonlyArray<string>
}

/** Reads the text of an example; fails with the fault as the rest of a sentence. */
const exampleCall = (text: string, { registry }: ExampleContext): Result.Result<ExampleCall, string> => {
  const parsed = CallText.parse(text)
  if (Result.isFailure(parsed)) return Result.fail(parsed.failure)
  const { arguments: callArguments, tool: name } = parsed.success
  const tool = registry.get(name)
  if (tool === undefined) return Result.fail(`names the tool "${name}", which does not exist`)
  const decoded = ToolCodecs.codecsOf(tool).decodeParameters(callArguments)
  const issues = Result.isFailure(decoded) ? Issues.flatten(decoded.failure) : []
  const wrong = issues.filter(({ message }) => message !== Issues.missingText)
  if (wrong.length > 0) return Result.fail(`is not a call of ${name}: ${Issues.summary(wrong)}`)
  return Result.succeed({
    tool,
    arguments: callArguments,
    parameters: Result.getSuccess(decoded),
    missing: issues.map(({ path }) => path)
  })
}

const subjectOf = (text: string, context: ExampleContext): Result.Result<Subject, string> =>
  Result.map(exampleCall(text, context), ({ arguments: callArguments, missing, parameters, tool }) => {
    const commands = context.exampleCommands?.get(text)
    const defaults = ToolCodecs.codecsOf(tool).defaults()
    return {
      call: {
        tool: tool.name,
        arguments: { ...defaults, ...callArguments },
        defaults,
        workspaceRoot: context.workspaceRoot,
        ...Places.declaredPaths(tool),
        ...(commands === undefined ? {} : { commands }),
        destination: Option.isSome(parameters) ? RuleFields.destinationOf(tool, parameters.value) : null
      },
      missing,
      tool
    }
  })

const invalid = (rule: Rule.Rule, example: string, fault: string): CheckedRule<never> =>
  Result.fail(
    new Rule.RuleInvalid({
      rule: rule.text,
      message: `the rule ${JSON.stringify(rule.text)} has the example ${JSON.stringify(example)}, which ${fault}`
    })
  )
