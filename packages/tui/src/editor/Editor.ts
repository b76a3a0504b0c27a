/** The input editor of a conversation: the user's text as a pure fold of events. `EditorView` shows it. */
import type { Key } from "../keys/Key.ts"
import * as Vim from "../vim/Vim.ts"
import * as Attachments from "./Attachments.ts"
import * as Bindings from "./Bindings.ts"
import * as CompletionMenu from "./CompletionMenu.ts"
import * as Draft from "./Draft.ts"
import * as DroppedPaths from "./DroppedPaths.ts"
import * as EditCommands from "./EditCommands.ts"
import type { Event } from "./EditorEvent.ts"
import { withAction, setDraft, withoutActions, type EditorState, type EditorUpdate } from "./EditorState.ts"
import * as History from "./History.ts"
import * as HistorySearch from "./HistorySearch.ts"
import { isLooking, mode, send } from "./Submission.ts"

export type { Action, Event, ListedPath } from "./EditorEvent.ts"
export type { Image } from "./Image.ts"
export {
  clear as cleared,
  initial,
  make,
  type EditorOptions,
  type EditorState,
  type EditorUpdate
} from "./EditorState.ts"

/** Pastes with more lines or more characters than this are folded. */
const maxOpenLines = 10
const maxOpenCharacters = 1000

export const update = (state: EditorState, event: Event): EditorUpdate => {
  if (event._tag === "ArgumentsKnown") return withoutActions(CompletionMenu.argumentsKnown(state, event))
  const { actions, state: next } = handleEvent(state, event)
  return CompletionMenu.updateCompletion(state, { actions, state: Vim.clampCursor(Vim.recordInsertion(state, next)) })
}

const handleEvent = (state: EditorState, event: Exclude<Event, { readonly _tag: "ArgumentsKnown" }>): EditorUpdate => {
  switch (event._tag) {
    case "KeyPressed":
      return state.sending ? pressWhileSending(state, event.key) : press({ ...state, notice: null }, event.key)
    case "Commanded":
      return run({ ...state, notice: null, sending: false }, event.command)
    case "Pasted":
      return paste({ ...state, notice: null, sending: false }, Draft.lineFeeds(event.text))
    case "Resized":
      return withoutActions({ ...state, width: event.width, aim: null })
    case "HistoryLoaded":
      return withoutActions({ ...state, history: History.addLoaded(state.history, event.entries) })
    case "Replaced":
      return withoutActions(
        setDraft({ ...state, search: null }, Draft.insert(Draft.empty, foldIfLong(Draft.lineFeeds(event.text))))
      )
    case "PathsCompleted":
      return withoutActions(CompletionMenu.withPaths(state, event))
    case "SyntaxChanged":
      return withoutActions({ ...state, syntax: event.syntax })
    case "ImagesFound": {
      const next = Attachments.addImages(state, event)
      return next.sending && !isLooking(next) ? send(next) : withoutActions(next)
    }
  }
}

const press = (state: EditorState, key: Key): EditorUpdate => {
  const text = Bindings.typedBy(key)
  const command = state.bindings.get(Bindings.chord(key))
  if (state.search !== null) return pressInSearch(state, state.search, key)
  const moved = Vim.press(state, key)
  if (moved !== null) return withoutActions(moved)
  if (text !== "") return withoutActions(EditCommands.type(state, text))
  return command === undefined ? withAction(state, { _tag: "Unused", key }) : run(state, command)
}

/** Handles keys while the submission waits for an image: Escape cancels it, Enter sends at once. */
const pressWhileSending = (state: EditorState, key: Key): EditorUpdate => {
  const next = { ...state, notice: null, sending: false }
  const command = state.bindings.get(Bindings.chord(key))
  if (command === "leave") return withoutActions(next)
  return command === "send" ? send({ ...next, looking: [] }) : press(next, key)
}

const run = (state: EditorState, command: Bindings.Command): EditorUpdate => {
  const completing = CompletionMenu.pressKey(state, command)
  if (completing !== null) return completing
  const isEmpty = state.draft.text === ""
  switch (command) {
    case "send":
      return send(state)
    case "leave":
      return withAction(state, { _tag: "Interrupt" })
    case "clear":
      return isEmpty ? withAction(state, { _tag: "Interrupt" }) : withoutActions(clearDraft(state))
    case "eraseRightOrQuit":
      return isEmpty ? withAction(state, { _tag: "Quit" }) : run(state, "eraseRight")
    case "search":
      return withoutActions({ ...state, search: HistorySearch.begin(state.draft), completion: null })
    case "complete":
      return withoutActions(unfold(state))
    default:
      return withoutActions(EditCommands.steps[command]?.(state) ?? state)
  }
}

/** Clears the text; undo restores it. */
const clearDraft = (state: EditorState): EditorState => {
  const { entries } = state.history
  return { ...setDraft(state, Draft.empty), history: { entries, at: entries.length, kept: Draft.empty } }
}

/** Unfolds the text before the cursor. */
const unfold = (state: EditorState): EditorState => {
  const { draft } = state
  const marks = draft.marks.filter((mark) => mark._tag !== "Folded" || mark.end !== draft.cursor)
  return setDraft(state, Draft.at({ ...draft, marks }, draft.cursor))
}

const foldIfLong = (text: string): Draft.MarkedText => {
  const isLong = text.length > maxOpenCharacters || text.split("\n").length > maxOpenLines
  return { text, marks: isLong ? [{ _tag: "Folded", start: 0, end: text.length }] : [] }
}

const paste = (state: EditorState, text: string): EditorUpdate => {
  if (text === "") return withoutActions(state)
  if (state.search !== null)
    return withoutActions(setQuery(state, state.search, state.search.query + text.split("\n")[0]))
  const { cursor } = state.draft
  const marked = DroppedPaths.markPaths(text, Attachments.nextRequest(state))
  const isCommand = mode(state.syntax, state.draft) === "command" && cursor > 0
  return Attachments.insertPiece(
    state,
    [cursor, cursor],
    isCommand || marked.marks.length === 0 ? foldIfLong(text) : marked
  )
}

const setQuery = (state: EditorState, search: HistorySearch.Search, query: string): EditorState => ({
  ...state,
  search: HistorySearch.setQuery(state.history, search, query)
})

/** Handles keys of the search: letters extend the query; any other key accepts the match and has its usual effect. */
const pressInSearch = (state: EditorState, search: HistorySearch.Search, key: Key): EditorUpdate => {
  const text = Bindings.typedBy(key)
  if (text !== "") return withoutActions(setQuery(state, search, search.query + text))
  const command = state.bindings.get(Bindings.chord(key))
  const closed = { ...state, search: null }
  const acceptMatch = (): EditorState => {
    const next = setDraft(closed, HistorySearch.draftOf(state.history, search))
    return search.at === null ? next : { ...next, history: { ...state.history, at: search.at, kept: search.kept } }
  }
  switch (command) {
    case undefined:
      return Bindings.chord(key) === "ctrl-g" ? withoutActions(closed) : withAction(state, { _tag: "Unused", key })
    case "search":
      return withoutActions({ ...state, search: HistorySearch.olderMatch(state.history, search) })
    case "eraseLeft":
      return withoutActions(
        setQuery(state, search, search.query.slice(0, Draft.before(Draft.plain(search.query), search.query.length)))
      )
    case "leave":
    case "clear":
      return withoutActions(closed)
    case "send":
    case "complete":
      return withoutActions(acceptMatch())
    default:
      return run(acceptMatch(), command)
  }
}
