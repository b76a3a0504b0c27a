/**
 * Lays out a Markdown table in columns that fit; if there is no room for columns, each row becomes a list of its cells.
 * Pure.
 */
import type { Tokens } from "marked"
import type { RowContext } from "../text/RowContext.ts"
import * as Rows from "../text/Rows.ts"
import { empty, join, repeat, type SafeText, text, trimEnd } from "../text/SafeText.ts"
import type { Paint } from "../theme/Style.ts"

const gap = text`  `
const narrowest = 5

export const rows = (
  { align, header, rows: body }: Tokens.Table,
  inline: (cell: Tokens.TableCell) => SafeText,
  context: RowContext
): ReadonlyArray<SafeText> => {
  const head = header.map(inline)
  const cells = body.map((row) => row.map(inline))
  const widths = fittingWidths(naturalWidths([head, ...cells]), context.columns - gap.length * (head.length - 1))
  if (widths === null) return listRows(head, cells, context)
  const layOutRow = (row: ReadonlyArray<SafeText>, style: Paint): ReadonlyArray<SafeText> => {
    const wrapped = widths.map((width, at) => Rows.wrap(row[at] ?? empty, width))
    const height = Math.max(...wrapped.map(({ length }) => length))
    return Array.from({ length: height }, (_, line) =>
      trimEnd(
        join(
          widths.map((width, at) => Rows.pad(style(wrapped[at][line] ?? empty), width, align[at] ?? "left")),
          gap
        )
      )
    )
  }
  return [
    ...layOutRow(head, context.theme.bold),
    context.theme.dim(
      join(
        widths.map((width) => repeat(text`─`, width)),
        gap
      )
    ),
    ...cells.flatMap((row) => layOutRow(row, (cell) => cell))
  ]
}

const naturalWidths = (table: ReadonlyArray<ReadonlyArray<SafeText>>): ReadonlyArray<number> =>
  table[0].map((_, at) => Math.max(1, ...table.map((row) => Rows.width((row[at] ?? "").replaceAll("\n", " ")))))

/** Narrows the widest columns first; null: the table does not fit. */
const fittingWidths = (natural: ReadonlyArray<number>, columns: number): ReadonlyArray<number> | null => {
  const minWidths = natural.map((width) => Math.min(width, narrowest))
  if (minWidths.reduce((sum, width) => sum + width, 0) > columns) return null
  let limit = Math.max(...natural)
  const limitedWidths = (): ReadonlyArray<number> => natural.map((width) => Math.min(width, limit))
  while (limitedWidths().reduce((sum, width) => sum + width, 0) > columns) limit -= 1
  return limitedWidths()
}

const listRows = (
  head: ReadonlyArray<SafeText>,
  cells: ReadonlyArray<ReadonlyArray<SafeText>>,
  { columns, theme }: RowContext
): ReadonlyArray<SafeText> =>
  cells.flatMap((row, index) => [
    ...(index === 0 ? [] : [empty]),
    ...row.flatMap((cell, at) => Rows.wrap(text`${theme.bold(text`${head[at] ?? ""}:`)} ${cell}`, columns))
  ])
