/** Rules from a configuration or a command line, validated against the known tools. */
import { RuleExamples, RuleFields } from "@bough/dispatch"
import { Rule, RuleText } from "@bough/policy"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Settings } from "../config/Settings.ts"
import { type HostFailure, invalid } from "../HostFailure.ts"
import type { RuleSource } from "./WrittenRules.ts"

/** The folders of a session, and its tools. */
export interface RuleContext extends RuleExamples.ExampleContext {
  /** The root of the repository around the workspace root; absent: the workspace root. */
  readonly repositoryRoot?: string
}

/** Reads the rules of the settings; fails with the fault of the first invalid one. */
export const configuredRules = (
  { policy, workspace }: Pick<Settings, "policy" | "workspace">,
  registry: RuleContext["registry"]
): Effect.Effect<ReadonlyArray<Rule.Rule>, HostFailure> =>
  toRules(policy.rules, { workspaceRoot: workspace.root, repositoryRoot: workspace.repositoryRoot, registry })

/** Reads all rules; fails with the fault of the first invalid one. */
export const toRules = (
  rules: ReadonlyArray<RuleSource>,
  world: RuleContext
): Effect.Effect<ReadonlyArray<Rule.Rule>, HostFailure> =>
  Effect.map(
    Effect.forEach(rules, (rule) =>
      Effect.mapBoth(toRule(rule, world), {
        onSuccess: (read) => inFolders(read, rule, world),
        onFailure: (problem) => invalid(`${rule.from}: ${problem}`, example)
      })
    ),
    (read) => read.flat()
  )

/**
 * Returns the rule with the folder from which its relative paths count. A deny or ask that applies in every folder also
 * counts from the root of the repository: started below it, a session must not miss the rule.
 */
const inFolders = (
  rule: Rule.Rule,
  { folder }: RuleSource,
  { registry, repositoryRoot, workspaceRoot }: RuleContext
): ReadonlyArray<Rule.Rule> => {
  if (folder !== null) return [folder === workspaceRoot ? rule : { ...rule, folder }]
  if (repositoryRoot === undefined || repositoryRoot === workspaceRoot || rule.effect === "allow") return [rule]
  const isRelative = RuleFields.rulePaths(rule, registry).some((path) => !path.startsWith("/"))
  return isRelative ? [rule, { ...rule, folder: repositoryRoot }] : [rule]
}

/**
 * Reads one rule, or fails with a sentence: a rule that names a missing tool or field would never match, and a rule
 * that contradicts its examples is not what its author intended.
 */
export const toRule = (
  { effect, folder, text, ...examples }: Omit<RuleSource, "from">,
  world: RuleExamples.ExampleContext
): Effect.Effect<Rule.Rule, string> => {
  const read = readRule(text, effect, world)
  if (Result.isFailure(read)) return Effect.fail(read.failure.message)
  const [word] = text.trim().split(/\s/u)
  if (Rule.isEffect(word) && word !== effect) {
    return Effect.fail(`${JSON.stringify(text)} begins with "${word}", but is listed under ${effect}`)
  }
  const rule = Rule.forCallers(Rule.make(effect, read.success.tool, read.success.fields), read.success.callers)
  return RuleExamples.withCommands(rule, examples, { ...world, workspaceRoot: folder ?? world.workspaceRoot }).pipe(
    Effect.flatMap((context) => Effect.fromResult(RuleExamples.check(rule, examples, context))),
    Effect.mapError(({ message }) => message)
  )
}

/** Tools of servers are unknown before the servers are connected, so a rule about one is not reported as a misspelt name. */
const readRule = (
  text: string,
  effect: Rule.Effect,
  { registry }: RuleExamples.ExampleContext
): Result.Result<Rule.Rule, Rule.RuleInvalid> => {
  const parsed = RuleText.parse(text, effect)
  const isUnknown = Result.isSuccess(parsed) && parsed.success.tool.includes("__") && !registry.has(parsed.success.tool)
  return isUnknown ? parsed : RuleText.read(text, RuleFields.ruleFields(registry), effect)
}

const example = `write it as TOOL FIELD=VALUE, such as run_command argv=["npm","test"] or write_file path=src/`
