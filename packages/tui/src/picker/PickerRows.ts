/** A picker as rows, with the cursor at the end of the query. Everything is escaped here. */
import type { Frame } from "../screen/Frame.ts"
import { drawnCells } from "../text/drawnCells.ts"
import * as Escape from "../text/Escape.ts"
import type { RowContext } from "../text/RowContext.ts"
import * as Rows from "../text/Rows.ts"
import { blanks, type SafeText, text as safe } from "../text/SafeText.ts"
import type { PickerState } from "./Picker.ts"

const maxItems = 12
/** The number of rows that are not items: title, query, preview, keys. */
const frameRows = 4

export interface PickerSize extends RowContext {
  /** The maximum number of rows of the picker. */
  readonly rows: number
}

export const view = (picker: PickerState, { columns, rows, theme }: PickerSize): Frame => {
  const { fitting, found, items, query, selected, title, verb } = picker
  const height = Math.max(1, Math.min(maxItems, rows - frameRows))
  const first = Math.max(0, Math.min(selected - Math.floor(height / 2), fitting.length - height))
  const visible = fitting.slice(first, first + height)
  const widest = Math.max(8, Math.floor(columns * 0.6))
  const labels = visible.map(({ label }) => Rows.cut(Escape.line(label), widest))
  const width = Math.max(0, ...labels.map(Rows.width))
  const shown = visible.map(({ detail }, at) => {
    const isSelected = first + at === selected
    const rest = columns - width - 4
    const label = Rows.pad(labels[at], width)
    const detailText = detail === "" || rest < 6 ? safe`` : safe`  ${theme.dim(Rows.cut(Escape.line(detail), rest))}`
    return isSelected
      ? safe`${theme.accent(safe`›`)} ${theme.inverse(label)}${detailText}`
      : safe`${blanks(2)}${label}${detailText}`
  })
  const written = cutStart(Escape.line(query), columns - 3)
  const preview = fitting[selected]?.preview ?? ""
  const count = query === "" ? safe`${items.length}` : safe`${fitting.length} of ${countOf(items, found)}`
  const keys = safe`type to filter · ↑↓ · Enter ${Escape.line(verb)} · Esc closes · ${count}`
  const all = [
    theme.bold(Rows.cut(Escape.line(title), columns)),
    safe`${theme.accent(safe`?`)} ${written}`,
    ...(shown.length === 0 ? [theme.dim(safe`  no matches`)] : shown),
    ...(preview === "" ? [] : [theme.dim(Rows.cut(safe`  ${Escape.line(preview)}`, columns))]),
    theme.dim(Rows.cut(keys, columns))
  ]
  return { rows: all, cursor: { x: Math.min(columns - 1, 2 + drawnCells(written)), y: 1 } }
}

/** The number of listed and found items. */
const countOf = (items: PickerState["items"], found: PickerState["found"]): number =>
  new Set([...items, ...found].map(({ id }) => id)).size

/** Cuts off the start of a row that is too long. */
const cutStart = (row: SafeText, columns: number): SafeText => {
  if (Rows.width(row) <= columns) return row
  return Rows.breakHard(row, Math.max(2, columns)).at(-1) ?? row
}
