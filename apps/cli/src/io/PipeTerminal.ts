/** Input that is not a terminal: lines as they arrive, and no user to ask. */
import * as Effect from "effect/Effect"
import { createInterface, type Interface } from "node:readline"
import type { Line, Terminal } from "./Terminal.ts"

export const make = (stdin: () => NodeJS.ReadStream): Terminal["Service"] => {
  const lines: Array<string> = []
  let reader: Interface | null = null
  let ended = false
  let wake: () => void = () => {}
  const start = (): void => {
    if (reader !== null) return
    const input = stdin()
    reader = createInterface({ input, terminal: false })
    reader.on("line", (text) => {
      lines.push(text)
      wake()
    })
    reader.on("close", () => {
      ended = true
      wake()
    })
    input.on("error", () => reader?.close())
  }
  const next = (): Line | null => {
    const text = lines.shift()
    if (text !== undefined) return { _tag: "Line", text }
    return ended ? { _tag: "End" } : null
  }
  return {
    isInteractive: false,
    readLine: () =>
      Effect.callback<Line>((resume) => {
        start()
        const attempt = (): void => {
          const line = next()
          if (line === null) return
          wake = () => {}
          resume(Effect.succeed(line))
        }
        wake = attempt
        attempt()
      }),
    readHidden: () => Effect.succeed(null),
    readKey: () => Effect.succeed(null),
    whileWorking: () => Effect.void,
    close: () => reader?.close()
  }
}
