/** The commands of vim's normal mode that change the draft or begin a change. Pure. */
import * as Draft from "../editor/Draft.ts"
import { setDraft, type EditorState, movedTo } from "../editor/EditorState.ts"
import * as Words from "../editor/Words.ts"
import type { InsertPosition, VimCommand } from "./VimCommand.ts"
import * as VimMotion from "./VimMotion.ts"
import * as VimRange from "./VimRange.ts"
import * as VimState from "./VimState.ts"

export interface VimUpdate {
  readonly next: EditorState
  readonly vim: VimState.VimState
}

export const apply = (state: EditorState, command: VimCommand): VimUpdate => {
  const vim = state.vim ?? VimState.initial
  const only = (next: EditorState): VimUpdate => ({ next, vim })
  switch (command._tag) {
    case "Operate":
      return operate(state, vim, command)
    case "Insert":
      return insert(state, vim, command)
    case "Replace":
      return only(replace(state, command))
    case "ToggleCase":
      return only(toggleCase(state, command.count))
    case "Put":
      return only(put(state, vim, command))
    case "Join":
      return only(join(state, Math.max(1, command.count - 1)))
    default:
      return only(state)
  }
}

const begin = (next: EditorState, vim: VimState.VimState, begun: Omit<VimState.Insertion, "inserted">): VimUpdate => ({
  next,
  vim: { ...vim, mode: "insert", insertion: { ...begun, inserted: "" } }
})

const operate = (
  state: EditorState,
  vim: VimState.VimState,
  command: Extract<VimCommand, { readonly _tag: "Operate" }>
): VimUpdate => {
  const { operator, target } = command
  const { draft } = state
  const find = target._tag === "Motion" && target.motion._tag === "Find" ? target.motion : vim.find
  const range = VimRange.rangeOf(draft, { ...command, find: vim.find })
  const known = { ...vim, find }
  // `cl` at the end of a line and `ci"` between two quotes have nothing to delete, and only start insert mode.
  if (range === null || (range.start === range.end && !range.isLines)) {
    if (operator !== "c" || (range === null && target._tag === "Object")) return { next: state, vim: known }
    const offset = range?.start ?? draft.cursor
    const next = movedTo(state, { ...draft, cursor: offset })
    return begin(next, known, { command, before: next.draft })
  }
  const piece = Draft.cut(draft, range.start, range.end)
  const lines = range.isLines ? piece : null
  const killed = { ...state, killed: piece }
  const after = { ...known, lines }
  if (operator === "y") {
    const cursor = range.isLines ? Math.min(draft.cursor, range.start + piece.text.length) : range.start
    return { next: movedTo(killed, { ...draft, cursor }), vim: after }
  }
  if (operator === "c" || !range.isLines) {
    const next = setDraft(killed, Draft.at(deleteRange(draft, range), range.start))
    return operator === "c" ? begin(next, after, { command, before: draft }) : { next, vim: after }
  }
  const hasNext = range.end < draft.text.length
  const lineRange = {
    start: hasNext || range.start === 0 ? range.start : range.start - 1,
    end: hasNext ? range.end + 1 : range.end
  }
  const remainingDraft = Draft.at(deleteRange(draft, lineRange), range.start)
  const cursor = VimMotion.firstText(remainingDraft, Words.lineStart(remainingDraft, remainingDraft.cursor))
  return { next: setDraft(killed, { ...remainingDraft, cursor }), vim: after }
}

const deleteRange = (draft: Draft.Draft, { end, start }: Pick<VimRange.Range, "start" | "end">): Draft.Draft =>
  Draft.replace(draft, [start, end], Draft.plain(""))

const insert = (
  state: EditorState,
  vim: VimState.VimState,
  command: Extract<VimCommand, { readonly _tag: "Insert" }>
): VimUpdate => {
  const { draft } = state
  if (command.position === "o" || command.position === "O") {
    const isAbove = command.position === "O"
    const lineEdge = isAbove ? Words.lineStart(draft, draft.cursor) : Words.lineEnd(draft, draft.cursor)
    const opened = Draft.replace(draft, [lineEdge, lineEdge], Draft.plain("\n"))
    const next = setDraft(state, isAbove ? { ...opened, cursor: lineEdge } : opened)
    return begin(next, vim, { command, before: draft })
  }
  const next = movedTo(state, { ...draft, cursor: insertOffset(draft, command.position) })
  return begin(next, vim, { command, before: next.draft })
}

const insertOffset = (draft: Draft.Draft, position: Exclude<InsertPosition, "o" | "O">): number => {
  const { cursor } = draft
  switch (position) {
    case "i":
      return cursor
    case "a":
      return cursor === Words.lineEnd(draft, cursor) ? cursor : Draft.after(draft, cursor)
    case "I":
      return VimMotion.firstText(draft, Words.lineStart(draft, cursor))
    case "A":
      return Words.lineEnd(draft, cursor)
  }
}

/** Returns the end of `count` graphemes of the line from the cursor on; null: there are fewer. */
const unitsEnd = (draft: Draft.Draft, count: number): number | null => {
  const limit = Words.lineEnd(draft, draft.cursor)
  let at = draft.cursor
  for (let remaining = count; remaining > 0; remaining--) {
    if (at >= limit) return null
    at = Draft.after(draft, at)
  }
  return at
}

const replace = (
  state: EditorState,
  { character, count }: Extract<VimCommand, { readonly _tag: "Replace" }>
): EditorState => {
  const { draft } = state
  const end = unitsEnd(draft, count)
  if (end === null) return state
  const next = Draft.replace(draft, [draft.cursor, end], Draft.plain(character.repeat(count)))
  return setDraft(state, { ...next, cursor: Draft.before(next, next.cursor) })
}

const toggleCase = (state: EditorState, count: number): EditorState => {
  let { draft } = state
  for (let remaining = count; remaining > 0 && draft.cursor < Words.lineEnd(draft, draft.cursor); remaining--) {
    const end = Draft.after(draft, draft.cursor)
    const unit = draft.text.slice(draft.cursor, end)
    const isAtom = draft.marks.some((mark) => Draft.isAtom(mark) && mark.start === draft.cursor)
    const toggled = unit === unit.toLowerCase() ? unit.toUpperCase() : unit.toLowerCase()
    draft =
      isAtom || toggled === unit
        ? { ...draft, cursor: end }
        : Draft.replace(draft, [draft.cursor, end], Draft.plain(toggled))
  }
  return setDraft(state, draft)
}

const joinText = (left: Draft.MarkedText, right: Draft.MarkedText): Draft.MarkedText =>
  Draft.replace(left, [left.text.length, left.text.length], right)

const put = (
  state: EditorState,
  vim: VimState.VimState,
  { count, isBefore }: Extract<VimCommand, { readonly _tag: "Put" }>
): EditorState => {
  const { draft, killed } = state
  const isLines = vim.lines !== null && vim.lines === killed
  if (killed.text.length * count > maxPut || (killed.text === "" && !isLines)) return state
  const feed = Draft.plain("\n")
  const copy = !isLines ? killed : isBefore ? joinText(killed, feed) : joinText(feed, killed)
  let piece = copy
  for (let remaining = count - 1; remaining > 0; remaining--) piece = joinText(piece, copy)
  if (isLines) {
    const lineEdge = isBefore ? Words.lineStart(draft, draft.cursor) : Words.lineEnd(draft, draft.cursor)
    const next = Draft.replace(draft, [lineEdge, lineEdge], piece)
    const line = isBefore ? lineEdge : lineEdge + 1
    return setDraft(state, { ...next, cursor: VimMotion.firstText(next, line) })
  }
  const offset = isBefore ? draft.cursor : insertOffset(draft, "a")
  const next = Draft.replace(draft, [offset, offset], piece)
  return setDraft(state, { ...next, cursor: Draft.before(next, next.cursor) })
}

const maxPut = 1_000_000

const join = (state: EditorState, times: number): EditorState => {
  let { draft } = state
  for (let remaining = times; remaining > 0; remaining--) {
    const end = Words.lineEnd(draft, draft.cursor)
    if (end === draft.text.length) break
    const to = VimMotion.firstText(draft, end + 1)
    const blank = to === Words.lineEnd(draft, to) ? "" : " "
    draft = { ...Draft.replace(draft, [end, to], Draft.plain(blank)), cursor: end }
  }
  return setDraft(state, draft)
}
