/** The state of the screen as a fold of input, with its effects as data. Pure; `TuiApp` performs them. */
import type { KeyAction } from "@bough/host/keys/KeyActions"
import * as Keymap from "@bough/host/keys/Keymap"
import type { Event } from "@bough/protocol"
import { chord } from "@bough/tui/editor/Bindings"
import * as Editor from "@bough/tui/editor/Editor"
import type { SlashCommand } from "@bough/tui/editor/InputSyntax"
import type { Key } from "@bough/tui/keys/Key"
import type { Input } from "@bough/tui/keys/KeyDecoder"
import * as Picker from "@bough/tui/picker/Picker"
import * as Theme from "@bough/tui/theme/Theme"
import type * as ApprovalText from "../../format/ApprovalText.ts"
import * as ThemeChoice from "../../themes/ThemeChoice.ts"
import * as SlashCommands from "../conversation/SlashCommands.ts"
import type * as Conversation from "../conversation/UserInput.ts"
import * as Appearance from "./Appearance.ts"
import type { Block } from "./Block.ts"
import * as ChildrenRows from "./ChildrenRows.ts"
import * as EditorKeys from "./EditorKeys.ts"
import * as Frame from "./Frame.ts"
import * as Questions from "./Questions.ts"
import type * as StatusLine from "./StatusLine.ts"
import * as Transcript from "./Transcript.ts"
import * as Viewer from "./Viewer.ts"

/** The input of the user. `Interrupt`: the running work should stop. `ChangeMode`: the next mode, also while work runs. */
export type TuiInput = Conversation.UserInput | { readonly _tag: "Interrupt" } | { readonly _tag: "ChangeMode" }

export interface TuiState extends Questions.HeldQuestions {
  readonly view: Transcript.Transcript
  readonly model: StatusLine.Model
  readonly theme: Theme.Theme
  readonly appearance: Appearance.Appearance
  /** A sentence about a key that was pressed, such as the first Ctrl-C; "" for none. */
  readonly hint: string
  /** The list that receives the keys; null: no list is open. */
  readonly picker: Picker.PickerState | null
  /** The effect of a choice from the list: it answers a pending `pick`, or opens a child. */
  readonly pickerPurpose: "answer" | "child"
  /** The transcript that fills the screen; null if none is open. */
  readonly viewer: Viewer.Viewer | null
  readonly keymap: Keymap.Keymap
}

/** An effect that `TuiApp` performs. */
export type Action =
  | { readonly _tag: "Print"; readonly blocks: ReadonlyArray<Block> }
  | { readonly _tag: "Want"; readonly input: TuiInput }
  /** A request of the editor. */
  | { readonly _tag: "Host"; readonly action: Editor.Action }
  | ({ readonly _tag: "Decide" } & Questions.KeyDecision)
  /** The list was closed; `id`: the chosen item, null: none. */
  | { readonly _tag: "Picked"; readonly id: string | null }
  /** The user has changed the query of the list. */
  | { readonly _tag: "Search"; readonly query: string }
  /** The user opens the transcript of a session on the full screen. */
  | { readonly _tag: "View"; readonly sessionId: string }
  /** The user messages a child; null: stops it. */
  | { readonly _tag: "TellChild"; readonly sessionId: string; readonly text: string | null }
  /** The user wants to return to the shell that started the program. */
  | { readonly _tag: "Suspend" }
  /** The user continues the draft in an external editor. */
  | { readonly _tag: "EditDraft"; readonly text: string }
  /** The user wants to add the image in the clipboard to the message. */
  | { readonly _tag: "PasteImage" }

export interface StateUpdate {
  readonly state: TuiState
  /** The effects, to be performed in this order. */
  readonly actions: ReadonlyArray<Action>
}

export interface TuiStateOptions {
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly model: StatusLine.Model
  readonly showsReasoning: boolean
  /** The user-defined commands; default: none. */
  readonly commands?: ReadonlyArray<SlashCommand>
  /** Default: the default keys. */
  readonly keymap?: Keymap.Keymap
  /** True: the prompt has vim keys; default: false. */
  readonly vim?: boolean
  /** The base folder of links to files. */
  readonly workspaceRoot: string
  /** Default: chosen by the terminal's background. */
  readonly theme?: ThemeChoice.ThemeChoice
}

export const make = (options: TuiStateOptions): TuiState => {
  const {
    commands = [],
    keymap = Keymap.defaults,
    model,
    showsReasoning,
    theme = ThemeChoice.auto,
    variables,
    vim = false,
    workspaceRoot
  } = options
  const appearance = { choice: theme, background: Theme.guess(variables), ground: null, variables, workspaceRoot }
  return {
    view: Transcript.make("", showsReasoning),
    editor: Editor.make({ syntax: SlashCommands.syntaxWith(commands), bindings: EditorKeys.bindingsOf(keymap), vim }),
    questions: Questions.none,
    model,
    appearance,
    theme: Appearance.themeOf(appearance),
    hint: "",
    picker: null,
    pickerPurpose: "answer",
    viewer: null,
    keymap
  }
}

/** Switches the theme; rows that are already printed keep their colours. */
export const withTheme = (state: TuiState, choice: ThemeChoice.ThemeChoice): TuiState =>
  withAppearance(state, { ...state.appearance, choice })

const withAppearance = (state: TuiState, appearance: Appearance.Appearance): TuiState => ({
  ...state,
  appearance,
  theme: Appearance.themeOf(appearance)
})

/** The size of the terminal in cells. */
export type Size = Pick<Frame.FrameInput, "columns" | "rows">

export interface InputContext extends Size {
  /** True if the input did not arrive together with other input. */
  readonly isAlone: boolean
  /** True if a key may answer the question that is shown: `AnswerGuard`. */
  readonly mayAnswer: boolean
  /** The time on the screen's clock; default: 0. */
  readonly nowMillis?: number
}

export const take = (state: TuiState, input: Input, at: InputContext): StateUpdate => {
  switch (input._tag) {
    case "KeyPressed":
      return press(state, input.key, at)
    case "Pasted": {
      const next = { ...state, hint: "" }
      if (next.viewer !== null) return stateOnly({ ...next, viewer: Viewer.paste(next.viewer, input.text) })
      const picker = pickerOf(next)
      if (picker !== null) return updatePicker(next, picker, Picker.paste(picker, input.text))
      // A paste is not a decision.
      return Questions.isListening(next.questions) ? stateOnly(next) : edit(next, input)
    }
    case "Answered": {
      const ground = Theme.groundOf(input.text)
      if (ground === null) return stateOnly(state)
      return stateOnly(withAppearance(state, { ...state.appearance, ground, background: Theme.backgroundOf(ground) }))
    }
  }
}

/** The list that receives the keys; null: a question takes precedence, or no list is open. */
const pickerOf = ({ picker, questions }: TuiState): Picker.PickerState | null =>
  Questions.first(questions) === null ? picker : null

/** Opens a list; its choice is reported as `Picked`. */
export const pick = (state: TuiState, options: Picker.PickerOptions): TuiState => ({
  ...state,
  hint: "",
  viewer: null,
  pickerPurpose: "answer",
  picker: Picker.make(options)
})

const pickChild = (state: TuiState, nowMillis: number): TuiState => {
  const items = [...state.view.tree.children.values()].toReversed().map((child) =>
    Picker.item(child.sessionId, {
      label: child.task,
      detail: `${child.kind.toLowerCase()} ${ChildrenRows.factsOf(child, nowMillis)}`
    })
  )
  return { ...pick(state, { title: "Agents", verb: "opens it", items }), pickerPurpose: "child" }
}

/** Shows a transcript on the full screen. */
export const view = (state: TuiState, viewer: Viewer.Viewer): TuiState => ({ ...state, picker: null, viewer })

const pressViewer = (
  state: TuiState,
  viewer: Viewer.Viewer,
  { key, size }: { readonly key: Key; readonly size: Size }
): StateUpdate => {
  if (actionOf(state, key) === "open transcript" && viewer.draft === null) return stateOnly({ ...state, viewer: null })
  if (viewer.draft === null && state.keymap.actions.transcript.get(chord(key)) === "find in transcript") {
    return stateOnly({ ...state, viewer: Viewer.find(viewer) })
  }
  const pressed = Viewer.press(viewer, key, { ...size, theme: state.theme })
  if (pressed._tag === "Closed") return stateOnly({ ...state, viewer: null })
  const next = { ...state, viewer: pressed.viewer }
  if (pressed._tag === "Open") return stateOnly(next)
  const text = pressed._tag === "Steered" ? pressed.text : null
  return withAction(next, { _tag: "TellChild", sessionId: pressed.sessionId, text })
}

/** Changes the open list; a new query is searched beyond the list, too. */
const updatePicker = (state: TuiState, before: Picker.PickerState, picker: Picker.PickerState): StateUpdate => {
  const next = { ...state, picker }
  return picker.query === before.query ? stateOnly(next) : withAction(next, { _tag: "Search", query: picker.query })
}

/** Adds what a search found for a query to the open list. */
export const addSearchResults = (state: TuiState, query: string, items: ReadonlyArray<Picker.PickerItem>): TuiState =>
  state.picker === null ? state : { ...state, picker: Picker.withSearchResults(state.picker, query, items) }

const pressPicker = (state: TuiState, picker: Picker.PickerState, key: Key): StateUpdate => {
  const pressed = Picker.press(picker, key)
  if (pressed._tag === "Open") return updatePicker(state, picker, pressed.picker)
  const id = pressed._tag === "Chosen" ? pressed.id : null
  const closed = { ...state, picker: null }
  if (state.pickerPurpose === "answer") return withAction(closed, { _tag: "Picked", id })
  return id === null ? stateOnly(closed) : withAction(closed, { _tag: "View", sessionId: id })
}

/** The action of a key if the screen performs it; the editor performs the others. */
const actionOf = ({ keymap, view }: TuiState, key: Key): KeyAction | null => {
  const { editor, screen, working } = keymap.actions
  const name = chord(key)
  const action = screen.get(name) ?? (view.working === null ? undefined : working.get(name)) ?? editor.get(name)
  return action ?? null
}

const press = (state: TuiState, key: Key, at: InputContext): StateUpdate => {
  const action = actionOf(state, key)
  const picker = action === "suspend" ? null : pickerOf(state)
  if (picker !== null) return pressPicker(state, picker, key)
  // While work runs, this key acts on the work instead of the draft.
  if (action === "clear" && state.view.working !== null) return withAction(state, inputAction({ _tag: "Interrupt" }))
  if (action === "suspend") return withAction(state, { _tag: "Suspend" })
  if (state.viewer !== null) return pressViewer(state, state.viewer, { key, size: at })
  const performed = perform(state, action, at)
  if (performed !== null) return performed
  const next = action === "clear" || action === "interrupt" ? state : { ...state, hint: "" }
  const answered = Questions.press(next, {
    key,
    isAlone: at.isAlone,
    mayAnswer: at.mayAnswer,
    size: questionSize(next, at)
  })
  return answered === null ? editWith(next, { _tag: "KeyPressed", key }, action) : withQuestions(next, answered)
}

/** Null: the action is the editor's, or has no effect now. */
const perform = (state: TuiState, action: KeyAction | null, at: InputContext): StateUpdate | null => {
  switch (action) {
    case "open transcript":
      return withAction(state, { _tag: "View", sessionId: state.view.sessionId })
    case "open agent":
      return state.view.tree.children.size === 0 ? null : stateOnly(pickChild(state, at.nowMillis ?? 0))
    case "open editor":
      return Questions.first(state.questions) === null ? editOutside(state) : null
    case "paste image":
      return Questions.first(state.questions) === null ? withAction(state, { _tag: "PasteImage" }) : null
    case "next mode":
      return withAction(state, inputAction({ _tag: "ChangeMode" }))
    case "leave running":
      return state.editor.draft.text === "" ? withAction(state, inputAction({ _tag: "LeaveRunning" })) : null
    case "queue":
      return canQueue(state) ? editWith(state, { _tag: "Commanded", command: "send" }, action) : null
    default:
      return null
  }
}

/** True if a turn is running and there is no question to answer and no completion to accept. */
const canQueue = ({ editor, questions, view }: TuiState): boolean =>
  Questions.first(questions) === null &&
  view.working !== null &&
  editor.completion === null &&
  editor.search === null &&
  editor.draft.text !== ""

/** Opens the draft in an external editor, unless it has an image or a folded paste, which have no text to edit. */
const editOutside = (state: TuiState): StateUpdate => {
  const { draft } = state.editor
  if (draft.marks.length > 0) return stateOnly({ ...state, hint: "the editor cannot show images and folded pastes" })
  return withAction(state, { _tag: "EditDraft", text: draft.text })
}

export const edit = (state: TuiState, event: Editor.Event): StateUpdate => editWith(state, event, null)

/** `key`: the action of the key that caused the event; null if it has no action. */
const editWith = (state: TuiState, event: Editor.Event, key: KeyAction | null): StateUpdate => {
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

const act = (state: TuiState, action: Editor.Action, key: KeyAction | null): StateUpdate => {
  switch (action._tag) {
    case "Submit": {
      const media = action.images.map((image) => image.media)
      return withAction(state, inputAction({ _tag: "Say", text: action.text, media, waits: key === "queue" }))
    }
    case "RunCommand":
    case "RunSlashCommand":
    case "Quit":
      return withAction(state, inputAction(action))
    case "Interrupt":
      return interrupt(state, key)
    case "Unused":
      return stateOnly(state)
    case "CompletePaths":
    case "CompleteArguments":
    case "FindImages":
    case "Remember":
      return withAction(state, { _tag: "Host", action })
  }
}

const pressAgainHint = ({ keymap }: TuiState, action: KeyAction, does: string): string =>
  `press ${Keymap.firstShown(keymap, action)} again to ${does}`
const quitHint = (state: TuiState): string => pressAgainHint(state, "clear", "quit")
const rewindHint = (state: TuiState): string => pressAgainHint(state, "interrupt", "rewind to an earlier message")

const interrupt = (state: TuiState, key: KeyAction | null): StateUpdate => {
  if (state.view.working !== null) return withAction(state, inputAction({ _tag: "Interrupt" }))
  if (key === "interrupt") return escape(state)
  if (state.hint === quitHint(state)) return withAction(state, inputAction({ _tag: "Quit" }))
  return stateOnly({ ...state, hint: quitHint(state) })
}

/** Handles Escape if nothing is open that it closes: pressed twice at the empty prompt, it rewinds the conversation. */
const escape = (state: TuiState): StateUpdate => {
  if (state.editor.draft.text !== "") return stateOnly({ ...state, hint: "" })
  if (state.hint !== rewindHint(state)) return stateOnly({ ...state, hint: rewindHint(state) })
  return withAction({ ...state, hint: "" }, inputAction({ _tag: "RunSlashCommand", name: "rewind", arguments: "" }))
}

/**
 * Puts text before the text in the editor; null: the editor contains an image or a folded paste, which would be lost.
 */
export const prepend = (state: TuiState, text: string): StateUpdate | null => {
  const { draft } = state.editor
  if (draft.marks.length > 0) return null
  return edit(state, { _tag: "Replaced", text: draft.text === "" ? text : `${text}\n${draft.text}` })
}

/** The transcript on the screen has changed. */
export const change = (state: TuiState, { blocks, view }: Transcript.Change): StateUpdate => ({
  state: { ...state, view },
  actions: print(blocks)
})

/** An event of the session that is shown. */
export const show = (state: TuiState, event: Event.Event, nowMillis: number): StateUpdate => {
  const viewer = state.viewer === null ? null : Viewer.take(state.viewer, event, nowMillis)
  const shown = change({ ...state, viewer }, Transcript.take(state.view, event, nowMillis))
  const decided = Questions.takeDecision(state, event, state.view.reader.user)
  if (decided === null) return shown
  const updated = withQuestions(shown.state, decided)
  return { ...updated, actions: [...shown.actions, ...updated.actions] }
}

/** Waits for the user's decision, which arrives as `Decide`. */
export const ask = (state: TuiState, question: ApprovalText.PrintedApproval, rule: string | null): TuiState => ({
  ...state,
  viewer: null,
  questions: Questions.ask(state, question, rule)
})

/** Removes a question whose decision is no longer needed. */
export const withdraw = (state: TuiState, question: ApprovalText.PrintedApproval): StateUpdate =>
  withQuestions(state, Questions.withdraw(state, question))

const withQuestions = (
  state: TuiState,
  { blocks, decided, editor, questions }: Questions.QuestionsUpdate
): StateUpdate => ({
  state: { ...state, editor, questions },
  actions: [...print(blocks), ...(decided === null ? [] : [{ _tag: "Decide" as const, ...decided }])]
})

const questionSize = ({ theme }: TuiState, { columns, rows }: Size): ReturnType<typeof Frame.questionSize> =>
  Frame.questionSize({ columns, rows, theme })

const stateOnly = (state: TuiState): StateUpdate => ({ state, actions: [] })

const withAction = (state: TuiState, action: Action): StateUpdate => ({ state, actions: [action] })

const inputAction = (input: TuiInput): Action => ({ _tag: "Want", input })

const print = (blocks: ReadonlyArray<Block>): ReadonlyArray<Action> =>
  blocks.length === 0 ? [] : [{ _tag: "Print", blocks }]
