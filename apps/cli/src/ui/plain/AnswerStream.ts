/** The answer as it streams to stdout, escaped where that is a terminal, and what is said on stderr beside it. */
import * as Escape from "@bough/tui/text/Escape"
import type { Output } from "../../io/Output.ts"
import { text } from "@bough/tui/text/SafeText"

export interface AnswerStream {
  readonly push: (piece: string) => void
  /** Begins a new line if the answer left one unfinished. */
  readonly finishLine: () => void
  /** A line of its own while the answer comes, which goes on below it. */
  readonly interject: (line: string) => void
}

export const make = (output: Output["Service"]): AnswerStream => {
  let escape = Escape.streaming()
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
      escape = Escape.streaming()
      // Half a character that stayed alone, perhaps below a line that was said meanwhile.
      const isLeft = rest !== "" && output.stdoutIsTerminal
      if (isLeft) output.answerEscaped(rest)
      if (isLeft || lineIsOpen) output.answerEscaped(text`\n`)
      lineIsOpen = false
    },
    interject: (line) => {
      // What stdout holds stays as it was said.
      if (lineIsOpen && output.stdoutIsTerminal) output.noteEscaped(text``)
      lineIsOpen &&= !output.stdoutIsTerminal
      output.note(line)
    }
  }
}
