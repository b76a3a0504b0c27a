/** The frame of a full-screen transcript: title, visible rows, and keys. Pure. */
import type { Frame } from "@bough/tui/screen/Frame"
import { drawnCells } from "@bough/tui/text/drawnCells"
import * as Escape from "@bough/tui/text/Escape"
import * as Rows from "@bough/tui/text/Rows"
import { empty, type SafeText, text } from "@bough/tui/text/SafeText"
import type { Viewer } from "./Viewer.ts"
import * as ViewerRows from "./ViewerRows.ts"

export const layout = (viewer: Viewer, size: ViewerRows.ViewerSize): Frame => {
  const { columns, theme } = size
  const body = ViewerRows.visibleRows(viewer, size)
  const height = Math.max(1, size.rows - ViewerRows.frameRows)
  const filler = Array.from({ length: Math.max(0, height - body.length) }, () => empty)
  const head = theme.bold(theme.accent(Rows.cut(Escape.line(viewer.title), columns)))
  const sign = viewer.drafts === "search" ? text`/` : text`✎`
  const written = viewer.draft === null ? null : text`${theme.accent(sign)} ${tail(viewer.draft, columns - 3)}`
  const rows = [head, ...body, ...filler, written ?? theme.dim(keys(viewer, columns))]
  const x = written === null ? 0 : Math.min(columns - 1, drawnCells(written))
  return { rows, cursor: { x, y: rows.length - 1 } }
}

/** The end of the text that is being typed. */
const tail = (draft: string, columns: number): SafeText =>
  Rows.breakHard(Escape.line(draft), Math.max(2, columns)).at(-1) ?? empty

/** The keys. A narrow screen shows only the important ones, and always the key that closes the transcript. */
const keys = (viewer: Viewer, columns: number): SafeText => {
  const offered = keysOf(viewer)
  const shown = offered.find((row) => Rows.width(row) <= columns) ?? offered.at(-1) ?? empty
  return Rows.cut(shown, columns)
}

/** The texts about the keys, the longest first. */
const keysOf = ({ asksToStop, isChild, search, top }: Viewer): ReadonlyArray<SafeText> => {
  if (asksToStop) return [text`x again stops it · any other key cancels`]
  if (search !== null) {
    const query = Rows.cut(Escape.line(search.wanted), 24)
    return search.at === null
      ? [text`not found: ${query} · / another text · Esc back`, text`not found · / another · Esc back`]
      : [
          text`${query} · n next · N previous · / another text · Esc ends the search`,
          text`n next · N previous · / another · Esc ends it`
        ]
  }
  const child = isChild ? text`s steer · x stop · ` : empty
  const follows = top === null ? empty : text` · End to follow`
  return [
    text`${child}↑↓ choose · Enter open or close · a open or close all · / find · Esc back${follows}`,
    text`${child}↑↓ Enter open · a all · / find · Esc back${follows}`,
    text`${child}↑↓ Enter open · / find · Esc back`,
    text`${child}/ find · Esc back`
  ]
}
