/**
 * `policy test`: shows how a call of a new session in this folder would be decided, without running it or asking for an
 * approval.
 */
import * as SettingsFile from "@bough/host/config/Settings"
import * as Escape from "@bough/tui/text/Escape"
import { text } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import { exitCode, exitSilently } from "../../CliFailure.ts"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import * as CallFlags from "../../command-line/flags/CallFlags.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as ListFlags from "../../command-line/flags/ListFlags.ts"
import type { Program } from "../../Program.ts"
import * as JudgeCall from "../../session/JudgeCall.ts"

const parameters = { ...CallFlags.call, format: ListFlags.format }

export const codes = { allow: exitCode.done, ask: exitCode.needsApproval, deny: exitCode.failed }

const test = Effect.fnUntraced(function* (
  program: Program,
  { cwd }: Common,
  options: CommandOptions<typeof parameters>
) {
  const { addDir, allow, approve } = options
  const overrides = { ...SettingsFile.noOverrides, addDir, cwd, allow, approve }
  const settings = yield* SettingsFile.load(program.environment, overrides, null)
  for (const notice of settings.notices) program.output.note(notice)
  const judged = yield* JudgeCall.judge(program, settings, {
    ...options,
    labels: [],
    channel: JudgeCall.terminal
  })
  for (const notice of JudgeCall.incompleteRuleNotes(judged)) program.output.note(notice)
  const tested = yield* JudgeCall.decisionOf(judged)
  if (options.format === "json") program.output.json(tested, 2)
  else for (const row of rowsOf(tested)) program.output.answerEscaped(text`${Escape.line(row)}\n`)
  const code = codes[tested.decision]
  if (code !== exitCode.done) return yield* exitSilently(code)
})

export const rowsOf = ({ always, decision, reason, tier }: JudgeCall.Decision): ReadonlyArray<string> => [
  `${decision}  ${tier}  ${reason}`,
  ...(always === null ? [] : [`always would allow: ${always}`])
]

export const command = declare({ parameters, run: test })
