/** Stores input that is typed while no prompt is open, as a line with minimal editing and without echo. Pure state. */
import * as SimpleLine from "./SimpleLine.ts"

export interface TypedInput {
  /** Lines that were finished with Enter. */
  readonly lines: ReadonlyArray<string>
  readonly interrupted: boolean
}

export interface TypedAhead {
  readonly take: (input: string) => TypedInput
  /** Adds text to the unfinished line, with its line feeds. */
  readonly paste: (text: string) => void
  /** Returns and clears the unfinished line. */
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
        line = step.event === "Line" ? [] : step.line
        if (step.event === "Interrupt") interrupted = true
        else if (step.event === "Line" && step.line.length > 0) lines.push(step.line.join(""))
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
