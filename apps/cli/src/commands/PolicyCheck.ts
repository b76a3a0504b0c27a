/** `policy check`: every rule that holds in this folder, tried on its examples; all that are wrong are named. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as SessionAgent from "@bough/host/session/SessionAgent"
import { text } from "@bough/tui/text/SafeText"
import * as SettingsFile from "@bough/host/config/Settings"
import * as Escape from "@bough/tui/text/Escape"
import type { Program } from "../Program.ts"
import * as SavedRules from "@bough/host/rules/SavedRules"
import { exitCode, exitSilently } from "../CliFailure.ts"
import type { Common, ListFormat } from "../command-line/Options.ts"
import * as Policy from "./Policy.ts"

interface Checked {
  readonly rule: string
  readonly from: string
  /** How many were tried. */
  readonly examples: number
  /** A sentence; null: nothing is wrong with it. */
  readonly problem: string | null
}

export const check = Effect.fnUntraced(function* (
  program: Program,
  { cwd }: Common,
  { allow, format }: { readonly allow: ReadonlyArray<string>; readonly format: ListFormat }
) {
  const { output, packs, environment } = program
  const settings = yield* SettingsFile.load(environment, { ...SettingsFile.noOverrides, cwd, allow }, null)
  const world = { registry: SessionAgent.ruledTools(packs), workspaceRoot: settings.workspaceRoot }
  const { damaged, rules: kept } = yield* Policy.saved(settings)
  const checked: Array<Checked> = [
    ...settings.rules.map((rule): Checked => ({
      rule: `${rule.effect} ${rule.text}`,
      from: rule.from,
      examples: rule.match.length + rule.notMatch.length,
      problem: Result.match(SessionAgent.toRule(rule, world), { onFailure: (what) => what, onSuccess: () => null })
    })),
    ...kept.map((rule): Checked => ({
      rule: `allow ${rule.rule}`,
      from: `${rule.id}, given by ${rule.principal}`,
      examples: rule.match?.length ?? 0,
      problem: Result.match(SavedRules.toRule(rule, world), {
        onFailure: ({ message }) => `${message}; it allows nothing`,
        onSuccess: () => null
      })
    }))
  ]
  checked.push(
    ...damaged.map((path) => ({ rule: "", from: path, examples: 0, problem: "holds no rule; it allows nothing" }))
  )
  const wrong = checked.filter(({ problem }) => problem !== null).length
  for (const notice of settings.notices) output.note(notice)
  if (format === "json") output.json(checked, 2)
  else for (const one of checked) output.answerEscaped(text`${Escape.line(lineOf(one))}\n`)
  output.note(`${checked.length} ${checked.length === 1 ? "rule" : "rules"}, ${wrong} wrong`)
  if (wrong > 0) return yield* exitSilently(exitCode.usage)
})

const lineOf = ({ examples, from, problem, rule }: Checked): string =>
  problem === null ? `ok     ${rule}  (${from}; examples: ${examples})` : `wrong  ${from}: ${problem}`
