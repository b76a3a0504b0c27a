/** `stats`: call statistics per tool and model. */
import { Stats } from "@bough/receipts"
import * as Effect from "effect/Effect"
import { command as declare } from "../command-line/CommandSpec.ts"
import type { Common } from "../command-line/flags/CommonFlags.ts"
import * as Escape from "@bough/tui/text/Escape"
import * as Listing from "../format/Listing.ts"
import { type SafeText, text } from "@bough/tui/text/SafeText"
import type { Program } from "../Program.ts"
import { eachCall, noCalls, parameters, type ReportOptions } from "../receipts/eachCall.ts"

const stats = Effect.fnUntraced(function* (program: Program, common: Common, options: ReportOptions) {
  const { output } = program
  const state = Stats.empty()
  yield* eachCall(program, common, { options, use: (call) => Stats.append(state, call) })
  const rows = Stats.rows(state)
  if (options.format === "json") return output.json(rows, 2)
  if (rows.length === 0) return output.note(noCalls)
  const columns = output.stdoutIsTerminal ? output.columns() : null
  for (const line of shown(rows.map(cellsOf), columns)) output.answerEscaped(text`${line}\n`)
})

/** Returns a table where it fits; else a record per row with its counts above 0, by heading. */
const shown = (rows: ReadonlyArray<ReadonlyArray<string>>, columns: number | null): ReadonlyArray<SafeText> => {
  const lines = table([heading, ...rows])
  if (columns === null || lines.every((line) => line.length <= columns)) return lines
  const named = rows.map(([tool, model, ...counts]) => ({
    title: `${tool}  ${model}`,
    facts: counts.flatMap((count, at) => (count === "0" || count === "-" ? [] : [`${heading[at + 2]} ${count}`]))
  }))
  return named.flatMap((row) => Listing.record(row, columns))
}

const heading = [
  "tool",
  "model",
  "calls",
  "ok",
  "failed",
  "denied",
  "unknown",
  "not run",
  "fitted at once",
  "p50 ms",
  "p95 ms",
  "retries",
  "asked"
]

const cellsOf = (row: Stats.Row): ReadonlyArray<string> => [
  Escape.line(row.tool),
  Escape.line(row.model ?? "by hand"),
  `${row.calls}`,
  `${row.succeeded}`,
  Object.entries(row.failed)
    .map(([tag, count]) => `${tag} ${count}`)
    .join(", ") || "0",
  `${row.rejected}`,
  `${row.unknown}`,
  `${row.notRun}`,
  `${row.fitted}/${row.firstTries}`,
  `${row.p50Millis ?? "-"}`,
  `${row.p95Millis ?? "-"}`,
  `${row.retries}`,
  `${row.approvals.asked}`
]

const table = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<SafeText> => {
  const widths = heading.map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  return rows.map((row) =>
    Escape.line(
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join("  ")
        .trimEnd()
    )
  )
}

export const command = declare({ parameters, run: stats })
