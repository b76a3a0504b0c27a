/** The line editor of a terminal that can move its cursor: node:readline. */
import { createInterface } from "node:readline"
import { PassThrough } from "node:stream"
import type { Make } from "./LineEditor.ts"

export const make: Make = (stderr, { onEnd, onInterrupt, onLine, onSuspend }) => {
  // It sees what is typed while a line is asked for, and nothing else.
  const input = new PassThrough()
  const editor = createInterface({ input, output: stderr, terminal: true, historySize: 200 })
  editor.on("line", (text) => onLine(text, ""))
  editor.on("SIGINT", () => {
    if (editor.line === "") return onInterrupt()
    editor.write(null, { ctrl: true, name: "e" })
    editor.write(null, { ctrl: true, name: "u" })
  })
  editor.on("SIGTSTP", () => onSuspend(() => editor.prompt(true)))
  editor.on("close", onEnd)
  return {
    ask: (prompt, ahead) => {
      editor.setPrompt(prompt)
      editor.prompt()
      if (ahead !== "") input.write(ahead)
    },
    take: (chunk) => void input.write(chunk),
    close: () => editor.close()
  }
}
