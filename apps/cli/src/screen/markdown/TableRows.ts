/** A Markdown table in columns that fit; where there is no room for columns, each row as a list of its cells. Pure. */
import type { Tokens } from "marked"
import * as Rows from "../Rows.ts"
import type { Place } from "./MarkdownRows.ts"

const gap = "  "
const narrowest = 5

export const rows = (
  { align, header, rows: body }: Tokens.Table,
  inline: (cell: Tokens.TableCell) => string,
  place: Place
): ReadonlyArray<string> => {
  const head = header.map(inline)
  const cells = body.map((row) => row.map(inline))
  const widths = fit(naturalWidths([head, ...cells]), place.columns - gap.length * (head.length - 1))
  if (widths === null) return listed(head, cells, place)
  const lay = (row: ReadonlyArray<string>, style: (text: string) => string): ReadonlyArray<string> => {
    const wrapped = widths.map((width, at) => Rows.wrap(row[at] ?? "", width))
    const height = Math.max(...wrapped.map(({ length }) => length))
    return Array.from({ length: height }, (_, line) =>
      widths.map((width, at) => Rows.pad(style(wrapped[at][line] ?? ""), width, align[at] ?? "left")).join(gap)
    ).map((made) => made.trimEnd())
  }
  return [
    ...lay(head, place.theme.bold),
    place.theme.dim(widths.map((width) => "─".repeat(width)).join(gap)),
    ...cells.flatMap((row) => lay(row, (text) => text))
  ]
}

const naturalWidths = (table: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<number> =>
  table[0].map((_, at) => Math.max(1, ...table.map((row) => Rows.width((row[at] ?? "").replaceAll("\n", " ")))))

/** The widest columns give way first; null: they cannot. */
const fit = (natural: ReadonlyArray<number>, room: number): ReadonlyArray<number> | null => {
  const least = natural.map((width) => Math.min(width, narrowest))
  if (least.reduce((sum, width) => sum + width, 0) > room) return null
  let limit = Math.max(...natural)
  const limited = (): ReadonlyArray<number> => natural.map((width) => Math.min(width, limit))
  while (limited().reduce((sum, width) => sum + width, 0) > room) limit -= 1
  return limited()
}

const listed = (
  head: ReadonlyArray<string>,
  cells: ReadonlyArray<ReadonlyArray<string>>,
  { columns, theme }: Place
): ReadonlyArray<string> =>
  cells.flatMap((row, index) => [
    ...(index === 0 ? [] : [""]),
    ...row.flatMap((cell, at) => Rows.wrap(`${theme.bold(`${head[at] ?? ""}:`)} ${cell}`, columns))
  ])
