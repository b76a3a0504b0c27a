/** Work outside of the screen: programs and prompts that take the terminal for a while, and the clipboard's image. */
import * as suspendProcess from "@bough/tui/screen/suspendProcess"
import type { SafeText } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import type { TuiScreen } from "./TuiScreen.ts"

export interface ExternalWorkOptions {
  /** Returns the path of the image in the clipboard; null: there is none, and the user was already informed. */
  readonly pasteImage: () => Promise<string | null>
  /** Edits a text in an external editor while the screen is suspended; null: the editor failed. */
  readonly editText: (text: string) => Promise<string | null>
  /** Reads a line without echo while the screen is suspended; null: the user interrupted. */
  readonly readHidden: (prompt: SafeText) => Promise<string | null>
  /** Returns the terminal to the screen after external work. */
  readonly releaseTerminal: () => void
}

export class ExternalWork {
  readonly #screen: TuiScreen
  readonly #options: ExternalWorkOptions

  constructor(screen: TuiScreen, options: ExternalWorkOptions) {
    this.#screen = screen
    this.#options = options
  }

  /** Suspends the screen while the work uses the terminal in plain lines. */
  run<A>(work: Effect.Effect<A>): Effect.Effect<A> {
    return Effect.callback((resume) => {
      const ending = new AbortController()
      const running = this.#screen.suspend(() =>
        Effect.runPromise(
          Effect.onExit(work, (exit) =>
            Effect.sync(() => {
              this.#options.releaseTerminal()
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
    })
  }

  /** Reads a line without echo; null: the user interrupted. */
  readHidden(prompt: SafeText): Effect.Effect<string | null> {
    return Effect.callback((resume) => {
      let typed: string | null = null
      const reading = this.#screen.suspend(() => this.#options.readHidden(prompt).then((text) => void (typed = text)))
      void reading.then(() => resume(Effect.succeed(typed)))
    })
  }

  /** Continues the draft in an external editor. */
  editDraft(draft: string): void {
    void this.#screen.suspend(() =>
      this.#options
        .editText(draft)
        .then((text) => (text === null ? undefined : this.#screen.edit({ _tag: "Replaced", text })))
    )
  }

  /** Adds the path of the image in the clipboard to the draft. */
  pasteImage(): void {
    void this.#options
      .pasteImage()
      .then((path) => (path === null ? undefined : this.#screen.edit({ _tag: "Pasted", text: `${path} ` })))
  }

  /** Stops the program, and lets the shell that started it take the terminal. */
  suspendProgram(): void {
    void this.#screen.suspend(suspendProcess.suspendProcess)
  }
}
