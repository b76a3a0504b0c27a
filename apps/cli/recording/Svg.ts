/** A screen as a picture: text on the grid of its cells, lines for the box-drawing characters. Pure. */
import * as Rows from "@bough/tui/text/Rows"
import type { Look, Run } from "./Cells.ts"

const cell = { width: 8.4, height: 19 }
const fontSize = 14
const padding = 16
/** The distance from the top of a row to the baseline of its text. */
const baseline = 14

const background = "#0d1117"
const foreground = "#e6edf3"
/** The sixteen colours: black, red, green, yellow, blue, magenta, cyan, white, and each bright. */
const palette = [
  ["#484f58", "#ff7b72", "#3fb950", "#d29922", "#58a6ff", "#bc8cff", "#39c5cf", "#b1bac4"],
  ["#6e7681", "#ffa198", "#56d364", "#e3b341", "#79c0ff", "#d2a8ff", "#56d4dd", "#ffffff"]
].flat()

export interface Picture {
  readonly title: string
  readonly columns: number
  readonly rows: ReadonlyArray<ReadonlyArray<Run>>
}

export const of = ({ columns, rows, title }: Picture): string => {
  const width = round(columns * cell.width + 2 * padding)
  const height = round(rows.length * cell.height + 2 * padding)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="${background}"/>`,
    `<g transform="translate(${padding} ${padding})" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${fontSize}" stroke-width="1.2">`,
    ...rows.flatMap((runs, row) => runs.flatMap((run) => drawn(run, row))),
    "</g>",
    "</svg>",
    ""
  ].join("\n")
}

const drawn = (run: Run, row: number): ReadonlyArray<string> => {
  const { inverse } = run.look
  const block = inverse
    ? [
        `<rect x="${at(run.column)}" y="${row * cell.height}" width="${at(run.cells)}" height="${cell.height}"${painted("fill", run.look)}/>`
      ]
    : []
  return [...block, ...linesOf(run, row), ...textOf(run, row)]
}

const [halfWidth, halfHeight] = [cell.width / 2, cell.height / 2]
const [up, down, left, right] = [`v${-halfHeight}`, `v${halfHeight}`, `h${-halfWidth}`, `h${halfWidth}`]

/** The directions of lines in a cell, each from its centre. */
const lines = new Map([
  ["│", [up, down]],
  ["─", [left, right]],
  ["┌", [down, right]],
  ["└", [up, right]],
  ["├", [up, down, right]]
])
const line = /[│─┌└├]/gu

const linesOf = ({ column, look, text }: Run, row: number): ReadonlyArray<string> => {
  const y = round(row * cell.height + halfHeight)
  const paths = Array.from(text.matchAll(line), (found) => {
    const x = at(column + Rows.width(text.slice(0, found.index)) + 0.5)
    return (lines.get(found[0]) ?? []).map((way) => `M${x} ${y}${way}`).join("")
  })
  return paths.length === 0 ? [] : [`<path d="${paths.join("")}"${painted("stroke", look)}/>`]
}

const textOf = ({ column, look, text }: Run, row: number): ReadonlyArray<string> => {
  const words = text.replaceAll(line, " ")
  const lead = words.length - words.trimStart().length
  const shown = words.trim()
  if (shown === "") return []
  const width = Rows.width(shown)
  const attributes = [
    `x="${at(column + lead)}" y="${round(row * cell.height + baseline)}"`,
    // Fixes the width, so that any font fits the cells.
    width > 1 ? ` textLength="${at(width)}" lengthAdjust="spacingAndGlyphs"` : "",
    look.bold ? ' font-weight="bold"' : "",
    look.italic ? ' font-style="italic"' : "",
    look.strike ? ' text-decoration="line-through"' : "",
    look.inverse ? ` fill="${background}"` : painted("fill", look)
  ]
  return [`<text xml:space="preserve" ${attributes.join("")}>${escaped(shown)}</text>`]
}

const painted = (what: "fill" | "stroke", { color, dim }: Look): string =>
  ` ${what}="${color === null ? foreground : palette[color]}"${dim ? ` ${what}-opacity="0.65"` : ""}`

const at = (cells: number): number => round(cells * cell.width)

const round = (value: number): number => Math.round(value * 10) / 10

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
