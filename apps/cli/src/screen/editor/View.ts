/** What is seen of an editor: wrapped rows of spans, and where the cursor stands. Without colours; safe for a terminal. */
import * as Escape from "../../Escape.ts"
import { wrap } from "../../terminal/Layout.ts"
import type { State } from "./Editor.ts"

/** `command`: the `!…` or the `/name` that the text begins with. */
export type Kind = "text" | "attachment" | "command" | "hint" | "completion" | "selected"

export interface Span {
  readonly kind: Kind
  readonly text: string
}

export type Line = ReadonlyArray<Span>

export interface Row {
  readonly spans: Line
  /** Whether the person broke the line here; else it goes on in the next row. */
  readonly ends: boolean
}

export interface View {
  /** What the prompt should say: `command` for `!`, `search` while going through the history. */
  readonly mode: "message" | "command" | "slash" | "search"
  /** The text; at least one row. */
  readonly rows: ReadonlyArray<Row>
  /** In `rows`, from 0; a column of at most `width - 1` cells. */
  readonly cursor: { readonly row: number; readonly column: number }
  /** Rows that did not fit `height`. */
  readonly above: number
  readonly below: number
  /** Under the text: completions, hints. Each fits the width. */
  readonly footer: ReadonlyArray<Line>
}

export interface Options {
  /** Cells, at least 4. */
  readonly width: number
  /** Most rows of text; default: all. */
  readonly height?: number
}

export const view = (state: State, { width }: Options): View => {
  const rows = wrap(Escape.text(state.text), width - 1)
  const before = wrap(Escape.text(state.text.slice(0, state.cursor)), width - 1)
  return {
    mode: "message",
    rows: rows.map((text) => ({ spans: [{ kind: "text", text }], ends: true })),
    cursor: { row: before.length - 1, column: before.at(-1)?.length ?? 0 },
    above: 0,
    below: 0,
    footer: []
  }
}
