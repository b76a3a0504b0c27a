/** All that the editor keeps between two events. */
import type { Completion, Known } from "./Completion.ts"
import * as Draft from "./Draft.ts"
import * as History from "./History.ts"
import type { Action } from "./EditorEvent.ts"
import { type InputSyntax, messages } from "./InputSyntax.ts"
import type { Search } from "./HistorySearch.ts"

/** The effect of the last key: the same again joins it in one step of undo, or in one killed text. */
export type Last = "type" | "blank" | "erase" | "killLeft" | "killRight" | "other"

export interface EditorState {
  readonly syntax: InputSyntax
  readonly draft: Draft.Draft
  readonly width: number
  readonly last: Last
  /** The column that up and down aim at; null: the cursor's own. */
  readonly aim: number | null
  /** Earlier drafts, newest last. */
  readonly undo: ReadonlyArray<Draft.Draft>
  readonly killed: Draft.Piece
  readonly history: History.History
  readonly search: Search | null
  readonly completion: Completion | null
  readonly known: Known
  /** Where a token begins whose completion was closed. */
  readonly closedAt: number | null
  /** Requests made so far. */
  readonly requests: number
  /** Requests for images that are not answered yet. */
  readonly looking: ReadonlyArray<number>
  /** Enter was pressed while images were looked for. */
  readonly sending: boolean
  /** One line for the person, until the next key. */
  readonly notice: string | null
}

export const make = (syntax: InputSyntax): EditorState => ({
  syntax,
  draft: Draft.empty,
  width: 80,
  last: "other",
  aim: null,
  undo: [],
  killed: { text: "", marks: [] },
  history: History.empty,
  search: null,
  completion: null,
  known: new Map(),
  closedAt: null,
  requests: 0,
  looking: [],
  sending: false,
  notice: null
})

/** An editor of messages alone. */
export const initial: EditorState = make(messages)

const mostUndo = 500

/** Another draft, with the old one kept for undo unless this edit continues the last. */
export const edited = (state: EditorState, draft: Draft.Draft, kind: EditorState["last"] = "other"): EditorState => {
  if (draft.text === state.draft.text && draft.marks.length === state.draft.marks.length) return movedTo(state, draft)
  const continues = kind !== "other" && (kind === state.last || (kind === "blank" && state.last === "type"))
  return {
    ...state,
    draft,
    last: kind,
    aim: null,
    undo: continues ? state.undo : [...state.undo, state.draft].slice(-mostUndo)
  }
}

/** The same text with the cursor elsewhere. */
export const movedTo = (state: EditorState, draft: Draft.Draft): EditorState => ({
  ...state,
  draft,
  last: "other",
  aim: null
})

export const undone = (state: EditorState): EditorState => {
  const draft = state.undo.at(-1)
  return draft === undefined ? { ...state, last: "other" } : { ...movedTo(state, draft), undo: state.undo.slice(0, -1) }
}

export interface Updated {
  readonly state: EditorState
  readonly actions: ReadonlyArray<Action>
}

/** The state alone, without an action. */
export const quiet = (state: EditorState): Updated => ({ state, actions: [] })

/** One action, and nothing else. */
export const asked = (state: EditorState, action: Action): Updated => ({ state, actions: [action] })
