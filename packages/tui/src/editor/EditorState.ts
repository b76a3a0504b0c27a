/** The entire state of the editor between two events. */
import * as VimState from "../vim/VimState.ts"
import * as Bindings from "./Bindings.ts"
import type { Completion, KnownArguments } from "./Completion.ts"
import * as Draft from "./Draft.ts"
import type { Action } from "./EditorEvent.ts"
import * as History from "./History.ts"
import type { Search } from "./HistorySearch.ts"
import { type InputSyntax, messages } from "./InputSyntax.ts"

/**
 * The effect of the last key. A repeated effect is joined with the previous one in one step of undo, or in one killed
 * text.
 */
export type LastEdit = "type" | "blank" | "erase" | "killLeft" | "killRight" | "other"

export interface EditorState {
  readonly syntax: InputSyntax
  readonly bindings: Bindings.Bindings
  /** Null: vim keys are off. */
  readonly vim: VimState.VimState | null
  readonly draft: Draft.Draft
  readonly width: number
  readonly last: LastEdit
  /** The column to which up and down return; null: the cursor's own column. */
  readonly aim: number | null
  /** Earlier drafts for undo, newest last. */
  readonly undo: ReadonlyArray<Draft.Draft>
  readonly killed: Draft.MarkedText
  readonly history: History.History
  readonly search: Search | null
  readonly completion: Completion | null
  readonly known: KnownArguments
  /** The start of the token whose completion was closed; null: no completion was closed. */
  readonly closedAt: number | null
  /** The number of requests so far. */
  readonly requests: number
  /** Requests for images that are pending. */
  readonly looking: ReadonlyArray<number>
  /** True if Enter was pressed while images were requested. */
  readonly sending: boolean
  /** A line for the user, until the next key. */
  readonly notice: string | null
}

export interface EditorOptions {
  readonly syntax: InputSyntax
  /** Default: the toolkit's bindings. */
  readonly bindings?: Bindings.Bindings
  /** True: vim keys; default: false. */
  readonly vim?: boolean
}

export const make = ({ bindings = Bindings.bindings, syntax, vim = false }: EditorOptions): EditorState => ({
  syntax,
  bindings,
  vim: vim ? VimState.initial : null,
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

/** The initial state of an editor without commands. */
export const initial: EditorState = make({ syntax: messages })

/** Returns an empty editor with the same commands, bindings and width. */
export const clear = ({ bindings, syntax, vim, width }: EditorState): EditorState => ({
  ...make({ syntax, bindings, vim: vim !== null }),
  width
})

const maxUndo = 500

/** Sets another draft, and stores the old one for undo unless this edit continues the last edit. */
export const setDraft = (state: EditorState, draft: Draft.Draft, kind: EditorState["last"] = "other"): EditorState => {
  if (draft.text === state.draft.text && draft.marks.length === state.draft.marks.length) return movedTo(state, draft)
  const continues = kind !== "other" && (kind === state.last || (kind === "blank" && state.last === "type"))
  return {
    ...state,
    draft,
    last: kind,
    aim: null,
    undo: continues ? state.undo : [...state.undo, state.draft].slice(-maxUndo)
  }
}

/** Returns the state with the same text and another cursor. */
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

export interface EditorUpdate {
  readonly state: EditorState
  readonly actions: ReadonlyArray<Action>
}

/** Returns the state without an action. */
export const withoutActions = (state: EditorState): EditorUpdate => ({ state, actions: [] })

/** Returns one action with the state unchanged. */
export const withAction = (state: EditorState, action: Action): EditorUpdate => ({ state, actions: [action] })
