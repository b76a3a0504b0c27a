/**
 * The state of the screen on the terminal: the only owner of the state. Applies updates, draws them, and passes their
 * actions on in order.
 */
import * as Keymap from "@bough/host/keys/Keymap"
import type * as Editor from "@bough/tui/editor/Editor"
import type * as AnswerGuard from "@bough/tui/keys/AnswerGuard"
import type { Input } from "@bough/tui/keys/KeyDecoder"
import * as Clipboard from "@bough/tui/screen/Clipboard"
import * as Display from "@bough/tui/screen/Display"
import * as Notification from "@bough/tui/screen/Notification"
import * as RawTerminal from "@bough/tui/screen/RawTerminal"
import { type SafeText, text } from "@bough/tui/text/SafeText"
import type { Block } from "./Block.ts"
import * as BlockSequence from "./BlockSequence.ts"
import * as EditorLayout from "./EditorLayout.ts"
import * as Frame from "./Frame.ts"
import * as PrintQueue from "./PrintQueue.ts"
import * as QuestionGuard from "./QuestionGuard.ts"
import * as Questions from "./Questions.ts"
import * as SpinnerTimer from "./SpinnerTimer.ts"
import * as Transcript from "./Transcript.ts"
import * as TuiState from "./TuiState.ts"

export interface TuiScreenOptions extends TuiState.TuiStateOptions {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly notify: Notification.NotificationKind
  readonly silence: AnswerGuard.Schedule
  /** The terminal has closed. */
  readonly onHangUp: () => void
}

/** An action that other code performs: all except printing. */
export type ScreenAction = Exclude<TuiState.Action, { readonly _tag: "Print" }>

const minColumns = 20

export class TuiScreen {
  #state: TuiState.TuiState
  readonly #stdout: NodeJS.WriteStream
  readonly #notificationKind: Notification.NotificationKind
  readonly #onAction: (action: ScreenAction) => void
  readonly #display: Display.Display
  readonly #terminal: RawTerminal.RawTerminal
  readonly #guard: QuestionGuard.QuestionGuard
  readonly #queue: PrintQueue.PrintQueue
  readonly #spinner: SpinnerTimer.SpinnerTimer
  readonly #layOutEditor = EditorLayout.make()
  readonly #onResize = (): void => this.edit({ _tag: "Resized", width: this.#editorWidth() })

  constructor(options: TuiScreenOptions, onAction: (action: ScreenAction) => void) {
    const { stdin, stdout, variables } = options
    const isLinuxConsole = variables["TERM"] === "linux"
    this.#state = TuiState.make(options)
    this.#stdout = stdout
    this.#notificationKind = options.notify
    this.#onAction = onAction
    this.#guard = QuestionGuard.make(() => this.#display.answer(), options.silence)
    this.#queue = this.#makeQueue()
    this.#display = Display.make({
      stdout,
      frame: () => Frame.layoutFrame(this.#frameInput()),
      reflows: !isLinuxConsole && !variables["XTERM_VERSION"]
    })
    this.#spinner = SpinnerTimer.make(this.#display.changed)
    this.#terminal = RawTerminal.make({
      stdin,
      stdout,
      onInput: (input, isAlone) => this.#take(input, isAlone),
      onTyped: this.#guard.onTyped,
      onEnd: options.onHangUp,
      asksBackground: !isLinuxConsole
    })
  }

  get state(): TuiState.TuiState {
    return this.#state
  }

  /** Begins to receive keys and to draw. */
  start(): void {
    this.#terminal.start()
    this.#onResize()
    this.#stdout.on("resize", this.#onResize)
  }

  close(): void {
    this.#stdout.off("resize", this.#onResize)
    this.#spinner.turn(false)
    this.#guard.stop()
    this.#queue.flush()
    this.#display.close()
    this.#terminal.stop()
  }

  /** Applies an update that the next frame shows. */
  update(update: TuiState.StateUpdate): void {
    this.apply(update)
    this.#spinner.turn(this.#state.view.working !== null)
    this.#display.changed()
  }

  /** Applies an update whose frame the user waits for. */
  answer(update: TuiState.StateUpdate): void {
    this.apply(update)
    this.#display.answer()
  }

  /** Applies an update without a request for a frame. */
  apply({ actions, state }: TuiState.StateUpdate): void {
    this.#state = state
    for (const action of actions) {
      if (action._tag === "Print") this.print(action.blocks)
      else this.#onAction(action)
    }
    this.#display.fullScreen(this.#state.viewer !== null)
  }

  /** Requests a frame, because a part of it that is not in the state has changed. */
  redraw(): void {
    this.#display.changed()
  }

  edit(event: Editor.Event): void {
    this.answer(TuiState.edit(this.#state, event))
  }

  print(blocks: ReadonlyArray<Block>): void {
    this.#queue.add(blocks)
  }

  /** Hands the terminal to the work, and takes it back afterwards. */
  suspend(work: () => Promise<void>): Promise<void> {
    return this.#display.suspend(async () => {
      this.#terminal.stop()
      await work()
      this.#terminal.start()
      this.#guard.reset()
    })
  }

  /** Alerts the user to return to the terminal. */
  notify(message: SafeText): void {
    Notification.send(this.#stdout, this.#notificationKind, { title: text`bough`, message })
  }

  copy(copied: string): void {
    Clipboard.copy(this.#stdout, copied)
  }

  #makeQueue(): PrintQueue.PrintQueue {
    const sequence = BlockSequence.make()
    const transcriptKey = Keymap.firstShown(this.#state.keymap, "open transcript")
    return PrintQueue.make(
      (blocks) =>
        this.#display.print(
          sequence.rows(blocks, { columns: this.#size().columns, theme: this.#state.theme, transcriptKey })
        ),
      () => this.#state.theme.syntax !== null
    )
  }

  #take(input: Input, isAlone: boolean): void {
    const mayAnswer = this.#guard.isOpen(this.#questionTarget())
    this.answer(TuiState.take(this.#state, input, { ...this.#size(), isAlone, mayAnswer, nowMillis: Date.now() }))
  }

  #size(): TuiState.Size {
    const { columns, rows } = this.#stdout
    return { columns: Math.max(minColumns, columns || 80), rows: rows > 0 ? rows : 24 }
  }

  #editorWidth(): number {
    return this.#size().columns - Frame.promptWidth
  }

  #frameInput(): Frame.FrameInput {
    this.apply(TuiState.change(this.#state, Transcript.takeFinished(this.#state.view)))
    const state = this.#state
    const { columns, rows } = this.#size()
    const question = Questions.first(state.questions)
    const target = this.#questionTarget()
    this.#guard.onFrame(target)
    return {
      ...state,
      question,
      mayAnswer: this.#guard.isOpen(target),
      editor: this.#layOutEditor(state.editor, {
        width: this.#editorWidth(),
        height: Frame.editorHeight({ question, rows })
      }),
      columns,
      rows,
      nowMillis: Date.now()
    }
  }

  /** The question that keys answer now; null: none. */
  #questionTarget(): QuestionGuard.Target | null {
    const { questions } = this.#state
    const question = Questions.first(questions)
    return question !== null && Questions.isListening(questions)
      ? { asked: question.asked, stage: question.stage, ...this.#size() }
      : null
  }
}
