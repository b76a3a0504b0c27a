/** `stats` and `log`: what calls came to, and each of them in a line, with who allowed it. */
import { AllowedBy, CallRecord, Stats } from "@bough/receipts"
import * as Effect from "effect/Effect"
import * as Escape from "@bough/tui/text/Escape"
import type { Program } from "../Program.ts"
import { type SafeText, text } from "@bough/tui/text/SafeText"
import { cut } from "@bough/tui/text/Layout"
import * as Listing from "../format/Listing.ts"
import * as EachTree from "./EachTree.ts"
import type { Common, ReportOptions } from "../command-line/Options.ts"

/** Calls one by one; a fork's copies of another session's calls are left out. */
const eachCall = (
  program: Program,
  common: Common,
  given: { readonly options: ReportOptions; readonly use: (call: CallRecord.CallRecord) => void }
) => {
  const { options, use } = given
  let calls = CallRecord.empty()
  return EachTree.forEach(
    program,
    { common, options },
    {
      begin: () => {
        calls = CallRecord.empty()
      },
      use: (entry) => {
        const call = CallRecord.append(calls, entry)
        if (call !== null && !call.copied) use(call)
      }
    }
  )
}

export const stats = Effect.fnUntraced(function* (program: Program, common: Common, options: ReportOptions) {
  const { output } = program
  const state = Stats.empty()
  yield* eachCall(program, common, { options, use: (call) => Stats.append(state, call) })
  const rows = Stats.rows(state)
  if (options.format === "json") return output.json(rows, 2)
  if (rows.length === 0) return output.note(noCalls)
  const columns = output.stdoutIsTerminal ? output.columns() : null
  for (const line of shown(rows.map(cellsOf), columns)) output.answerEscaped(text`${line}\n`)
})

/** A table where it fits; else what is not 0 of each row, by its heading. */
const shown = (rows: ReadonlyArray<ReadonlyArray<string>>, columns: number | null): ReadonlyArray<SafeText> => {
  const lines = table([heading, ...rows])
  if (columns === null || lines.every((line) => line.length <= columns)) return lines
  const named = rows.map(([tool, model, ...counts]) => ({
    title: `${tool}  ${model}`,
    facts: counts.flatMap((count, at) => (count === "0" || count === "-" ? [] : [`${heading[at + 2]} ${count}`]))
  }))
  return named.flatMap((row) => Listing.record(row, columns))
}

const noCalls = "no calls yet"

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

export const log = Effect.fnUntraced(function* (program: Program, common: Common, options: ReportOptions) {
  const { output } = program
  let logged = 0
  yield* eachCall(program, common, {
    options,
    use: (call) => {
      logged += 1
      const one = lineOf(call)
      if (options.format === "json") return output.json(one)
      const line = Escape.line(textOf(one))
      output.answerEscaped(text`${output.stdoutIsTerminal ? cut(line, output.columns()) : line}\n`)
    }
  })
  if (logged === 0) output.note(noCalls)
})

interface Logged {
  /** When it was started, else asked about; null: neither is recorded. */
  readonly atMillis: number | null
  readonly id: string
  readonly sessionPath: ReadonlyArray<string>
  readonly tool: string
  readonly model: string | null
  readonly tier: string | null
  readonly allowedBy: string
  readonly outcome: string
  /** Null: nothing of it ran. */
  readonly elapsedMillis: number | null
}

const lineOf = (call: CallRecord.CallRecord): Logged => {
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

const textOf = ({ allowedBy, atMillis, elapsedMillis, outcome, sessionPath, tier, tool }: Logged): string => {
  const when = atMillis === null ? noTime : new Date(atMillis).toISOString().slice(0, 19).replace("T", " ")
  const took = elapsedMillis === null ? "" : `  ${elapsedMillis} ms`
  return `${when}  ${tool}  ${outcome}${took}  ${tier ?? "-"}  ${allowedBy}  ${sessionPath.join("/")}`
}
