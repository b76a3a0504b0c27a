/** `policy check`: tests every rule that applies in this folder on its examples, and reports the failing rules. */
import * as SettingsFile from "@bough/host/config/Settings"
import * as ConfiguredRules from "@bough/host/rules/ConfiguredRules"
import type { RuleSource } from "@bough/host/rules/WrittenRules"
import * as KindTools from "@bough/host/session/KindTools"
import { RuleText } from "@bough/policy"
import * as Escape from "@bough/tui/text/Escape"
import { text as escapedText } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { exitCode, exitSilently } from "../../CliFailure.ts"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as ListFlags from "../../command-line/flags/ListFlags.ts"
import * as SessionFlags from "../../command-line/flags/SessionFlags.ts"
import * as ActiveRules from "../../policy/ActiveRules.ts"
import type { Program } from "../../Program.ts"

interface RuleCheck {
  readonly rule: string
  readonly from: string
  /** The number of tested examples. */
  readonly examples: number
  /** The problem with the rule, as a sentence; null: none. */
  readonly problem: string | null
}

const parameters = { allow: SessionFlags.allow, format: ListFlags.format }

const check = Effect.fnUntraced(function* (
  program: Program,
  { cwd }: Common,
  { allow, format }: CommandOptions<typeof parameters>
) {
  const { output, packs, environment } = program
  const settings = yield* SettingsFile.load(environment, { ...SettingsFile.noOverrides, cwd, allow }, null)
  const world = { registry: KindTools.ruledTools(packs), workspaceRoot: settings.workspace.root }
  const { damaged, rules: savedRules } = yield* ActiveRules.readSavedRules(settings)
  const checked: Array<RuleCheck> = [
    ...(yield* Effect.forEach(settings.policy.rules, (rule) =>
      Effect.match(ConfiguredRules.toRule(rule, world), {
        onFailure: (problem) => toConfiguredRule(rule, problem),
        onSuccess: () => toConfiguredRule(rule, null)
      })
    )),
    ...savedRules.map((rule): RuleCheck => {
      const problem = ActiveRules.problemOf(rule, world)
      return {
        rule: withEffect(rule.rule),
        from: `${rule.id}, given by ${rule.principal}`,
        examples: rule.match?.length ?? 0,
        problem: problem === null ? null : `${problem}; it is ignored`
      }
    })
  ]
  checked.push(
    ...damaged.map((path) => ({ rule: "", from: path, examples: 0, problem: "contains no valid rule; it is ignored" }))
  )
  const wrong = checked.filter(({ problem }) => problem !== null).length
  for (const notice of settings.notices) output.note(notice)
  if (format === "json") output.json(checked, 2)
  else for (const rule of checked) output.answerEscaped(escapedText`${Escape.line(lineOf(rule))}\n`)
  output.note(`${checked.length} ${checked.length === 1 ? "rule" : "rules"}, ${wrong} wrong`)
  if (wrong > 0) return yield* exitSilently(exitCode.usage)
})

/** Writes the effect of a saved rule out, which its text may omit. */
const withEffect = (rule: string): string =>
  Result.match(RuleText.parse(rule), {
    onFailure: () => rule,
    onSuccess: ({ effect }) => (rule.startsWith(`${effect} `) ? rule : `${effect} ${rule}`)
  })

const toConfiguredRule = ({ effect, from, match, notMatch, text }: RuleSource, problem: string | null): RuleCheck => ({
  rule: `${effect} ${text}`,
  from,
  examples: match.length + notMatch.length,
  problem
})

const lineOf = ({ examples, from, problem, rule }: RuleCheck): string =>
  problem === null ? `ok     ${rule}  (${from}; examples: ${examples})` : `wrong  ${from}: ${problem}`

export const command = declare({ parameters, run: check })
