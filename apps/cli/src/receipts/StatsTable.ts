/** Statistics of calls as a table: a row per tool and model, category or version. */
import type { Stats } from "@bough/receipts"
import * as Escape from "@bough/tui/text/Escape"
import { type SafeText, text } from "@bough/tui/text/SafeText"
import * as Listing from "../format/Listing.ts"

/** The cells that identify a row, one for each heading. */
export interface NamedRow {
  readonly names: ReadonlyArray<string>
  readonly counts: Stats.Counts
}

/** Returns a table if it fits; else a record per row that lists its counts above 0 by heading. `columns` null: no limit. */
export const toRows = (
  names: readonly [string, ...ReadonlyArray<string>],
  rows: ReadonlyArray<NamedRow>,
  columns: number | null
): ReadonlyArray<SafeText> => {
  const heading = [...names, ...headings]
  const cells = rows.map(cellsOf)
  const lines = table([heading, ...cells])
  if (columns === null || lines.every((line) => line.length <= columns)) return lines
  return cells.flatMap((row) =>
    Listing.record(
      {
        title: row.slice(0, names.length).join("  "),
        facts: row.flatMap((count, at) =>
          at < names.length || count === "0" || count === "-" ? [] : [`${heading[at]} ${count}`]
        )
      },
      columns
    )
  )
}

const headings = [
  "calls",
  "ok",
  "failed",
  "denied",
  "unknown",
  "not run",
  "valid at once",
  "p50 ms",
  "p95 ms",
  "retries",
  "asked",
  "cached"
]

const cellsOf = ({ counts, names }: NamedRow): ReadonlyArray<string> => [
  ...names.map((name) => Escape.line(name)),
  `${counts.calls}`,
  `${counts.succeeded}`,
  Object.entries(counts.failed)
    .map(([tag, count]) => `${tag} ${count}`)
    .join(", ") || "0",
  `${counts.rejected}`,
  `${counts.unknown}`,
  `${counts.notRun}`,
  `${counts.fitted}/${counts.firstTries}`,
  `${counts.p50Millis ?? "-"}`,
  `${counts.p95Millis ?? "-"}`,
  `${counts.retries}`,
  `${counts.approvals.asked}`,
  `${counts.cached}`
]

const table = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<SafeText> => {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  return rows.map((row) =>
    Escape.line(
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join("  ")
        .trimEnd()
    )
  )
}

/** The row of a tool as a model calls it. */
export const ofTool = (row: Stats.Row): NamedRow => ({ names: [row.tool, row.model ?? "by hand"], counts: row })

/** An empty line between two tables. */
export const gap: SafeText = text``
