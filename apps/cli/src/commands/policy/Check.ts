/** `policy check`: tests every rule that applies in this folder on its examples, and reports the failing rules. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as ConfiguredRules from "@bough/host/rules/ConfiguredRules"
import * as KindTools from "@bough/host/session/KindTools"
import { text } from "@bough/tui/text/SafeText"
import * as SettingsFile from "@bough/host/config/Settings"
import * as Escape from "@bough/tui/text/Escape"
import type { Program } from "../../Program.ts"
import { exitCode, exitSilently } from "../../CliFailure.ts"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as ListFlags from "../../command-line/flags/ListFlags.ts"
import * as SessionFlags from "../../command-line/flags/SessionFlags.ts"
import * as ActiveRules from "../../policy/ActiveRules.ts"

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
  const world = { registry: KindTools.ruledTools(packs), workspaceRoot: settings.workspaceRoot }
  const { damaged, rules: savedRules } = yield* ActiveRules.readSavedRules(settings)
  const checked: Array<RuleCheck> = [
    ...settings.rules.map((rule): RuleCheck => ({
      rule: `${rule.effect} ${rule.text}`,
      from: rule.from,
      examples: rule.match.length + rule.notMatch.length,
      problem: Result.match(ConfiguredRules.toRule(rule, world), {
        onFailure: (problem) => problem,
        onSuccess: () => null
      })
    })),
    ...savedRules.map((rule): RuleCheck => {
      const problem = ActiveRules.problemOf(rule, world)
      return {
        rule: `allow ${rule.rule}`,
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
  else for (const one of checked) output.answerEscaped(text`${Escape.line(lineOf(one))}\n`)
  output.note(`${checked.length} ${checked.length === 1 ? "rule" : "rules"}, ${wrong} wrong`)
  if (wrong > 0) return yield* exitSilently(exitCode.usage)
})

const lineOf = ({ examples, from, problem, rule }: RuleCheck): string =>
  problem === null ? `ok     ${rule}  (${from}; examples: ${examples})` : `wrong  ${from}: ${problem}`

export const command = declare({ parameters, run: check })
