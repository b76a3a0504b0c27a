/**
 * The full-screen interface of a conversation: opens the screen, and performs the actions of its state. Other code
 * performs the user's requests.
 */
import type { Mode } from "@bough/host/session/SessionMode"
import type { Approval, Event } from "@bough/protocol"
import type * as Editor from "@bough/tui/editor/Editor"
import * as Warmup from "@bough/tui/screen/Warmup"
import type { SafeText } from "@bough/tui/text/SafeText"
import type * as Effect from "effect/Effect"
import type * as ApprovalText from "../../format/ApprovalText.ts"
import type * as ThemeChoice from "../../themes/ThemeChoice.ts"
import type { SearchablePicker } from "../conversation/ConversationUi.ts"
import type { Block } from "./Block.ts"
import { ExternalWork, type ExternalWorkOptions } from "./ExternalWork.ts"
import type * as StatusLine from "./StatusLine.ts"
import type * as Transcript from "./Transcript.ts"
import * as TranscriptReader from "./TranscriptReader.ts"
import { TuiDialogs } from "./TuiDialogs.ts"
import { type ScreenAction, TuiScreen, type TuiScreenOptions } from "./TuiScreen.ts"
import * as TuiState from "./TuiState.ts"

export interface TuiAppOptions extends TuiScreenOptions, ExternalWorkOptions {
  readonly onInput: (input: TuiState.TuiInput) => void
  /** Requests of the editor: paths, images, history. The results return through `edit`. */
  readonly onEditorAction: (action: Editor.Action, edit: (event: Editor.Event) => void) => void
}

export interface TuiApp {
  readonly print: (blocks: ReadonlyArray<Block>) => void
  readonly note: (text: string, tone?: "plain" | "error") => void
  /** Sets how transcripts of sessions are read and how children are messaged. */
  readonly access: (sessions: TranscriptReader.SessionAccess) => void
  /** Shows an event of the current session. */
  readonly show: (event: Event.Event) => void
  /** Waits for the user's decision. */
  readonly ask: (asked: ApprovalText.PrintedApproval, rule: string | null) => Effect.Effect<Approval.Decision>
  readonly update: (change: (view: Transcript.Transcript) => Transcript.Change) => void
  readonly view: () => Transcript.Transcript
  readonly setModel: (model: StatusLine.Model) => void
  /** Alerts the user to return to the terminal. */
  readonly notify: (message: SafeText) => void
  readonly setMode: (mode: Mode) => void
  /** Sends a text to the terminal's clipboard, if it supports that. */
  readonly copy: (text: string) => void
  /** Lets the user choose from a list; null: the user closed it. */
  readonly pick: (options: SearchablePicker) => Effect.Effect<string | null>
  /** Reads a line without echo; null: the user interrupted. */
  readonly readHidden: (prompt: SafeText) => Effect.Effect<string | null>
  /** Suspends the screen while the work uses the terminal in plain lines. */
  readonly withoutScreen: <A>(work: Effect.Effect<A>) => Effect.Effect<A>
  readonly setTheme: (theme: ThemeChoice.ThemeChoice) => void
  /** Puts text before the text in the editor; false: this would lose content. */
  readonly prepend: (text: string) => boolean
  readonly edit: (event: Editor.Event) => void
  readonly close: () => void
}

export const open = (options: TuiAppOptions): TuiApp => {
  const screen = new TuiScreen(options, (action) => perform(action))
  const dialogs = new TuiDialogs(screen)
  const external = new ExternalWork(screen, options)
  const transcripts = TranscriptReader.make({
    current: () => screen.state.view,
    show: (viewer) => screen.answer({ state: TuiState.view(screen.state, viewer), actions: [] })
  })
  const perform = actionHandler({ screen, dialogs, external, transcripts, options })
  screen.start()
  const stopWarmup = Warmup.start()

  return {
    print: (blocks) => screen.print(blocks),
    note: (text, tone = "plain") => screen.print([{ _tag: "Note", text, tone }]),
    show: (event) => {
      transcripts.add(event)
      screen.update(TuiState.show(screen.state, event, Date.now()))
    },
    access: transcripts.access,
    ask: (asked, rule) => dialogs.ask(asked, rule),
    update: (change) => screen.update(TuiState.change(screen.state, change(screen.state.view))),
    view: () => screen.state.view,
    setModel: (model) => {
      screen.apply({ state: withModel(screen.state, model), actions: [] })
      screen.redraw()
    },
    notify: (message) => screen.notify(message),
    setMode: (mode) => screen.answer({ state: withModel(screen.state, { mode }), actions: [] }),
    copy: (text) => screen.copy(text),
    pick: (options) => dialogs.pick(options),
    readHidden: (prompt) => external.readHidden(prompt),
    withoutScreen: (work) => external.run(work),
    setTheme: (theme) => screen.answer({ state: TuiState.withTheme(screen.state, theme), actions: [] }),
    prepend: (text) => {
      const updated = TuiState.prepend(screen.state, text)
      if (updated !== null) screen.answer(updated)
      return updated !== null
    },
    edit: (event) => screen.edit(event),
    close: () => {
      stopWarmup()
      screen.close()
    }
  }
}

const withModel = (state: TuiState.TuiState, model: Partial<StatusLine.Model>): TuiState.TuiState => ({
  ...state,
  model: { ...state.model, ...model }
})

interface AppParts {
  readonly screen: TuiScreen
  readonly dialogs: TuiDialogs
  readonly external: ExternalWork
  readonly transcripts: TranscriptReader.TranscriptReader
  readonly options: TuiAppOptions
}

/** Returns the function that performs each action of the screen by the part that owns it. */
const actionHandler =
  ({ dialogs, external, options, screen, transcripts }: AppParts) =>
  (action: ScreenAction): void => {
    switch (action._tag) {
      case "Want":
        return options.onInput(action.input)
      case "Host":
        return options.onEditorAction(action.action, (event) => screen.edit(event))
      case "Decide":
        return dialogs.decide(action)
      case "View":
        return transcripts.open(action.sessionId)
      case "TellChild":
        return transcripts.send(action.sessionId, action.text)
      case "Picked":
        return dialogs.choose(action.id)
      case "Search":
        return dialogs.search(action.query)
      case "PasteImage":
        return external.pasteImage()
      case "Suspend":
        return external.suspendProgram()
      case "EditDraft":
        return external.editDraft(action.text)
    }
  }
