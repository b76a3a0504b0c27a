/** Lays out a draft in rows of a given width, with the position of each part of the text. Pure. */
import * as Draft from "./Draft.ts"
import * as Glyphs from "./Glyphs.ts"
import type { Glyph } from "./Glyphs.ts"

export interface Row {
  readonly glyphs: ReadonlyArray<Glyph>
  /** The position in the text after its last unit. */
  readonly end: number
  /** True if the text has a line break here, or ends here. */
  readonly ends: boolean
}

export interface CursorPosition {
  readonly at: number
  readonly row: number
  readonly column: number
}

/** The narrowest width: a row for a wide character of two cells, with the cursor after it. */
export const narrowest = 4
interface Line {
  readonly glyphs: ReadonlyArray<Glyph>
  readonly end: number
}

const lines = (draft: Draft.MarkedText, widest: number): ReadonlyArray<Line> => {
  const found: Array<Line> = []
  let line: Array<Glyph> = []
  const words = (start: number, end: number): void => {
    let at = start
    for (const [index, text] of draft.text.slice(start, end).split("\n").entries()) {
      if (index > 0) {
        found.push({ glyphs: line, end: at - 1 })
        line = []
      }
      line = line.concat(Glyphs.fromText(text, at, widest))
      at += text.length + 1
    }
  }
  let read = 0
  for (const mark of draft.marks.filter(Draft.isAtom)) {
    words(read, mark.start)
    line = line.concat(Glyphs.glyphsOfAtom(draft, mark))
    read = mark.end
  }
  words(read, draft.text.length)
  return [...found, { glyphs: line, end: draft.text.length }]
}

/** True after a blank and after a wide character, where a row may be broken. */
const breaks = ({ atom, cells: width, text }: Glyph): boolean => !atom && (width === 2 || text.trim() === "")

const widthOf = (glyphs: ReadonlyArray<Glyph>): number => glyphs.reduce((sum, glyph) => sum + glyph.cells, 0)

const wrap = ({ end, glyphs: all }: Line, maxWidth: number): ReadonlyArray<Row> => {
  const rows: Array<Row> = []
  let row: Array<Glyph> = []
  let width = 0
  let breakAt = 0
  for (const glyph of all) {
    while (width + glyph.cells > maxWidth && row.length > 0) {
      const keep = breakAt > 0 && !breaks(glyph) ? breakAt : row.length
      const carried = row.slice(keep)
      rows.push({ glyphs: row.slice(0, keep), end: carried[0]?.start ?? glyph.start, ends: false })
      row = carried
      width = widthOf(carried)
      breakAt = 0
    }
    row.push(glyph)
    width += glyph.cells
    if (breaks(glyph)) breakAt = row.length
  }
  return [...rows, { glyphs: row, end, ends: true }]
}

/** Caches the last layout, because moving the cursor and showing the text need the same one. */
const laid = new WeakMap<Draft.MarkedText, { readonly width: number; readonly rows: ReadonlyArray<Row> }>()

/** Returns all rows, at least one. Each row reserves its last cell for the cursor. */
export const layout = (draft: Draft.MarkedText, width: number): ReadonlyArray<Row> => {
  const found = laid.get(draft)
  if (found?.width === width) return found.rows
  const maxWidth = Math.max(narrowest, width) - 1
  const rows = lines(draft, maxWidth).flatMap((line) => wrap(line, maxWidth))
  laid.set(draft, { width, rows })
  return rows
}

/** Returns the cursor positions in a row. */
const placesIn = (row: Row, index: number): ReadonlyArray<CursorPosition> => {
  let column = 0
  const positions = row.glyphs.flatMap((glyph): ReadonlyArray<CursorPosition> => {
    const position = { at: glyph.start, row: index, column }
    column += glyph.cells
    return glyph.leads ? [position] : []
  })
  return row.ends ? [...positions, { at: row.end, row: index, column }] : positions
}

export const positionOf = (rows: ReadonlyArray<Row>, cursor: number): CursorPosition => {
  for (const [index, row] of rows.entries()) {
    if (row.end < cursor) continue
    const found = placesIn(row, index).find(({ at }) => at === cursor)
    if (found !== undefined) return found
  }
  return { at: cursor, row: 0, column: 0 }
}

/** Returns the position one row up or down that is nearest to a column; null: there is no such row. */
export const vertical = (
  rows: ReadonlyArray<Row>,
  from: number,
  { by, column }: { readonly by: 1 | -1; readonly column: number }
): CursorPosition | null => {
  for (let index = from + by; index >= 0 && index < rows.length; index += by) {
    const row = rows[index]
    const positions = row === undefined ? [] : placesIn(row, index)
    const found = positions.findLast((position) => position.column <= column) ?? positions[0]
    if (found !== undefined) return found
  }
  return null
}
