/** The bindings that move, delete and restore text: each is a step from one state to the next. Pure. */
import type { Command } from "./Bindings.ts"
import * as Draft from "./Draft.ts"
import * as DraftRows from "./DraftRows.ts"
import { setDraft, movedTo, type EditorState, undone } from "./EditorState.ts"
import * as History from "./History.ts"
import * as Words from "./Words.ts"

const move =
  (to: (draft: Draft.Draft) => number) =>
  (state: EditorState): EditorState =>
    movedTo(state, { ...state.draft, cursor: to(state.draft) })

/** Deletes the text between the cursor and a position. */
const deleteTo = (draft: Draft.Draft, position: number): Draft.Draft => {
  const range = [Math.min(position, draft.cursor), Math.max(position, draft.cursor)] as const
  return range[0] === range[1] ? draft : Draft.replace(draft, range, Draft.plain(""))
}

const erase =
  (to: (draft: Draft.Draft) => number) =>
  (state: EditorState): EditorState =>
    setDraft(state, deleteTo(state.draft, to(state.draft)), "erase")

/** Erases text, and stores it for `yank`; consecutive kills are stored as one text. */
const kill =
  (to: (draft: Draft.Draft) => number) =>
  (state: EditorState): EditorState => {
    const position = to(state.draft)
    const { cursor } = state.draft
    if (position === cursor) return { ...state, last: "other" }
    const cut = Draft.cut(state.draft, Math.min(position, cursor), Math.max(position, cursor))
    const kind = position < cursor ? "killLeft" : "killRight"
    const killed = kind !== state.last ? cut : kind === "killLeft" ? join(cut, state.killed) : join(state.killed, cut)
    return { ...setDraft(state, deleteTo(state.draft, position), kind), killed }
  }

const join = (left: Draft.MarkedText, right: Draft.MarkedText): Draft.MarkedText =>
  Draft.replace(left, [left.text.length, left.text.length], right)

const lineEndOrBreak = (draft: Draft.Draft): number => {
  const end = Words.lineEnd(draft, draft.cursor)
  return end === draft.cursor ? Draft.after(draft, end) : end
}

const lineStartOrBreak = (draft: Draft.Draft): number => {
  const start = Words.lineStart(draft, draft.cursor)
  return start === draft.cursor ? Draft.before(draft, start) : start
}

const setRecalled = (state: EditorState, found: History.RecallResult | null): EditorState =>
  found === null ? state : { ...setDraft(state, found.draft), history: found.history }

const older = (state: EditorState): EditorState => setRecalled(state, History.older(state.history, state.draft))

const newer = (state: EditorState): EditorState => setRecalled(state, History.newer(state.history))

/** Moves one row up or down, or through the history beyond the first and last row. */
const vertical =
  (by: 1 | -1) =>
  (state: EditorState): EditorState => {
    const rows = DraftRows.layout(state.draft, state.width)
    const { column, row } = DraftRows.positionOf(rows, state.draft.cursor)
    const aim = state.aim ?? column
    const position = DraftRows.vertical(rows, row, { by, column: aim })
    if (position !== null) return { ...movedTo(state, { ...state.draft, cursor: position.at }), aim }
    return by < 0 ? older(state) : newer(state)
  }

export const steps: Readonly<Partial<Record<Command, (state: EditorState) => EditorState>>> = {
  left: move((draft) => Draft.before(draft, draft.cursor)),
  right: move((draft) => Draft.after(draft, draft.cursor)),
  wordLeft: move((draft) => Words.left(draft, draft.cursor)),
  wordRight: move((draft) => Words.right(draft, draft.cursor)),
  lineStart: move((draft) => Words.lineStart(draft, draft.cursor)),
  lineEnd: move((draft) => Words.lineEnd(draft, draft.cursor)),
  textStart: move(() => 0),
  textEnd: move(({ text }) => text.length),
  up: vertical(-1),
  down: vertical(1),
  older,
  newer,
  eraseLeft: erase((draft) => Draft.before(draft, draft.cursor)),
  eraseRight: erase((draft) => Draft.after(draft, draft.cursor)),
  killBlankLeft: kill((draft) => Words.previousBlank(draft, draft.cursor)),
  killWordLeft: kill((draft) => Words.left(draft, draft.cursor)),
  killWordRight: kill((draft) => Words.right(draft, draft.cursor)),
  killToLineEnd: kill(lineEndOrBreak),
  killToLineStart: kill(lineStartOrBreak),
  yank: (state) => setDraft(state, Draft.insert(state.draft, state.killed)),
  newline: (state) => setDraft(state, Draft.insert(state.draft, Draft.plain("\n"))),
  undo: undone
}

export const type = (state: EditorState, text: string): EditorState =>
  setDraft(state, Draft.insert(state.draft, Draft.plain(text)), text.trim() === "" ? "blank" : "type")
