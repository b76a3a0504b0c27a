/** `stats`: call statistics per tool and model. */
import { Stats } from "@bough/receipts"
import { text } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import { command as declare } from "../command-line/CommandSpec.ts"
import type { Common } from "../command-line/flags/CommonFlags.ts"
import type { Program } from "../Program.ts"
import { eachCall, noCalls, parameters, type ReportOptions } from "../receipts/eachCall.ts"
import * as StatsTable from "../receipts/StatsTable.ts"

const stats = Effect.fnUntraced(function* (program: Program, common: Common, options: ReportOptions) {
  const { output } = program
  const state = Stats.empty()
  yield* eachCall(program, common, { options, use: (call) => Stats.append(state, call) })
  const rows = Stats.rows(state)
  if (options.format === "json") return output.json(rows, 2)
  if (rows.length === 0) return output.note(noCalls)
  const columns = output.stdoutIsTerminal ? output.columns() : null
  for (const line of StatsTable.toRows(["tool", "model"], rows.map(StatsTable.ofTool), columns)) {
    output.answerEscaped(text`${line}\n`)
  }
})

export const command = declare({ parameters, run: stats })
