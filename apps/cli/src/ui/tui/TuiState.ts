/** The state of the screen as a fold of input, with its effects as data. Pure; `TuiApp` performs them. */
import type { Event } from "@bough/protocol"
import * as SlashCommands from "../conversation/SlashCommands.ts"
import type * as Conversation from "../conversation/UserInput.ts"
import type * as ApprovalText from "../../format/ApprovalText.ts"
import type { Block } from "./Block.ts"
import * as Editor from "@bough/tui/editor/Editor"
import { type Key, named } from "@bough/tui/keys/Key"
import type { Input } from "@bough/tui/keys/KeyDecoder"
import * as CollapsedOutputs from "./CollapsedOutputs.ts"
import * as Frame from "./Frame.ts"
import * as Questions from "./Questions.ts"
import type * as StatusLine from "./StatusLine.ts"
import * as Theme from "@bough/tui/theme/Theme"
import * as Transcript from "./Transcript.ts"

/** The input of the user. `Interrupt`: the running work should stop. `ChangeMode`: the next mode, also while work runs. */
export type TuiInput = Conversation.UserInput | { readonly _tag: "Interrupt" } | { readonly _tag: "ChangeMode" }

export interface TuiState extends Questions.Held {
  readonly view: Transcript.Transcript
  readonly model: StatusLine.Model
  readonly theme: Theme.Theme
  /** A sentence about a key that was pressed, such as the first Ctrl-C; "" for none. */
  readonly hint: string
}

export type Action =
  | { readonly _tag: "Print"; readonly blocks: ReadonlyArray<Block> }
  | { readonly _tag: "Want"; readonly input: TuiInput }
  /** A request of the editor. */
  | { readonly _tag: "Host"; readonly action: Editor.Action }
  | ({ readonly _tag: "Decide" } & Questions.Decided)
  /** The person wants the shell that this was started from. */
  | { readonly _tag: "Suspend" }

export interface Updated {
  readonly state: TuiState
  /** In this order. */
  readonly actions: ReadonlyArray<Action>
}

export interface TuiStateOptions {
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly model: StatusLine.Model
  readonly showsReasoning: boolean
}

export const make = ({ model, showsReasoning, variables }: TuiStateOptions): TuiState => ({
  view: Transcript.make("", showsReasoning),
  editor: Editor.make(SlashCommands.syntax),
  questions: Questions.none,
  model,
  // https://no-color.org
  theme: (variables["NO_COLOR"] ?? "") === "" ? Theme.themeFor(Theme.guess(variables)) : Theme.none,
  hint: ""
})

/** In cells. */
export type Size = Pick<Frame.Scene, "columns" | "rows">

export interface At extends Size {
  /** Nothing else came with the input. */
  readonly isAlone: boolean
  /** A key may answer the question that is shown: `AnswerGuard`. */
  readonly counts: boolean
}

export const take = (state: TuiState, input: Input, at: At): Updated => {
  switch (input._tag) {
    case "KeyPressed":
      return press(state, input.key, at)
    case "Pasted": {
      const next = { ...state, hint: "" }
      // A paste decides nothing.
      return Questions.isListening(next.questions) ? quiet(next) : edit(next, input)
    }
    case "Answered": {
      const background = Theme.backgroundOf(input.text)
      const isKnown = background !== null && state.theme !== Theme.none
      return quiet(isKnown ? { ...state, theme: Theme.themeFor(background) } : state)
    }
  }
}

const press = (state: TuiState, key: Key, at: At): Updated => {
  const control = key.name === "text" && key.ctrl && !key.alt ? key.text : ""
  // While something runs, Ctrl-C is for that and not for what is being written.
  if (control === "c" && state.view.working !== null) return acting(state, want({ _tag: "Interrupt" }))
  if (control === "z") return acting(state, { _tag: "Suspend" })
  if (control === "o") return unfold(state)
  if (key.name === "tab" && key.shift) return acting(state, want({ _tag: "ChangeMode" }))
  // In a text it moves the cursor.
  if (control === "b" && state.view.working !== null && state.editor.draft.text === "") {
    return acting(state, want({ _tag: "LeaveRunning" }))
  }
  if (key.name === "tab" && holdsOnTab(state)) return editWith(state, { _tag: "KeyPressed", key: named("enter") }, key)
  const next = control === "c" ? state : { ...state, hint: "" }
  const answered = Questions.press(next, {
    key,
    isAlone: at.isAlone,
    counts: at.counts,
    size: questionSize(next, at)
  })
  return answered === null ? editWith(next, { _tag: "KeyPressed", key }, key) : withQuestions(next, answered)
}

/** Tab has nothing to answer or to complete, and there is a turn to wait for. */
const holdsOnTab = ({ editor, questions, view }: TuiState): boolean =>
  Questions.first(questions) === null &&
  view.working !== null &&
  editor.completion === null &&
  editor.search === null &&
  editor.draft.text !== ""

const unfold = (state: TuiState): Updated => {
  const [folds, fold] = CollapsedOutputs.open(state.view.folds)
  if (fold === null) return quiet({ ...state, hint: "no folded output" })
  return change(state, { view: { ...state.view, folds }, blocks: [{ _tag: "Unfolded", ...fold }] })
}

export const edit = (state: TuiState, event: Editor.Event): Updated => editWith(state, event, null)

/** `key`: the one that the event is about; null: none. */
const editWith = (state: TuiState, event: Editor.Event, key: Key | null): Updated => {
  const edited = Editor.update(state.editor, event)
  let next: TuiState = { ...state, editor: edited.state }
  const actions: Array<Action> = []
  for (const action of edited.actions) {
    const updated = act(next, action, key)
    next = updated.state
    actions.push(...updated.actions)
  }
  return { state: next, actions }
}

const act = (state: TuiState, action: Editor.Action, key: Key | null): Updated => {
  switch (action._tag) {
    case "Submit": {
      const media = action.images.map((image) => image.media)
      return acting(state, want({ _tag: "Say", text: action.text, media, waits: key?.name === "tab" }))
    }
    case "RunCommand":
    case "RunSlashCommand":
    case "Quit":
      return acting(state, want(action))
    case "Interrupt":
      return interrupt(state, key)
    case "Unused":
      return quiet(state)
    case "CompletePaths":
    case "FindImages":
    case "Remember":
      return acting(state, { _tag: "Host", action })
  }
}

const quitHint = "press Ctrl-C again to quit"

const interrupt = (state: TuiState, key: Key | null): Updated => {
  if (state.view.working !== null) return acting(state, want({ _tag: "Interrupt" }))
  // Escape with nothing to leave is no input to go.
  if (key?.name === "escape") return quiet(state)
  if (state.hint === quitHint) return acting(state, want({ _tag: "Quit" }))
  return quiet({ ...state, hint: quitHint })
}

/** Puts text before what is being written; null: that holds an image or a folded paste, which would be lost. */
export const prepend = (state: TuiState, text: string): Updated | null => {
  const { draft } = state.editor
  if (draft.marks.length > 0) return null
  return edit(state, { _tag: "Replaced", text: draft.text === "" ? text : `${text}\n${draft.text}` })
}

/** The transcript on the screen has changed. */
export const change = (state: TuiState, { blocks, view }: Transcript.Change): Updated => ({
  state: { ...state, view },
  actions: print(blocks)
})

/** An event of the session that is shown. */
export const show = (state: TuiState, event: Event.Event, nowMillis: number): Updated => {
  const shown = change(state, Transcript.take(state.view, event, nowMillis))
  const told = Questions.tell(state.questions, event)
  if (told === null) return shown
  return {
    state: { ...shown.state, questions: told.questions },
    actions: [...shown.actions, ...print([told.block])]
  }
}

/** A person's decision is waited for: `Decide` tells it. */
export const ask = (state: TuiState, question: ApprovalText.PrintedApproval, rule: string | null): TuiState => ({
  ...state,
  questions: Questions.ask(state, question, rule)
})

/** A decision is no longer waited for. */
export const withdraw = (state: TuiState, question: ApprovalText.PrintedApproval, size: Size): Updated =>
  withQuestions(state, Questions.withdraw(state, question, questionSize(state, size)))

const withQuestions = (state: TuiState, { blocks, decided, editor, questions }: Questions.Updated): Updated => ({
  state: { ...state, editor, questions },
  actions: [...print(blocks), ...(decided === null ? [] : [{ _tag: "Decide" as const, ...decided }])]
})

const questionSize = ({ theme }: TuiState, { columns, rows }: Size): ReturnType<typeof Frame.questionSize> =>
  Frame.questionSize({ columns, rows, theme })

const quiet = (state: TuiState): Updated => ({ state, actions: [] })

const acting = (state: TuiState, action: Action): Updated => ({ state, actions: [action] })

const want = (input: TuiInput): Action => ({ _tag: "Want", input })

const print = (blocks: ReadonlyArray<Block>): ReadonlyArray<Action> =>
  blocks.length === 0 ? [] : [{ _tag: "Print", blocks }]
