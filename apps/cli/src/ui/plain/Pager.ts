/** The part of a long question that is on the screen, and whether the user saw all of it. Pure. */
import type { SafeText } from "@bough/tui/text/SafeText"

export interface PagerState {
  /** The number of columns of the layout: another number restarts the reading. */
  readonly columns: number
  /** The first row that is shown. */
  readonly top: number
  /**
   * The number of rows, from the first on, that were shown on earlier pages; the next page begins right after them at
   * the latest.
   */
  readonly seen: number
}

export const unread: PagerState = { columns: 0, top: 0, seen: 0 }

export interface Sheet {
  readonly rows: ReadonlyArray<SafeText>
  readonly columns: number
  /** The rows that fit at once, including the one with the row count. */
  readonly room: number
}

export interface Window {
  readonly rows: ReadonlyArray<SafeText>
  /** The numbers of its first and last row, from 1. */
  readonly from: number
  readonly to: number
  /** True once all rows have been shown. */
  readonly isWhole: boolean
}

/** The rows of a page; less than one: the screen is too small to read anything. */
const pageOf = ({ room, rows }: Sheet): number => (rows.length <= room ? rows.length : room - 1)

const currentState = (reading: PagerState, sheet: Sheet): PagerState =>
  reading.columns === sheet.columns ? reading : { ...unread, columns: sheet.columns }

export const windowOf = (reading: PagerState, sheet: Sheet): Window => {
  const { rows } = sheet
  const { seen: seenRows, top } = currentState(reading, sheet)
  const page = Math.max(0, pageOf(sheet))
  const from = page >= rows.length ? 0 : Math.min(top, rows.length - page)
  const to = Math.min(rows.length, from + page)
  return {
    rows: rows.slice(from, to),
    from: from + 1,
    to,
    isWhole: Math.max(seenRows, to) >= rows.length
  }
}

/** Returns the next page; at the end the same page. */
export const next = (reading: PagerState, sheet: Sheet): PagerState => movePages(reading, sheet, 1)

export const previous = (reading: PagerState, sheet: Sheet): PagerState => movePages(reading, sheet, -1)

const movePages = (reading: PagerState, sheet: Sheet, pages: 1 | -1): PagerState => {
  const { from, to } = windowOf(reading, sheet)
  const { columns, seen: seenRows } = currentState(reading, sheet)
  const page = Math.max(0, pageOf(sheet))
  const last = Math.max(0, sheet.rows.length - page)
  const top = Math.max(0, Math.min(last, from - 1 + pages * page))
  return { columns, top, seen: Math.max(seenRows, to) }
}
