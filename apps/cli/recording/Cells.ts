/** Rows of a terminal with their colours, as data: runs of equal style, each with the cell where it begins. Pure. */
import * as Rows from "@bough/tui/text/Rows"

export interface Look {
  readonly bold: boolean
  readonly dim: boolean
  readonly italic: boolean
  readonly strike: boolean
  readonly inverse: boolean
  /** One of the terminal's sixteen colours; null: its default. */
  readonly color: number | null
}

export interface Run {
  readonly text: string
  readonly column: number
  readonly cells: number
  readonly look: Look
}

const plain: Look = { bold: false, dim: false, italic: false, strike: false, inverse: false, color: null }

// oxlint-disable-next-line no-control-regex -- this is the sequence that sets colours
const colours = /\u001B\[([\d;]*)m/gu

/** Parses printed rows. Escape sequences set the colours, which continue from row to row. */
export const parse = (printed: string): ReadonlyArray<ReadonlyArray<Run>> => {
  let look = plain
  return printed.split("\n").map((row) => {
    const runs: Array<Run> = []
    let column = 0
    const add = (text: string): void => {
      if (text === "") return
      const cells = Rows.width(text)
      runs.push({ text, column, cells, look })
      column += cells
    }
    let from = 0
    for (const found of row.matchAll(colours)) {
      add(row.slice(from, found.index))
      look = found[1].split(";").map(Number).reduce(after, look)
      from = found.index + found[0].length
    }
    add(row.slice(from))
    return runs
  })
}

/** Fails for a colour outside the sixteen, which would be lost: the program uses no other. */
const after = (look: Look, code: number): Look => {
  if (code >= 30 && code <= 37) return { ...look, color: code - 30 }
  if (code >= 90 && code <= 97) return { ...look, color: code - 90 + 8 }
  switch (code) {
    case 0:
      return plain
    case 1:
      return { ...look, bold: true }
    case 2:
      return { ...look, dim: true }
    case 3:
      return { ...look, italic: true }
    case 7:
      return { ...look, inverse: true }
    case 9:
      return { ...look, strike: true }
    case 22:
      return { ...look, bold: false, dim: false }
    case 23:
      return { ...look, italic: false }
    case 27:
      return { ...look, inverse: false }
    case 29:
      return { ...look, strike: false }
    case 39:
      return { ...look, color: null }
    case 49:
      // The program never sets the background.
      return look
    default:
      throw new Error(`no such colour here: ${code}`)
  }
}
