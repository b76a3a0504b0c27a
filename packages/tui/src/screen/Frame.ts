/**
 * The frame at the bottom of a terminal, as text that turns the shown frame into the next one. Pure. Each text begins
 * and ends with the cursor in the frame, and is one synchronized update. Rows fit the terminal's width.
 */
import { drawnCells } from "../text/drawnCells.ts"
import { join, type SafeText, text } from "../text/SafeText.ts"

export interface Frame {
  readonly rows: ReadonlyArray<SafeText>
  /** The position in cells from the left, and in rows from the first one. */
  readonly cursor: { readonly x: number; readonly y: number }
}

/** No frame is shown: the cursor is at the beginning of a free row. */
export const empty: Frame = { rows: [], cursor: { x: 0, y: 0 } }

// Line wrap is off during the update, so a row occupies one row even if the terminal draws it wider than it was
// measured.
const begin = text`\u001B[?2026h\u001B[?25l\u001B[?7l\r`
const end = text`\u001B[?7h\u001B[?25h\u001B[?2026l`
const eraseRow = text`\u001B[K`
const eraseBelow = text`\u001B[J`
const nextRow = text`\r\n`

/** Empties the screen, with the cursor in its first cell. */
export const clearScreen = text`\u001B[H\u001B[2J`
/** Enters the terminal's alternate screen, which has no scrollback; `leaveScreen` returns. */
export const enterScreen = text`\u001B[?1049h\u001B[H\u001B[2J`
export const leaveScreen = text`\u001B[?1049l`

/** Moves up or down within the frame, to the first column. */
const toRow = (from: number, to: number): SafeText => {
  if (from === to) return text`\r`
  return to < from ? text`\r\u001B[${from - to}A` : text`\r\u001B[${to - from}B`
}

const toCursor = ({ cursor }: Frame, from: number): SafeText =>
  text`${toRow(from, cursor.y)}${cursor.x === 0 ? text`` : text`\u001B[${cursor.x}C`}`

/** Writes the rows that differ; nothing if the same frame is already shown. */
export const change = (before: Frame, after: Frame): SafeText => {
  const parts: Array<SafeText> = []
  const shown = Math.max(1, before.rows.length)
  let at = before.cursor.y
  for (const [index, row] of after.rows.entries()) {
    if (before.rows[index] === row) continue
    parts.push(index < shown ? toRow(at, index) : text`${toRow(at, index - 1)}${nextRow}`, eraseRow, row)
    at = index
  }
  if (after.rows.length < before.rows.length) {
    parts.push(toRow(at, after.rows.length), eraseBelow)
    at = after.rows.length
  }
  const isMoved = before.cursor.x !== after.cursor.x || before.cursor.y !== after.cursor.y
  return parts.length === 0 && !isMoved ? text`` : text`${begin}${join(parts)}${toCursor(after, at)}${end}`
}

/** Prints rows above the frame, which then belong to the terminal's scrollback. */
export const print = (before: Frame, printed: ReadonlyArray<SafeText>, after: Frame): SafeText => {
  const rows = [...printed, ...after.rows]
  const written = join(
    rows.map((row) => text`${eraseRow}${row}`),
    nextRow
  )
  const isLower = rows.length < before.rows.length
  const last = rows.length - 1
  // Without a frame the cursor moves to a new row.
  const rest = after.rows.length === 0 ? nextRow : isLower ? toRow(last, last + 1) : text``
  const at = after.rows.length === 0 || isLower ? rows.length : last
  const below = isLower ? eraseBelow : text``
  return text`${begin}${toRow(before.cursor.y, 0)}${written}${rest}${below}${toCursor(after, at - printed.length)}${end}`
}

/** Erases the frame, and puts the cursor in its first row. `gained`: the number of additional rows on the screen. */
export const erase = ({ cursor }: Frame, gained = 0): SafeText =>
  text`${begin}${toRow(cursor.y + gained, 0)}${eraseBelow}${end}`

/**
 * Returns the number of rows above the cursor that a frame gains if the terminal has become narrower and reflows. The
 * rows are measured as most terminals draw them, because too high a number would erase output above.
 */
export const addedRows = ({ cursor, rows }: Frame, columns: number): number =>
  rows
    .slice(0, cursor.y)
    .reduce((sum, row) => sum + Math.max(0, Math.ceil(drawnCells(row) / columns) - 1), Math.floor(cursor.x / columns))
