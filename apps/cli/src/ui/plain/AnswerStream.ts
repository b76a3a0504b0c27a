/** Streams the answer to stdout, escaped if that is a terminal, and writes notices to stderr. */
import * as Escape from "@bough/tui/text/Escape"
import { text } from "@bough/tui/text/SafeText"
import type { Output } from "../../io/Output.ts"

export interface AnswerStream {
  readonly push: (piece: string) => void
  /** Begins a new line if the answer left one unfinished. */
  readonly finishLine: () => void
  /** Writes a separate line while the answer streams; the answer continues below it. */
  readonly interject: (line: string) => void
}

export const make = (output: Output["Service"]): AnswerStream => {
  let escape = Escape.makeStreamEscaper()
  let lineIsOpen = false
  return {
    push: (piece) => {
      if (piece === "") return
      if (output.stdoutIsTerminal) output.answerEscaped(escape.push(piece))
      else output.answer(piece)
      lineIsOpen = !piece.endsWith("\n")
    },
    finishLine: () => {
      const rest = escape.end()
      escape = Escape.makeStreamEscaper()
      // The rest may be half a character, perhaps below an interjected line.
      const isLeft = rest !== "" && output.stdoutIsTerminal
      if (isLeft) output.answerEscaped(rest)
      if (isLeft || lineIsOpen) output.answerEscaped(text`\n`)
      lineIsOpen = false
    },
    interject: (line) => {
      // Output is not changed if stdout is not a terminal.
      if (lineIsOpen && output.stdoutIsTerminal) output.noteEscaped(text``)
      lineIsOpen &&= !output.stdoutIsTerminal
      output.note(line)
    }
  }
}
