/** `policy test`: what would become of a call of a new session in this folder. Nothing runs, nobody is asked. */
import * as Effect from "effect/Effect"
import { exitCode, exitSilently } from "../CliFailure.ts"
import type { Common, TestOptions } from "../command-line/Options.ts"
import * as SettingsFile from "@bough/host/config/Settings"
import * as Escape from "@bough/tui/text/Escape"
import { text } from "@bough/tui/text/SafeText"
import type { Program } from "../Program.ts"
import * as JudgeCall from "../session/JudgeCall.ts"
import * as Tools from "./Tools.ts"

export const codes = { allow: exitCode.done, ask: exitCode.needsApproval, deny: exitCode.failed }

export const test = Effect.fnUntraced(function* (program: Program, { cwd }: Common, options: TestOptions) {
  const { allow, approve } = options
  const given = { ...SettingsFile.noOverrides, cwd, allow, approve }
  const settings = yield* SettingsFile.load(program.environment, given, null)
  yield* Tools.find(program, options.tool)
  for (const notice of settings.notices) program.output.note(notice)
  const { judgement } = yield* JudgeCall.judge(program, settings, {
    ...options,
    labels: [],
    channel: JudgeCall.terminal
  })
  const tested = yield* JudgeCall.decisionOf(judgement, settings.workspaceRoot)
  if (options.format === "json") program.output.json(tested, 2)
  else for (const row of rowsOf(tested)) program.output.answerEscaped(text`${Escape.line(row)}\n`)
  const code = codes[tested.decision]
  if (code !== exitCode.done) return yield* exitSilently(code)
})

export const rowsOf = ({ always, decision, reason, tier }: JudgeCall.Decision): ReadonlyArray<string> => [
  `${decision}  ${tier}  ${reason}`,
  ...(always === null ? [] : [`always would be: ${always}`])
]
