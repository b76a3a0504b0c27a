/**
 * The view of an editor: wrapped rows of spans, and the position of the cursor. It contains no colours and no control
 * characters.
 */
import { drawnCells } from "../text/drawnCells.ts"
import * as Escape from "../text/Escape.ts"
import { blanks, join, type SafeText, text as safe, trimEnd } from "../text/SafeText.ts"
import * as VimState from "../vim/VimState.ts"
import type { Completion } from "./Completion.ts"
import type * as Draft from "./Draft.ts"
import * as DraftRows from "./DraftRows.ts"
import type { EditorState } from "./EditorState.ts"
import * as Glyphs from "./Glyphs.ts"
import * as HistorySearch from "./HistorySearch.ts"
import * as Submission from "./Submission.ts"

/** `command`: a `!…` command, or the `/name` with which the text begins. */
export type Kind = "text" | "attachment" | "command" | "hint" | "completion" | "selected"

export interface Span {
  readonly kind: Kind
  readonly text: SafeText
}

export type Line = ReadonlyArray<Span>

export interface Row {
  readonly spans: Line
  /** True if the user broke the line here; otherwise it continues in the next row. */
  readonly ends: boolean
}

export interface View {
  /** The mode of the prompt: `command` for `!`, `search` during a search of the history. */
  readonly mode: Submission.Mode | "search"
  /** The vim mode for display; null: vim keys are off. */
  readonly vim: string | null
  /** The text; at least one row. */
  readonly rows: ReadonlyArray<Row>
  /** The position in `rows`, from 0; the column is less than the width. */
  readonly cursor: { readonly row: number; readonly column: number }
  /** The number of rows that did not fit the height. */
  readonly above: number
  readonly below: number
  /** The lines under the text: completions, hints. Each fits the width. */
  readonly footer: ReadonlyArray<Line>
}

export interface ViewOptions {
  /** The width in cells, at least 4. */
  readonly width: number
  /** The maximum number of rows of text, at least 1; default: all rows. */
  readonly height?: number
}

const maxItems = 8

export const view = (state: EditorState, options: ViewOptions): View => {
  const width = Math.max(DraftRows.narrowest, options.width)
  const draft = state.search === null ? state.draft : HistorySearch.draftOf(state.history, state.search)
  const mode = Submission.mode(state.syntax, draft)
  const rows = DraftRows.layout(draft, width)
  const cursorPosition = DraftRows.positionOf(rows, draft.cursor)
  const height = Math.max(1, options.height ?? rows.length)
  // Centres the cursor, as far as there is text above and below.
  const above = Math.max(0, Math.min(cursorPosition.row - Math.floor(height / 2), rows.length - height))
  const commandEnd =
    mode === "command" ? draft.text.length : mode === "slash" ? Submission.slashLength(state.syntax, draft.text) : 0
  const visible = rows.slice(above, above + height)
  return {
    mode: state.search === null ? mode : "search",
    vim: state.vim === null ? null : VimState.label(state.vim),
    rows: visible.map((row) => ({ spans: spans(row, commandEnd), ends: row.ends })),
    cursor: { row: cursorPosition.row - above, column: cursorPosition.column },
    above,
    below: rows.length - above - visible.length,
    footer: footer(state, draft, width)
  }
}

const spans = ({ glyphs }: DraftRows.Row, commandEnd: number): Line => {
  const out: Array<Span> = []
  for (const { atom, start, text } of glyphs) {
    const kind = atom ? "attachment" : start < commandEnd ? "command" : "text"
    const last = out.at(-1)
    if (last?.kind === kind) out[out.length - 1] = { kind, text: safe`${last.text}${text}` }
    else out.push({ kind, text })
  }
  return out
}

const hint = (text: string, width: number): Line => [{ kind: "hint", text: Glyphs.oneLine(text, width) }]

const maxHints = 4

/** Wraps a hint rather than cutting it, because the end of a hint names the fault. */
const hints = (text: string, width: number): ReadonlyArray<Line> =>
  DraftRows.layout({ text: Escape.line(text), marks: [] }, width + 1)
    .slice(0, maxHints)
    .map(({ glyphs }) => [
      {
        kind: "hint",
        text: trimEnd(join(glyphs.map((glyph) => glyph.text)))
      }
    ])

const footer = (state: EditorState, draft: Draft.Draft, width: number): ReadonlyArray<Line> => [
  ...(state.search === null ? [] : [hint(searchText(state.search), width)]),
  ...(state.completion === null ? [] : completionLines(state, state.completion, width)),
  ...(state.sending ? [hint("looking at the image; then it is sent (enter: now, without it)", width)] : []),
  ...(state.notice === null ? [] : hints(state.notice, width)),
  ...(draft.marks.some(({ _tag, end }) => _tag === "Folded" && end === draft.cursor)
    ? [hint("tab opens what was pasted", width)]
    : [])
]

const searchText = ({ at, query }: HistorySearch.Search): string =>
  query === ""
    ? "search the history: type a part of it"
    : `search the history: ${query}${at === null ? " (no match)" : " · ctrl-r older match, enter uses it"}`

const completionLines = (
  { syntax }: EditorState,
  { awaits, items, selected, token }: Completion,
  width: number
): ReadonlyArray<Line> => {
  if (items.length === 0) {
    if (awaits !== null) return []
    return [hint(token.kind === "path" ? "no file has such a name" : syntax.noCommand, width)]
  }
  const first = Math.max(0, Math.min(selected - Math.floor(maxItems / 2), items.length - maxItems))
  const visible = items.slice(first, first + maxItems)
  const column = Math.max(...visible.map(({ label }) => drawnCells(Glyphs.oneLine(label, width)))) + 2
  const more = items.length - visible.length
  const rows = visible.map(({ detail, label }, index): Line => {
    const text = Glyphs.oneLine(label, width)
    const kind = index + first === selected ? "selected" : "completion"
    const freeColumns = width - column
    return detail === "" || freeColumns < 8
      ? [{ kind, text }]
      : [
          { kind, text: safe`${text}${blanks(column - drawnCells(text))}` },
          { kind: "hint", text: Glyphs.oneLine(detail, freeColumns) }
        ]
  })
  return more === 0 ? rows : [...rows, hint(`… ${more} more`, width)]
}
