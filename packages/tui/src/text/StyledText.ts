/**
 * Splits styled text into units between which a row may be broken, and joins them again with complete colours on every
 * row. Pure.
 */
import { type SafeText, unchecked } from "./SafeText.ts"
import { cells, units } from "./Width.ts"

export interface Unit {
  readonly text: string
  readonly cells: number
  /** The active sequences, outermost first. */
  readonly on: ReadonlyArray<string>
}

// oxlint-disable-next-line no-control-regex -- the sequences that colours and links are made of
const sequence = /(\u001B\[[\d;]+m|\u001B\]8;;[!-~]*?\u001B\\)/u
const number = /\d+/u
const linkStart = "\u001B]8;;"
const linkEnd = "\u001B]8;;\u001B\\"

/** Maps the sequence that begins a colour or a link to the sequence that ends it. */
const endSequenceOf = (on: string): string => {
  if (on.startsWith(linkStart)) return linkEnd
  const code = Number(number.exec(on)?.[0])
  const off = code === 1 || code === 2 ? 22 : code < 10 ? 20 + code : code === 48 ? 49 : 39
  return `\u001B[${off}m`
}

const isOff = (found: string): boolean => {
  if (found.startsWith(linkStart)) return found === linkEnd
  const code = Number(number.exec(found)?.[0])
  return (code > 20 && code < 30) || code === 39 || code === 49
}

/** Returns the units of one line. */
export const unitsOf = (line: SafeText, columns: number): ReadonlyArray<Unit> => {
  let on: ReadonlyArray<string> = []
  const lineUnits: Array<Unit> = []
  for (const [at, part] of line.split(sequence).entries()) {
    if (at % 2 === 0) for (const text of units(part, columns)) lineUnits.push({ text, cells: cells(text), on })
    else if (isOff(part)) on = withoutLast(on, part)
    else on = [...on, part]
  }
  return lineUnits
}

/** Returns the active sequences without the innermost style that the sequence ends. */
const withoutLast = (on: ReadonlyArray<string>, off: string): ReadonlyArray<string> => {
  const last = on.findLastIndex((sequence) => endSequenceOf(sequence) === off)
  return on.filter((_, at) => at !== last)
}

export const textOf = (row: ReadonlyArray<Unit>): SafeText => {
  let text = ""
  let on: ReadonlyArray<string> = []
  for (const unit of row) {
    if (unit.on !== on) text += change(on, unit.on)
    ;({ on } = unit)
    text += unit.text
  }
  return unchecked(text + change(on, []))
}

/** Changes the styles: ends the differing ones, innermost first, then begins the new ones, outermost first. */
const change = (from: ReadonlyArray<string>, to: ReadonlyArray<string>): string => {
  const first = from.findIndex((sequence, at) => to[at] !== sequence)
  const same = first === -1 ? from.length : first
  return [...from.slice(same).toReversed().map(endSequenceOf), ...to.slice(same)].join("")
}

/** Returns the text of a row without colours and links. */
export const plain = (row: SafeText): string =>
  row
    .split(sequence)
    .filter((_, at) => at % 2 === 0)
    .join("")

export interface PaintedRange {
  /** Positions in the plain text of the row, in UTF-16 units. */
  readonly from: number
  readonly to: number
  readonly paint: (part: SafeText) => SafeText
}

/** Paints a part of a row in addition to its own styles. */
export const paintRange = (row: SafeText, { from, paint, to }: PaintedRange): SafeText => {
  const parts: [Array<Unit>, Array<Unit>, Array<Unit>] = [[], [], []]
  let at = 0
  for (const unit of unitsOf(row, Infinity)) {
    parts[at < from ? 0 : at < to ? 1 : 2].push(unit)
    at += unit.text.length
  }
  const [before, within, after] = parts.map(textOf)
  return unchecked(`${before}${within === "" ? "" : paint(within)}${after}`)
}

/** Replaces the beginning of a row; a row with another beginning is unchanged. */
export const replaceLead = (row: SafeText, lead: SafeText, replacement: SafeText): SafeText =>
  row.startsWith(lead) ? unchecked(`${replacement}${row.slice(lead.length)}`) : row
