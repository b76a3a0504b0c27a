/**
 * The conversation's screen as one thing: it holds what is shown, answers keys, and says what the person wants. What it
 * decides is in the pure modules around it; what is wanted is carried out elsewhere.
 */
import type { Event } from "@bough/protocol"
import type * as Conversation from "../conversation/Wish.ts"
import type { Block } from "./Block.ts"
import * as Display from "./Display.ts"
import * as Editor from "./editor/Editor.ts"
import { type Key, named } from "./editor/Key.ts"
import type { Input } from "./editor/Keys.ts"
import * as EditorView from "./editor/View.ts"
import * as Folds from "./Folds.ts"
import * as Frame from "./Frame.ts"
import type { Place } from "./markdown/MarkdownRows.ts"
import * as Preparing from "./Preparing.ts"
import * as Questions from "./Questions.ts"
import * as RawTerminal from "./RawTerminal.ts"
import type * as StatusLine from "./StatusLine.ts"
import * as StoppedProcess from "./StoppedProcess.ts"
import * as Theme from "./Theme.ts"
import * as View from "./View.ts"

/** What the person wants. `Interrupt`: what runs should stop. */
export type Wish = Conversation.Wish | { readonly _tag: "Interrupt" }

export interface Options {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly model: StatusLine.Model
  readonly showsReasoning: boolean
  readonly onWish: (wish: Wish) => void
  /** The terminal has gone. */
  readonly onHangUp: () => void
  /** What the editor wants of the world: paths, images, history. Answers come back through `edit`. */
  readonly onEditorAction: (action: Editor.Action, edit: (event: Editor.Event) => void) => void
}

export interface Stage {
  readonly print: (blocks: ReadonlyArray<Block>) => void
  readonly note: (text: string, tone?: "plain" | "error") => void
  /** An event of the session that is shown. */
  readonly show: (event: Event.Event) => void
  /** Waits for a person's decision. */
  readonly ask: Questions.Questions["ask"]
  readonly update: (change: (view: View.View) => View.Change) => void
  readonly view: () => View.View
  readonly setModel: (model: StatusLine.Model) => void
  readonly edit: (event: Editor.Event) => void
  readonly close: () => void
}

interface LaidOut {
  readonly editor: Editor.State
  readonly width: number
  readonly height: number
  readonly view: EditorView.View
}

const spinnerMillis = 100
const narrowest = 20

export const open = (options: Options): Stage => {
  const { stdin, stdout, variables } = options
  let view = View.make("", options.showsReasoning)
  let editor = Editor.initial
  let laidOut: LaidOut | null = null
  let { model } = options
  let hint = ""
  let theme = hasColours(variables) ? Theme.of(Theme.guess(variables)) : Theme.none
  let spinner: NodeJS.Timeout | null = null

  const columns = (): number => Math.max(narrowest, stdout.columns || 80)
  const rows = (): number => (stdout.rows > 0 ? stdout.rows : 24)
  const place = (): Place => ({ columns: columns(), theme })

  const apply = (change: View.Change): void => {
    ;({ view } = change)
    display.print(change.blocks)
    const isWorking = view.working !== null
    if (isWorking && spinner === null) spinner = setInterval(display.changed, spinnerMillis)
    else if (!isWorking && spinner !== null) {
      clearInterval(spinner)
      spinner = null
    }
    display.changed()
  }
  /** Laid out anew only where something of it has changed: most frames show what streams in. */
  const editorView = (): EditorView.View => {
    const [width, height] = [columns() - Frame.promptWidth, Frame.editorHeight(rows())]
    if (laidOut?.editor !== editor || laidOut.width !== width || laidOut.height !== height) {
      laidOut = { editor, width, height, view: EditorView.view(editor, { width, height }) }
    }
    return laidOut.view
  }
  const scene = (): Frame.Scene => {
    const settled = View.settle(view)
    ;({ view } = settled)
    if (settled.blocks.length > 0) display.print(settled.blocks)
    return {
      view,
      question: questions.first(),
      model,
      editor: editorView(),
      hint,
      columns: columns(),
      rows: rows(),
      theme,
      nowMillis: Date.now()
    }
  }

  const act = (action: Editor.Action, key: Key | null): void => {
    switch (action._tag) {
      case "Submit":
        return options.onWish({
          _tag: "Say",
          text: action.text,
          media: action.images.map(({ media }) => media),
          waits: key?.name === "tab"
        })
      case "RunCommand":
        return options.onWish(action)
      case "RunSlashCommand":
        return options.onWish(action)
      case "Interrupt":
        return interrupt(key)
      case "Quit":
        return options.onWish(action)
      case "Unused":
        return
      case "CompletePaths":
      case "FindImages":
      case "Remember":
        return options.onEditorAction(action, edit)
    }
  }
  const interrupt = (key: Key | null): void => {
    if (view.working !== null) return options.onWish({ _tag: "Interrupt" })
    // Escape with nothing to leave is no wish to go.
    if (key?.name === "escape") return
    if (hint !== "") return options.onWish({ _tag: "Quit" })
    hint = "press Ctrl-C again to quit"
  }
  const edit = (event: Editor.Event): void => editWith(event, null)
  const editWith = (event: Editor.Event, key: Key | null): void => {
    const updated = Editor.update(editor, event)
    editor = updated.state
    for (const action of updated.actions) act(action, key)
    display.answer()
  }

  const press = (key: Key, isAlone: boolean): void => {
    const isControl = key.name === "text" && key.ctrl && !key.alt
    // While something runs, Ctrl-C is for that and not for what is being written.
    if (isControl && key.text === "c" && view.working !== null) return options.onWish({ _tag: "Interrupt" })
    if (isControl && key.text === "z") return suspend()
    if (isControl && key.text === "o") return unfold()
    if (key.name === "tab" && questions.first() === null && holdsOnTab()) {
      return editWith({ _tag: "KeyPressed", key: named("enter") }, key)
    }
    if (!(isControl && key.text === "c")) hint = ""
    if (!questions.press(key, isAlone)) editWith({ _tag: "KeyPressed", key }, key)
  }
  /** Tab has nothing to complete, and there is a turn to wait for. */
  const holdsOnTab = (): boolean =>
    view.working !== null && editor.completion === null && editor.search === null && editor.draft.text !== ""
  const unfold = (): void => {
    const [folds, fold] = Folds.open(view.folds)
    if (fold === null) hint = "nothing is folded"
    else apply({ view: { ...view, folds }, blocks: [{ _tag: "Unfolded", ...fold }] })
  }
  const suspend = (): void => {
    void display.suspend(async () => {
      terminal.stop()
      await StoppedProcess.stop()
      terminal.start()
    })
  }
  const take = (input: Input, isAlone: boolean): void => {
    if (input._tag === "KeyPressed") press(input.key, isAlone)
    else if (input._tag === "Pasted") {
      hint = ""
      // A paste decides nothing.
      if (!questions.isListening()) editWith(input, null)
    } else {
      const background = Theme.backgroundOf(input.text)
      if (background !== null && hasColours(variables)) theme = Theme.of(background)
    }
    display.answer()
  }

  const questions = Questions.make({
    size: () => Frame.questionSize({ columns: columns(), rows: rows(), theme }),
    print: (blocks) => display.print(blocks),
    changed: () => display.answer(),
    editor: () => editor,
    write: (next) => {
      editor = next
    }
  })

  const isBare = variables["TERM"] === "linux"
  const display = Display.make({ stdin, stdout, scene, place, reflows: !isBare && !variables["XTERM_VERSION"] })
  const terminal = RawTerminal.make({ stdin, stdout, onInput: take, onEnd: options.onHangUp, asksBackground: !isBare })
  terminal.start()
  const resize = (): void => edit({ _tag: "Resized", width: columns() - Frame.promptWidth })
  resize()
  stdout.on("resize", resize)
  const stopPreparing = Preparing.start()

  return {
    print: display.print,
    note: (text, tone = "plain") => display.print([{ _tag: "Note", text, tone }]),
    show: (event) => {
      apply(View.take(view, event, Date.now()))
      questions.tell(event)
    },
    ask: questions.ask,
    update: (change) => apply(change(view)),
    view: () => view,
    setModel: (next) => {
      model = next
      display.changed()
    },
    edit,
    close: () => {
      stdout.off("resize", resize)
      stopPreparing()
      if (spinner !== null) clearInterval(spinner)
      display.close()
      terminal.stop()
    }
  }
}

/** https://no-color.org */
const hasColours = (variables: Options["variables"]): boolean => (variables["NO_COLOR"] ?? "") === ""
