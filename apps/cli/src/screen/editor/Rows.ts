/** A draft in rows of a width: what each place of the text looks like and where it is. Pure; safe for a terminal. */
import stringWidth from "string-width"
import * as Escape from "../../Escape.ts"
import * as Draft from "./Draft.ts"
import * as Image from "./Image.ts"

/** One thing to be shown of a unit of the text: an unsafe character and an atom are shown as several. */
export interface Glyph {
  readonly text: string
  readonly cells: number
  /** Where its unit begins in the draft's text. */
  readonly start: number
  /** Whether it is the first of its unit. */
  readonly leads: boolean
  readonly atom: boolean
}

export interface Row {
  readonly glyphs: ReadonlyArray<Glyph>
  /** The place in the text after its last unit. */
  readonly end: number
  /** Whether the text has a line break here, or ends. */
  readonly ends: boolean
}

export interface Place {
  readonly at: number
  readonly row: number
  readonly column: number
}

/** Two cells of a wide character, and the cursor after it. */
export const narrowest = 4
const tab = "    "

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })
const emoji = /^\p{RGI_Emoji}$/v
const simple = /^[\u0020-\u007E]*$/u

export const cells = (text: string): number => (simple.test(text) ? text.length : stringWidth(text))

/** Emoji joined of several are a closed list: nothing hides in them. */
const safe = (grapheme: string): string => {
  const escaped = Escape.text(grapheme)
  return escaped.includes("\\u{") && emoji.test(grapheme) ? grapheme : escaped
}

export const labelOf = (piece: Draft.Piece, mark: Draft.Mark): string => {
  if (mark._tag === "Attached") return Image.label(mark.image)
  const folded = piece.text.slice(mark.start, mark.end)
  const lines = folded.split("\n").length
  return lines > 1 ? `[pasted ${lines} lines]` : `[pasted ${folded.length} characters]`
}

const parts = (text: string): ReadonlyArray<string> =>
  simple.test(text) ? text.split("") : Array.from(graphemes.segment(text), ({ segment }) => segment)

const shown = (text: string, start: number, atom: boolean): ReadonlyArray<Glyph> =>
  parts(text).map((part, index) => ({ text: part, cells: cells(part), start, leads: index === 0, atom }))

const glyphsOf = (grapheme: string, start: number, widest: number): ReadonlyArray<Glyph> => {
  if (grapheme === "\t") return shown(tab, start, false)
  const text = safe(grapheme)
  if (text !== grapheme || cells(text) <= widest) return shown(text, start, false)
  return Array.from(text, (part, index) => ({ text: part, cells: cells(part), start, leads: index === 0, atom: false }))
}

/** What is between two places without an atom or a line break inside. */
const run = (text: string, start: number, widest: number): ReadonlyArray<Glyph> => {
  let at = start
  return parts(text).flatMap((grapheme) => {
    const from = at
    at += grapheme.length
    return glyphsOf(grapheme, from, widest)
  })
}

interface Line {
  readonly glyphs: ReadonlyArray<Glyph>
  readonly end: number
}

const lines = (draft: Draft.Piece, widest: number): ReadonlyArray<Line> => {
  const found: Array<Line> = []
  let glyphs: Array<Glyph> = []
  const words = (start: number, end: number): void => {
    let at = start
    for (const [index, line] of draft.text.slice(start, end).split("\n").entries()) {
      if (index > 0) {
        found.push({ glyphs, end: at - 1 })
        glyphs = []
      }
      glyphs = glyphs.concat(run(line, at, widest))
      at += line.length + 1
    }
  }
  let read = 0
  for (const mark of draft.marks.filter(Draft.isAtom)) {
    words(read, mark.start)
    glyphs = glyphs.concat(shown(labelOf(draft, mark), mark.start, true))
    read = mark.end
  }
  words(read, draft.text.length)
  return [...found, { glyphs, end: draft.text.length }]
}

/** A row may be broken after a blank and after a wide character. */
const breaks = ({ atom, cells: width, text }: Glyph): boolean => !atom && (width === 2 || text.trim() === "")

const widthOf = (glyphs: ReadonlyArray<Glyph>): number => glyphs.reduce((sum, glyph) => sum + glyph.cells, 0)

const wrapped = ({ end, glyphs }: Line, most: number): ReadonlyArray<Row> => {
  const rows: Array<Row> = []
  let row: Array<Glyph> = []
  let width = 0
  let breakAt = 0
  for (const glyph of glyphs) {
    while (width + glyph.cells > most && row.length > 0) {
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

/** All rows, at least one; each leaves its last cell to the cursor. */
export const layout = (draft: Draft.Piece, width: number): ReadonlyArray<Row> => {
  const most = Math.max(narrowest, width) - 1
  return lines(draft, most).flatMap((line) => wrapped(line, most))
}

/** Where the cursor can stand in a row. */
const placesIn = (row: Row, index: number): ReadonlyArray<Place> => {
  let column = 0
  const places = row.glyphs.flatMap((glyph): ReadonlyArray<Place> => {
    const place = { at: glyph.start, row: index, column }
    column += glyph.cells
    return glyph.leads ? [place] : []
  })
  return row.ends ? [...places, { at: row.end, row: index, column }] : places
}

export const placeOf = (rows: ReadonlyArray<Row>, cursor: number): Place => {
  for (const [index, row] of rows.entries()) {
    const found = placesIn(row, index).find(({ at }) => at === cursor)
    if (found !== undefined) return found
  }
  return { at: cursor, row: 0, column: 0 }
}

/** The place a row up or down that is nearest to a column; null: there is no such row. */
export const vertical = (
  rows: ReadonlyArray<Row>,
  from: number,
  { by, column }: { readonly by: 1 | -1; readonly column: number }
): Place | null => {
  for (let index = from + by; index >= 0 && index < rows.length; index += by) {
    const row = rows[index]
    const places = row === undefined ? [] : placesIn(row, index)
    const found = places.findLast((place) => place.column <= column) ?? places[0]
    if (found !== undefined) return found
  }
  return null
}

/** Untrusted text in one line of at most so many cells. */
export const oneLine = (untrusted: string, most: number): string => {
  const text = Escape.line(untrusted)
  if (cells(text) <= most) return text
  let kept = ""
  let width = 0
  for (const part of parts(text)) {
    width += cells(part)
    if (width > most - 1) break
    kept += part
  }
  return most < 1 ? "" : `${kept}…`
}
