/**
 * The adapter for a real terminal: it passes typed text to the running work, a prompt, a key request or the next
 * prompt.
 */
import * as AnswerGuard from "@bough/tui/keys/AnswerGuard"
import * as Escape from "@bough/tui/text/Escape"
import { type SafeText, text as safe, write } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import * as DumbEditor from "./DumbEditor.ts"
import type * as LineEditor from "./LineEditor.ts"
import type * as Pastes from "./Pastes.ts"
import * as RawInput from "./RawInput.ts"
import * as ReadlineEditor from "./ReadlineEditor.ts"
import type { Line, Terminal, WorkingListener } from "./Terminal.ts"
import * as TypedAhead from "./TypedAhead.ts"

export interface TtyTerminalOptions {
  readonly stdin: NodeJS.ReadStream
  readonly stderr: NodeJS.WriteStream
  /** True for a terminal that can neither move its cursor nor mark pastes. */
  readonly isDumb: boolean
  /** Handles Ctrl-C while neither a line nor work is in progress. */
  readonly onInterrupt: () => void
  /** Default: the streams of the process. */
  readonly schedule?: AnswerGuard.Schedule
}

/** The current receiver of typed text. */
type Mode =
  | { readonly _tag: "Line"; readonly prompt: SafeText; readonly resume: (line: Line) => void }
  | {
      readonly _tag: "Key"
      readonly accepted: ReadonlyArray<string>
      /** Shows the keys; null if they are already shown. */
      ready: (() => void) | null
      readonly resume: (key: string | null) => void
    }
  | { readonly _tag: "Hidden"; text: string; readonly resume: (text: string | null) => void }
  | { readonly _tag: "Working" }

const endOfInput = "\u0004"

export const make = ({ isDumb, onInterrupt, schedule, stderr, stdin }: TtyTerminalOptions): Terminal["Service"] => {
  const typed = TypedAhead.make()
  /** Lines that arrived before they were requested, oldest first. */
  const waiting: Array<string> = []
  let editor: LineEditor.LineEditor | null = null
  let mode: Mode = { _tag: "Working" }
  /** The complete lines so far of the requested input, if lines are pasted. */
  let startedLine = ""
  let working: WorkingListener | null = null
  let ended = false
  const guard = AnswerGuard.make(() => {
    if (mode._tag !== "Key") return
    mode.ready?.()
    mode.ready = null
  }, schedule)

  const interrupt = (): void => (working === null ? onInterrupt() : working.onInterrupt())
  const resume = (line: Line): void => {
    if (mode._tag !== "Line") return
    const { resume: next } = mode
    mode = { _tag: "Working" }
    // The user has not finished the line of the prompt.
    if (line._tag !== "Line") write(stderr, safe`\n`)
    const before = startedLine
    startedLine = ""
    if (line._tag === "Line") next({ _tag: "Line", text: before + line.text })
    else next(before === "" ? line : { _tag: "Line", text: before.trimEnd() })
  }
  const end = (): void => {
    ended = true
    if (mode._tag === "Key") mode.resume(null)
    else if (mode._tag === "Hidden") hidden(mode, null)
    else resume({ _tag: "End" })
  }

  const typedAhead = (text: string): void => {
    const { interrupted, lines } = typed.take(text)
    if (interrupted) return interrupt()
    for (const line of lines) {
      if (working === null) waiting.push(line)
      else working.onLine(line)
    }
  }
  const handleKey = ({ accepted, resume: next }: Extract<Mode, { readonly _tag: "Key" }>, text: string): void => {
    if (text.includes("\u0003")) return interrupt()
    if (text.includes(endOfInput)) return end()
    const key = text.replace(/[\r\n]+$/u, "").toLowerCase()
    if (!guard.isOpen() || !accepted.includes(key)) return
    guard.stop()
    mode = { _tag: "Working" }
    next(key)
  }
  const hidden = ({ resume: next }: Extract<Mode, { readonly _tag: "Hidden" }>, text: string | null): void => {
    mode = { _tag: "Working" }
    write(stderr, safe`\n`)
    next(text)
  }
  const typedHidden = (entry: Extract<Mode, { readonly _tag: "Hidden" }>, text: string): void => {
    for (const character of text) {
      if (character === "\r" || character === "\n") return hidden(entry, entry.text)
      if (character === "\u0003" || character === endOfInput) return hidden(entry, null)
      if (character === "\u007f" || character === "\b") entry.text = Array.from(entry.text).slice(0, -1).join("")
      else entry.text += character
    }
  }
  const take = ({ isPasted, text }: Pastes.InputPart): void => {
    if (mode._tag === "Hidden") {
      if (isPasted) mode.text += text.replaceAll(/\r\n?/gu, "\n")
      else typedHidden(mode, text)
      return
    }
    // A paste is not a decision, and no key of the same read is: a pasted text may contain the end of a paste.
    if (mode._tag === "Key") return isPasted ? guard.restart() : handleKey(mode, text)
    if (mode._tag === "Line") return isPasted ? editor?.paste(text) : editor?.take(text)
    return isPasted ? typed.paste(text) : typedAhead(text)
  }

  const input = RawInput.make({
    stdin,
    stderr,
    isDumb,
    onPiece: take,
    onTyped: () => {
      if (mode._tag === "Key") guard.restart()
    },
    onEnd: end,
    onStop: () => {
      guard.stop()
      const closing = editor
      // Only this line editor ends, not the input: the terminal may be opened again.
      editor = null
      closing?.close()
      if (mode._tag === "Line") resume({ _tag: "End" })
    }
  })
  const edited: LineEditor.Events = {
    onLine: (text, rest) => {
      // Input that arrived with the line counts as typed ahead of the next question.
      if (rest !== "") typedAhead(rest)
      if (mode._tag === "Line") resume({ _tag: "Line", text })
      else waiting.push(text)
    },
    onPart: (text, rest) => {
      startedLine += `${text}\n`
      editor?.ask(safe`… `, rest)
    },
    onInterrupt: () => {
      if (startedLine === "" || mode._tag !== "Line") return resume({ _tag: "Interrupted" })
      startedLine = ""
      write(stderr, safe`\n`)
      editor?.ask(mode.prompt, "")
    },
    onEnd: () => {
      if (editor !== null) end()
    },
    onSuspend: input.suspend
  }

  const askLine = (prompt: SafeText, answer: (line: Line) => void): void => {
    input.start()
    if (ended) return answer({ _tag: "End" })
    const next = waiting.shift()
    if (next !== undefined) {
      write(stderr, safe`${prompt}${Escape.line(next)}\n`)
      return answer({ _tag: "Line", text: next })
    }
    editor ??= (isDumb ? DumbEditor : ReadlineEditor).make(stderr, edited)
    mode = { _tag: "Line", prompt, resume: answer }
    const ahead = typed.unfinished()
    const isLine = !ahead.includes("\n")
    editor.ask(prompt, isLine ? ahead : "")
    if (!isLine) editor.paste(ahead)
  }
  const askKey = (accepted: ReadonlyArray<string>, ready: () => void, answer: (key: string | null) => void): void => {
    input.start()
    if (ended) return answer(null)
    mode = { _tag: "Key", accepted, ready, resume: answer }
    guard.restart()
  }
  /** Leaves the mode if it is still the current one. */
  const leave = (expected: Mode["_tag"]): Effect.Effect<void> =>
    Effect.sync(() => {
      if (mode._tag !== expected) return
      guard.stop()
      if (mode._tag === "Line") {
        typed.paste(editor?.withdraw() ?? "")
        write(stderr, safe`\n`)
      }
      mode = { _tag: "Working" }
    })

  return {
    isInteractive: true,
    readLine: (prompt) =>
      Effect.callback((resumeEffect) => {
        askLine(prompt, (line) => resumeEffect(Effect.succeed(line)))
        return leave("Line")
      }),
    readHidden: (prompt) =>
      Effect.callback((resumeEffect) => {
        input.start()
        if (ended) return resumeEffect(Effect.succeed(null))
        write(stderr, prompt)
        mode = { _tag: "Hidden", text: "", resume: (text) => resumeEffect(Effect.succeed(text)) }
        return leave("Hidden")
      }),
    readKey: (accepted, ready) =>
      Effect.callback((resumeEffect) => {
        askKey(accepted, ready, (key) => resumeEffect(Effect.succeed(key)))
        return leave("Key")
      }),
    whileWorking: (handlers) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          input.start()
          working = handlers
        }),
        () =>
          Effect.sync(() => {
            working = null
          })
      ),
    close: input.stop
  }
}
