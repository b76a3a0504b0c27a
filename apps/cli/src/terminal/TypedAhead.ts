/** What is typed while nothing asks for it: kept as a line with the simplest of editing, without echo. Pure state. */

export interface Typed {
  /** Lines that were finished with Enter. */
  readonly lines: ReadonlyArray<string>
  readonly interrupted: boolean
}

export interface TypedAhead {
  readonly take: (input: string) => Typed
  /** The unfinished line, which is then forgotten. */
  readonly unfinished: () => string
}

// Arrow keys and the like; an escape sequence is ESC [ … letter, or ESC and one character.
// oxlint-disable-next-line no-control-regex -- these are the characters that keys send
const sequences = /\u001B(?:\[[0-9;?]*[ -/]*[@-~]|O.|.)?/gu
const interrupt = "\u0003"
const erase = new Set(["\u007F", "\b"])
const eraseLine = "\u0015"

export const make = (): TypedAhead => {
  let line: ReadonlyArray<string> = []
  return {
    take: (input) => {
      const lines: Array<string> = []
      let interrupted = false
      for (const key of input.replaceAll(sequences, "").replaceAll("\r\n", "\r")) {
        if (key === interrupt) interrupted = true
        else if (key === "\r" || key === "\n") {
          if (line.length > 0) lines.push(line.join(""))
          line = []
        } else if (erase.has(key)) line = line.slice(0, -1)
        else if (key === eraseLine) line = []
        else if (key >= " ") line = [...line, key]
      }
      return { lines, interrupted }
    },
    unfinished: () => {
      const text = line.join("")
      line = []
      return text
    }
  }
}
