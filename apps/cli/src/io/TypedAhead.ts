/** Keeps what is typed while no prompt is open, as a line with the simplest of editing and without echo. Pure state. */
import * as SimpleLine from "./SimpleLine.ts"

export interface Typed {
  /** Lines that were finished with Enter. */
  readonly lines: ReadonlyArray<string>
  readonly interrupted: boolean
}

export interface TypedAhead {
  readonly take: (input: string) => Typed
  /** Adds to the unfinished line, line feeds and all. */
  readonly paste: (text: string) => void
  /** The unfinished line, which is then forgotten. */
  readonly unfinished: () => string
}

export const make = (): TypedAhead => {
  let line: ReadonlyArray<string> = []
  return {
    take: (input) => {
      const lines: Array<string> = []
      let interrupted = false
      for (const key of SimpleLine.keysOf(input)) {
        const step = SimpleLine.press(line, key)
        line = step.happened === "Line" ? [] : step.line
        if (step.happened === "Interrupt") interrupted = true
        else if (step.happened === "Line" && step.line.length > 0) lines.push(step.line.join(""))
      }
      return { lines, interrupted }
    },
    paste: (text) => {
      line = [...line, ...Array.from(text)]
    },
    unfinished: () => {
      const text = line.join("")
      line = []
      return text
    }
  }
}
