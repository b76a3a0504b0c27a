/**
 * The screen of a conversation: keeps its state, receives keys, and emits the user's requests. The decisions are in the
 * pure modules around it; other code performs the requests.
 */
import * as Keymap from "@bough/host/keys/Keymap"
import type { Mode } from "@bough/host/session/SessionMode"
import type { Approval, Event } from "@bough/protocol"
import type * as Editor from "@bough/tui/editor/Editor"
import * as EditorView from "@bough/tui/editor/EditorView"
import type * as AnswerGuard from "@bough/tui/keys/AnswerGuard"
import type { Input } from "@bough/tui/keys/KeyDecoder"
import * as Clipboard from "@bough/tui/screen/Clipboard"
import * as Display from "@bough/tui/screen/Display"
import * as Notification from "@bough/tui/screen/Notification"
import * as RawTerminal from "@bough/tui/screen/RawTerminal"
import * as suspendProcess from "@bough/tui/screen/suspendProcess"
import * as Warmup from "@bough/tui/screen/Warmup"
import { type SafeText, text } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import type * as ApprovalText from "../../format/ApprovalText.ts"
import type * as ThemeChoice from "../../themes/ThemeChoice.ts"
import type { SearchablePicker } from "../conversation/ConversationUi.ts"
import type { Block } from "./Block.ts"
import * as BlockSequence from "./BlockSequence.ts"
import * as Frame from "./Frame.ts"
import * as PickerSearch from "./PickerSearch.ts"
import * as PrintQueue from "./PrintQueue.ts"
import * as QuestionDiff from "./QuestionDiff.ts"
import * as QuestionGuard from "./QuestionGuard.ts"
import * as Questions from "./Questions.ts"
import type * as StatusLine from "./StatusLine.ts"
import * as Transcript from "./Transcript.ts"
import * as TranscriptReader from "./TranscriptReader.ts"
import * as TuiState from "./TuiState.ts"

export interface TuiAppOptions extends TuiState.TuiStateOptions {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly notify: Notification.NotificationKind
  readonly onInput: (input: TuiState.TuiInput) => void
  readonly silence: AnswerGuard.Schedule
  /** Returns the path of the image in the clipboard; null: there is none, and the user was already informed. */
  readonly pasteImage: () => Promise<string | null>
  /** Edits a text in an external editor while the screen is suspended; null: the editor failed. */
  readonly editText: (text: string) => Promise<string | null>
  /** Reads a line without echo while the screen is suspended; null: the user interrupted. */
  readonly readHidden: (prompt: SafeText) => Promise<string | null>
  /** Returns the terminal to the screen after external work. */
  readonly releaseTerminal: () => void
  /** The terminal has closed. */
  readonly onHangUp: () => void
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

const spinnerMillis = 100
const narrowest = 20

export const open = (options: TuiAppOptions): TuiApp => {
  const { stdin, stdout, variables } = options
  let state = TuiState.make(options)
  /** The open questions. */
  const deciders = new Map<ApprovalText.PrintedApproval, (decision: Approval.Decision) => void>()
  const transcripts = TranscriptReader.make({
    current: () => state.view,
    show: (viewer) => answer({ state: TuiState.view(state, viewer), actions: [] })
  })
  const search = PickerSearch.make((query, items) =>
    answer({ state: TuiState.addSearchResults(state, query, items), actions: [] })
  )
  /** Resolves the pending choice from the list. */
  let picked: ((id: string | null) => void) | null = null
  const editorView = layingOut()
  const guard = QuestionGuard.make(() => display.answer(), options.silence)
  const printed = BlockSequence.make()

  const size = (): TuiState.Size => ({
    columns: Math.max(narrowest, stdout.columns || 80),
    rows: stdout.rows > 0 ? stdout.rows : 24
  })
  const editorWidth = (): number => size().columns - Frame.promptWidth
  const frameInput = (): Frame.FrameInput => {
    perform(TuiState.change(state, Transcript.takeFinished(state.view)))
    const { columns, rows } = size()
    const question = Questions.first(state.questions)
    guard.onFrame(target())
    return {
      ...state,
      question,
      mayAnswer: guard.isOpen(target()),
      editor: editorView(state.editor, { width: editorWidth(), height: Frame.editorHeight({ question, rows }) }),
      columns,
      rows,
      nowMillis: Date.now()
    }
  }
  /** The question that keys answer now; null: none. */
  const target = (): QuestionGuard.Target | null => {
    const question = Questions.first(state.questions)
    return question !== null && Questions.isListening(state.questions)
      ? { asked: question.asked, stage: question.stage, ...size() }
      : null
  }

  const transcriptKey = Keymap.firstShown(state.keymap, "open transcript")
  const queue = PrintQueue.make(
    (blocks) => display.print(printed.rows(blocks, { columns: size().columns, theme: state.theme, transcriptKey })),
    () => state.theme.syntax !== null
  )
  const print = queue.add
  const perform = (updated: TuiState.StateUpdate): void => {
    ;({ state } = updated)
    for (const action of updated.actions) act(action)
    display.fullScreen(state.viewer !== null)
  }
  const act = (action: TuiState.Action): void => {
    switch (action._tag) {
      case "Print":
        return print(action.blocks)
      case "Want":
        return options.onInput(action.input)
      case "Host":
        return options.onEditorAction(action.action, edit)
      case "Decide":
        return deciders.get(action.asked)?.(action.decision)
      case "View":
        return transcripts.open(action.sessionId)
      case "TellChild":
        return transcripts.send(action.sessionId, action.text)
      case "Picked":
        return picked?.(action.id)
      case "Search":
        return search.find(action.query)
      case "PasteImage":
        return void options
          .pasteImage()
          .then((path) => (path === null ? undefined : edit({ _tag: "Pasted", text: `${path} ` })))
      case "Suspend":
        return void outside(suspendProcess.suspendProcess)
      case "EditDraft":
        return void outside(() =>
          options.editText(action.text).then((text) => (text === null ? undefined : edit({ _tag: "Replaced", text })))
        )
    }
  }
  /** Hands the terminal to the work, and takes it back afterwards. */
  const outside = (work: () => Promise<void>): Promise<void> =>
    display.suspend(async () => {
      terminal.stop()
      await work()
      terminal.start()
      guard.reset()
    })
  /** True if the user waits to see the frame. */
  const answer = (updated: TuiState.StateUpdate): void => {
    perform(updated)
    display.answer()
  }
  const applyUpdate = (updated: TuiState.StateUpdate): void => {
    perform(updated)
    spinner.turn(state.view.working !== null)
    display.changed()
  }
  const take = (input: Input, isAlone: boolean): void =>
    answer(
      TuiState.take(state, input, { ...size(), isAlone, mayAnswer: guard.isOpen(target()), nowMillis: Date.now() })
    )
  const edit = (event: Editor.Event): void => answer(TuiState.edit(state, event))

  const notify = (notice: SafeText): void =>
    Notification.send(stdout, options.notify, { title: text`bough`, message: notice })
  const isBare = variables["TERM"] === "linux"
  const display = Display.make({
    stdout,
    frame: () => Frame.layoutFrame(frameInput()),
    reflows: !isBare && !variables["XTERM_VERSION"]
  })
  const spinner = makeSpinner(display.changed)
  const terminal = RawTerminal.make({
    stdin,
    stdout,
    onInput: take,
    onTyped: guard.onTyped,
    onEnd: options.onHangUp,
    asksBackground: !isBare
  })
  terminal.start()
  const resize = (): void => edit({ _tag: "Resized", width: editorWidth() })
  resize()
  stdout.on("resize", resize)
  const stopPreparing = Warmup.start()

  return {
    print,
    note: (text, tone = "plain") => print([{ _tag: "Note", text, tone }]),
    show: (event) => {
      transcripts.add(event)
      applyUpdate(TuiState.show(state, event, Date.now()))
    },
    access: transcripts.access,
    ask: (asked, rule) =>
      Effect.callback((resume) => {
        deciders.set(asked, (decision) => {
          deciders.delete(asked)
          resume(Effect.succeed(decision))
        })
        perform({ state: TuiState.ask(state, asked, rule), actions: [] })
        QuestionDiff.load(asked.request, state.theme, () => display.changed())
        notify(text`an approval is needed`)
        display.answer()
        return Effect.sync(() => {
          if (deciders.delete(asked)) answer(TuiState.withdraw(state, asked))
        })
      }),
    update: (change) => applyUpdate(TuiState.change(state, change(state.view))),
    view: () => state.view,
    setModel: (model) => {
      state = { ...state, model: { ...state.model, ...model } }
      display.changed()
    },
    notify,
    setMode: (mode) => {
      state = { ...state, model: { ...state.model, mode } }
      display.answer()
    },
    copy: (text) => Clipboard.copy(stdout, text),
    pick: (options) =>
      Effect.callback((resume) => {
        picked = (id) => {
          picked = null
          search.end()
          resume(Effect.succeed(id))
        }
        state = TuiState.pick(state, options)
        search.begin(options)
        display.answer()
        return Effect.sync(() => {
          picked = null
          search.end()
          state = { ...state, picker: null }
          display.answer()
        })
      }),
    readHidden: (prompt) =>
      Effect.callback((resume) => {
        let typed: string | null = null
        const reading = outside(() => options.readHidden(prompt).then((text) => void (typed = text)))
        void reading.then(() => resume(Effect.succeed(typed)))
      }),
    withoutScreen: (work) =>
      Effect.callback((resume) => {
        const ending = new AbortController()
        const running = outside(() =>
          Effect.runPromise(
            Effect.onExit(work, (exit) =>
              Effect.sync(() => {
                options.releaseTerminal()
                resume(exit)
              })
            ).pipe(Effect.exit, Effect.asVoid),
            { signal: ending.signal }
          )
        )
        return Effect.promise(() => {
          ending.abort()
          return running
        })
      }),
    setTheme: (theme) => answer({ state: TuiState.withTheme(state, theme), actions: [] }),
    prepend: (text) => {
      const updated = TuiState.prepend(state, text)
      if (updated !== null) answer(updated)
      return updated !== null
    },
    edit,
    close: () => {
      stdout.off("resize", resize)
      stopPreparing()
      spinner.turn(false)
      guard.stop()
      queue.flush()
      display.close()
      terminal.stop()
    }
  }
}

/** Lays the editor out again only if it has changed: most frames show only new streamed text. */
const layingOut = (): ((editor: Editor.EditorState, size: Required<EditorView.ViewOptions>) => EditorView.View) => {
  let last: { editor: Editor.EditorState; width: number; height: number; view: EditorView.View } | null = null
  return (editor, { height, width }) => {
    if (last?.editor !== editor || last.width !== width || last.height !== height) {
      last = { editor, width, height, view: EditorView.view(editor, { width, height }) }
    }
    return last.view
  }
}

/** Requests frames while work runs, so that its spinner turns. */
const makeSpinner = (changed: () => void): { readonly turn: (isOn: boolean) => void } => {
  let timer: NodeJS.Timeout | null = null
  return {
    turn: (isOn) => {
      if (isOn) timer ??= setInterval(changed, spinnerMillis)
      else if (timer !== null) {
        clearInterval(timer)
        timer = null
      }
    }
  }
}
