/** `log`: one line per call: time, tool, outcome, approver, session. */
import { AllowedBy, type CallRecord } from "@bough/receipts"
import * as Escape from "@bough/tui/text/Escape"
import { cut } from "@bough/tui/text/Rows"
import { text } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import { command as declare } from "../command-line/CommandSpec.ts"
import type { Common } from "../command-line/flags/CommonFlags.ts"
import type { Program } from "../Program.ts"
import { eachCall, noCalls, parameters, type ReportOptions } from "../receipts/eachCall.ts"

const log = Effect.fnUntraced(function* (program: Program, common: Common, options: ReportOptions) {
  const { output } = program
  let count = 0
  yield* eachCall(program, common, {
    options,
    use: (call) => {
      count += 1
      const logged = recordOf(call)
      if (options.format === "json") return output.json(logged)
      const line = Escape.line(lineOf(logged))
      output.answerEscaped(text`${output.stdoutIsTerminal ? cut(line, output.columns()) : line}\n`)
    }
  })
  if (count === 0) output.note(noCalls)
})

interface LoggedCall {
  /** Start of the call, else of its approval request; null: neither is recorded. */
  readonly atMillis: number | null
  readonly id: string
  readonly sessionPath: ReadonlyArray<string>
  readonly tool: string
  readonly model: string | null
  readonly tier: string | null
  readonly allowedBy: string
  readonly outcome: string
  /** Null: the call did not run. */
  readonly elapsedMillis: number | null
}

const recordOf = (call: CallRecord.CallRecord): LoggedCall => {
  const { asked, id, model, outcome, receipt, sessionPath, tool } = call
  const request = asked.at(-1)?.request
  return {
    atMillis: receipt?.startedAtMillis ?? request?.askedAtMillis ?? null,
    id,
    sessionPath,
    tool,
    model,
    tier: receipt?.tier ?? request?.tier ?? null,
    allowedBy: AllowedBy.text(call),
    outcome: outcome._tag === "Failed" ? outcome.error._tag : outcome._tag,
    elapsedMillis: receipt?.elapsedMillis ?? null
  }
}

const noTime = "-".padEnd(19)

const lineOf = ({ allowedBy, atMillis, elapsedMillis, outcome, sessionPath, tier, tool }: LoggedCall): string => {
  const when = atMillis === null ? noTime : new Date(atMillis).toISOString().slice(0, 19).replace("T", " ")
  const duration = elapsedMillis === null ? "" : `  ${elapsedMillis} ms`
  return `${when}  ${tool}  ${outcome}${duration}  ${tier ?? "-"}  ${allowedBy}  ${sessionPath.join("/")}`
}

export const command = declare({ parameters, run: log })
