/**
 * vim keys for the editor: a state machine with an insert and a normal mode. Unused keys keep their usual meaning:
 * Escape in normal mode interrupts, and Enter sends. Pure.
 */
import * as Bindings from "../editor/Bindings.ts"
import * as Draft from "../editor/Draft.ts"
import * as EditCommands from "../editor/EditCommands.ts"
import { setDraft, type EditorState, movedTo } from "../editor/EditorState.ts"
import * as HistorySearch from "../editor/HistorySearch.ts"
import * as Words from "../editor/Words.ts"
import type { Key } from "../keys/Key.ts"
import { graphemes } from "../text/graphemes.ts"
import * as VimChange from "./VimChange.ts"
import { parse, type VimCommand } from "./VimCommand.ts"
import * as VimMotion from "./VimMotion.ts"
import type { VimState } from "./VimState.ts"

/** True if keys are commands. */
export const isNormal = ({ vim }: EditorState): boolean => vim?.mode === "normal"

/** Handles a key; null: the key has its usual meaning. */
export const press = (state: EditorState, key: Key): EditorState | null => {
  const { vim } = state
  if (vim === null) return null
  const command = state.bindings.get(Bindings.chord(key))
  if (vim.mode === "insert") return command === "leave" && state.completion === null ? toNormal(state, vim) : null
  const typed = Bindings.typedBy(key)
  if (typed !== "") return graphemes(typed).reduce(take, state)
  if (key.name === "backspace") return take(state, "h")
  if (key.name === "delete") return take(state, "x")
  if (vim.typed.length === 0) return null
  return command === "leave" ? withVim(state, { typed: [] }) : null
}

/** Handles a character in either mode. */
const take = (state: EditorState, character: string): EditorState => {
  const { vim } = state
  if (vim?.mode !== "normal" || state.search !== null) {
    return vim === null ? state : recordInsertion(state, EditCommands.type(state, character))
  }
  const typed = [...vim.typed, character]
  const parsed = parse(typed)
  if (parsed._tag === "Partial") return withVim(state, { typed })
  const waiting = { ...state, vim: { ...vim, typed: [] } }
  return parsed._tag === "Invalid" ? waiting : clampCursor(perform(waiting, parsed.command))
}

const withVim = (state: EditorState, change: Partial<VimState>): EditorState =>
  state.vim === null ? state : { ...state, vim: { ...state.vim, ...change } }

const perform = (state: EditorState, command: VimCommand): EditorState => {
  const { vim } = state
  if (vim === null) return state
  switch (command._tag) {
    case "Move":
      return move(state, vim, command)
    case "Undo":
      return repeat(state, command.count, (next) => EditCommands.steps.undo?.(next) ?? next)
    case "Search":
      return { ...state, search: HistorySearch.begin(state.draft), completion: null }
    case "Repeat": {
      const { last } = vim
      if (last === null) return state
      const { count } = command
      const again = change(
        state,
        count === null || !("count" in last.command) ? last.command : { ...last.command, count }
      )
      if (again.vim?.insertion === null || again.vim === null) return again
      const { inserted } = last
      const written = setDraft(again, Draft.insert(again.draft, Draft.plain(inserted)))
      return toNormal(written, { ...again.vim, insertion: { ...again.vim.insertion, inserted } })
    }
    default:
      return change(state, command)
  }
}

/** Performs a change, which `.` can then repeat. */
const change = (state: EditorState, command: VimCommand): EditorState => {
  const { next, vim } = VimChange.apply(state, command)
  const isOver = vim.insertion === null && !(command._tag === "Operate" && command.operator === "y")
  return { ...next, vim: isOver ? { ...vim, last: { command, inserted: "" } } : vim }
}

const repeat = (state: EditorState, count: number, step: (state: EditorState) => EditorState): EditorState => {
  let next = state
  for (let done = 0; done < count; done++) {
    const after = step(next)
    if (after.draft === next.draft) return after
    next = after
  }
  return next
}

const move = (
  state: EditorState,
  vim: VimState,
  { count, motion }: Extract<VimCommand, { readonly _tag: "Move" }>
): EditorState => {
  // Moves by displayed rows, and beyond them through the history.
  if (motion._tag === "Simple" && (motion.key === "j" || motion.key === "k")) {
    const step = EditCommands.steps[motion.key === "j" ? "down" : "up"]
    return repeat(state, count, (next) => step?.(next) ?? next)
  }
  const reached = VimMotion.reach(state.draft, { count, motion, find: vim.find })
  const next = reached === null ? state : movedTo(state, { ...state.draft, cursor: reached.offset })
  return motion._tag === "Find" ? withVim(next, { find: motion }) : next
}

/** Leaves insert mode: the inserted text is one undo step, and `.` repeats it. */
const toNormal = (state: EditorState, vim: VimState): EditorState => {
  const { insertion } = vim
  const { draft } = state
  if (insertion === null) return clampCursor({ ...state, draft: stepLeft(draft), vim: { ...vim, mode: "normal" } })
  const { before, command, inserted } = insertion
  const count = command._tag === "Insert" && !"oO".includes(command.position) ? command.count : 1
  const more = inserted.length * (count - 1) > maxRepeated ? "" : inserted.repeat(count - 1)
  const repeated = more === "" ? state : setDraft(state, Draft.insert(draft, Draft.plain(more)))
  const startIndex = repeated.undo.lastIndexOf(before)
  return clampCursor({
    ...repeated,
    draft: stepLeft(repeated.draft),
    undo: startIndex < 0 ? repeated.undo : repeated.undo.slice(0, startIndex + 1),
    last: "other",
    vim: { ...vim, mode: "normal", insertion: null, last: { command, inserted } }
  })
}

const maxRepeated = 100_000

const stepLeft = (draft: Draft.Draft): Draft.Draft =>
  draft.cursor === Words.lineStart(draft, draft.cursor)
    ? draft
    : { ...draft, cursor: Draft.before(draft, draft.cursor) }

/** Moves the cursor of normal mode, which is on a character unless its line is empty. */
export const clampCursor = (state: EditorState): EditorState => {
  const { draft, vim } = state
  if (vim?.mode !== "normal" || state.search !== null) return state
  const { cursor } = draft
  const isBehind = cursor === Words.lineEnd(draft, cursor) && cursor !== Words.lineStart(draft, cursor)
  return isBehind ? { ...state, draft: stepLeft(draft) } : state
}

/** Records the inserted text while it is one piece before the cursor. */
export const recordInsertion = (before: EditorState, after: EditorState): EditorState => {
  const insertion = after.vim?.insertion ?? null
  if (insertion === null || before.vim?.insertion !== insertion || before.draft === after.draft) return after
  const [old, now] = [before.draft, after.draft]
  const rest = old.text.slice(old.cursor)
  let start = 0
  const maxShared = Math.min(old.cursor, now.cursor)
  while (start < maxShared && old.text[start] === now.text[start]) start += 1
  const removed = old.cursor - start
  const isInPlace = now.text.slice(now.cursor) === rest && removed <= insertion.inserted.length
  const unchanged = isInPlace ? insertion.inserted.slice(0, insertion.inserted.length - removed) : ""
  const inserted = isInPlace ? unchanged + now.text.slice(start, now.cursor) : ""
  return withVim(after, { insertion: { ...insertion, inserted } })
}
