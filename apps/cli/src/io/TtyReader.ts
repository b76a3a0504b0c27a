/**
 * Passes what the user types on a terminal to its current receiver: the running work, a prompt, a key request or a
 * hidden text. Text without a receiver is kept for the next prompt.
 */
import * as AnswerGuard from "@bough/tui/keys/AnswerGuard"
import * as Escape from "@bough/tui/text/Escape"
import { type SafeText, text as safe, write } from "@bough/tui/text/SafeText"
import * as DumbEditor from "./DumbEditor.ts"
import * as HiddenText from "./HiddenText.ts"
import type * as LineEditor from "./LineEditor.ts"
import type * as Pastes from "./Pastes.ts"
import * as RawInput from "./RawInput.ts"
import * as ReadlineEditor from "./ReadlineEditor.ts"
import type { Line, WorkingListener } from "./Terminal.ts"
import * as TypedAhead from "./TypedAhead.ts"

export interface TtyReaderOptions {
  readonly stdin: NodeJS.ReadStream
  readonly stderr: NodeJS.WriteStream
  /** True for a terminal that can neither move its cursor nor mark pastes. */
  readonly isDumb: boolean
  /** Handles Ctrl-C while neither a line nor work is in progress. */
  readonly onInterrupt: () => void
  /** Default: the streams of the process. */
  readonly schedule?: AnswerGuard.Schedule
}

interface LineReceiver {
  readonly _tag: "Line"
  readonly prompt: SafeText
  readonly resume: (line: Line) => void
}
interface KeyReceiver {
  readonly _tag: "Key"
  readonly accepted: ReadonlyArray<string>
  /** Shows the keys; null if they are already shown. */
  showKeys: (() => void) | null
  readonly resume: (key: string | null) => void
}
interface HiddenReceiver {
  readonly _tag: "Hidden"
  hidden: HiddenText.HiddenText
  readonly resume: (text: string | null) => void
}

/** The current receiver of typed text. */
type Receiver = LineReceiver | KeyReceiver | HiddenReceiver | { readonly _tag: "Working" }

const endOfInput = "\u0004"

export class TtyReader {
  readonly #stderr: NodeJS.WriteStream
  readonly #isDumb: boolean
  readonly #onInterrupt: () => void
  readonly #input: RawInput.RawInput
  readonly #guard: AnswerGuard.AnswerGuard
  readonly #typedAhead = TypedAhead.make()
  /** Lines that arrived before they were requested, oldest first. */
  readonly #waitingLines: Array<string> = []
  #editor: LineEditor.LineEditor | null = null
  #receiver: Receiver = { _tag: "Working" }
  /** The complete lines so far of the requested input, if lines are pasted. */
  #startedLine = ""
  #working: WorkingListener | null = null
  #hasEnded = false

  constructor({ isDumb, onInterrupt, schedule, stderr, stdin }: TtyReaderOptions) {
    this.#stderr = stderr
    this.#isDumb = isDumb
    this.#onInterrupt = onInterrupt
    this.#guard = AnswerGuard.make(() => {
      if (this.#receiver._tag !== "Key") return
      this.#receiver.showKeys?.()
      this.#receiver.showKeys = null
    }, schedule)
    this.#input = RawInput.make({
      stdin,
      stderr,
      isDumb,
      onPiece: (part) => this.#take(part),
      onTyped: () => {
        if (this.#receiver._tag === "Key") this.#guard.restart()
      },
      onEnd: () => this.#end(),
      onStop: () => this.#onStop()
    })
  }

  /** Passes lines and interrupts to the work; null: the work has ended. */
  listen(listener: WorkingListener | null): void {
    if (listener !== null) this.#input.start()
    this.#working = listener
  }

  askLine(prompt: SafeText, resume: (line: Line) => void): void {
    this.#input.start()
    if (this.#hasEnded) return resume({ _tag: "End" })
    const next = this.#waitingLines.shift()
    if (next !== undefined) {
      write(this.#stderr, safe`${prompt}${Escape.line(next)}\n`)
      return resume({ _tag: "Line", text: next })
    }
    this.#editor ??= (this.#isDumb ? DumbEditor : ReadlineEditor).make(this.#stderr, this.#editorEvents())
    this.#receiver = { _tag: "Line", prompt, resume }
    const ahead = this.#typedAhead.unfinished()
    const isLine = !ahead.includes("\n")
    this.#editor.ask(prompt, isLine ? ahead : "")
    if (!isLine) this.#editor.paste(ahead)
  }

  askKey(accepted: ReadonlyArray<string>, showKeys: () => void, resume: (key: string | null) => void): void {
    this.#input.start()
    if (this.#hasEnded) return resume(null)
    this.#receiver = { _tag: "Key", accepted, showKeys, resume }
    this.#guard.restart()
  }

  askHidden(prompt: SafeText, resume: (text: string | null) => void): void {
    this.#input.start()
    if (this.#hasEnded) return resume(null)
    write(this.#stderr, prompt)
    this.#receiver = { _tag: "Hidden", hidden: HiddenText.empty, resume }
  }

  /** Withdraws a request if it is still the current one. */
  withdraw(expected: Receiver["_tag"]): void {
    if (this.#receiver._tag !== expected) return
    this.#guard.stop()
    if (expected === "Line") {
      this.#typedAhead.paste(this.#editor?.withdraw() ?? "")
      write(this.#stderr, safe`\n`)
    }
    this.#receiver = { _tag: "Working" }
  }

  /** Ends the reading; the next request starts it again. */
  stop(): void {
    this.#input.stop()
  }

  #take({ isPasted, text }: Pastes.InputPart): void {
    const receiver = this.#receiver
    switch (receiver._tag) {
      case "Hidden":
        return this.#takeHidden(receiver, (isPasted ? HiddenText.paste : HiddenText.type)(receiver.hidden, text))
      // A paste is not a decision, and no key of the same read is: a pasted text may contain the end of a paste.
      case "Key":
        return isPasted ? this.#guard.restart() : this.#takeKey(receiver, text)
      case "Line":
        return isPasted ? this.#editor?.paste(text) : this.#editor?.take(text)
      case "Working":
        return isPasted ? this.#typedAhead.paste(text) : this.#takeAhead(text)
    }
  }

  #takeKey({ accepted, resume }: KeyReceiver, text: string): void {
    if (text.includes("\u0003")) return this.#interrupt()
    if (text.includes(endOfInput)) return this.#end()
    const key = text.replace(/[\r\n]+$/u, "").toLowerCase()
    if (!this.#guard.isOpen() || !accepted.includes(key)) return
    this.#guard.stop()
    this.#receiver = { _tag: "Working" }
    resume(key)
  }

  #takeHidden(receiver: HiddenReceiver, hidden: HiddenText.HiddenText): void {
    receiver.hidden = hidden
    if (hidden.status !== "typing") this.#endHidden(receiver, hidden.status === "entered" ? hidden.text : null)
  }

  #takeAhead(text: string): void {
    const { interrupted, lines } = this.#typedAhead.take(text)
    if (interrupted) return this.#interrupt()
    for (const line of lines) {
      if (this.#working === null) this.#waitingLines.push(line)
      else this.#working.onLine(line)
    }
  }

  #editorEvents(): LineEditor.Events {
    return {
      onLine: (text, rest) => {
        // Input that arrived with the line counts as typed ahead of the next question.
        if (rest !== "") this.#takeAhead(rest)
        if (this.#receiver._tag === "Line") this.#endLine({ _tag: "Line", text })
        else this.#waitingLines.push(text)
      },
      onPart: (text, rest) => {
        this.#startedLine += `${text}\n`
        this.#editor?.ask(safe`… `, rest)
      },
      onInterrupt: () => {
        if (this.#startedLine === "" || this.#receiver._tag !== "Line") return this.#endLine({ _tag: "Interrupted" })
        this.#startedLine = ""
        write(this.#stderr, safe`\n`)
        this.#editor?.ask(this.#receiver.prompt, "")
      },
      onEnd: () => {
        if (this.#editor !== null) this.#end()
      },
      onSuspend: this.#input.suspend
    }
  }

  #endLine(line: Line): void {
    if (this.#receiver._tag !== "Line") return
    const { resume } = this.#receiver
    this.#receiver = { _tag: "Working" }
    // The user has not finished the line of the prompt.
    if (line._tag !== "Line") write(this.#stderr, safe`\n`)
    const started = this.#startedLine
    this.#startedLine = ""
    if (line._tag === "Line") resume({ _tag: "Line", text: started + line.text })
    else resume(started === "" ? line : { _tag: "Line", text: started.trimEnd() })
  }

  #endHidden({ resume }: HiddenReceiver, text: string | null): void {
    this.#receiver = { _tag: "Working" }
    write(this.#stderr, safe`\n`)
    resume(text)
  }

  #interrupt(): void {
    if (this.#working === null) this.#onInterrupt()
    else this.#working.onInterrupt()
  }

  /** The input has ended. */
  #end(): void {
    this.#hasEnded = true
    const receiver = this.#receiver
    if (receiver._tag === "Key") receiver.resume(null)
    else if (receiver._tag === "Hidden") this.#endHidden(receiver, null)
    else this.#endLine({ _tag: "End" })
  }

  #onStop(): void {
    this.#guard.stop()
    const closing = this.#editor
    // Only this line editor ends, not the input: the terminal may be opened again.
    this.#editor = null
    closing?.close()
    if (this.#receiver._tag === "Line") this.#endLine({ _tag: "End" })
  }
}
