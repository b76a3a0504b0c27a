/** The line editor for a terminal that cannot move its cursor: node:readline cannot erase text there. */
import { empty, join, type SafeText, text, write } from "@bough/tui/text/SafeText"
import type { Make } from "./LineEditor.ts"
import * as SimpleLine from "./SimpleLine.ts"

export const make: Make = (stderr, { onEnd, onInterrupt, onLine, onSuspend }) => {
  let prompt = empty
  let line: ReadonlyArray<string> = []

  const show = (): void => write(stderr, text`${prompt}${echoOf(line)}`)
  const handleEvent = (event: SimpleLine.LineEvent, rest: () => string): void => {
    const written = line.join("")
    switch (event) {
      case "Nothing":
        return
      case "Line":
        line = []
        write(stderr, text`\n`)
        return onLine(written, rest())
      case "Interrupt":
        if (written === "") return onInterrupt()
        line = []
        write(stderr, text`\n`)
        return show()
      case "End":
        return written === "" ? onEnd() : undefined
      case "Suspend":
        return onSuspend(show)
    }
  }
  const take = (input: string): void => {
    const keys = SimpleLine.keysOf(input)
    for (const [index, key] of keys.entries()) {
      const step = SimpleLine.press(line, key)
      ;({ line } = step)
      if (step.echo !== "") write(stderr, step.echo)
      handleEvent(step.event, () => keys.slice(index + 1).join(""))
      // The input after a finished line belongs to the next reader.
      if (step.event === "Line") return
    }
  }
  return {
    ask: (shownPrompt, ahead) => {
      prompt = shownPrompt
      line = SimpleLine.keysOf(ahead)
      show()
    },
    take,
    // Such a terminal does not mark pastes, so pasted text counts as typed.
    paste: take,
    withdraw: () => {
      const written = line.join("")
      line = []
      return written
    },
    close: () => {}
  }
}

const echoOf = (line: ReadonlyArray<string>): SafeText => join(line.map((key) => SimpleLine.press([], key).echo))
