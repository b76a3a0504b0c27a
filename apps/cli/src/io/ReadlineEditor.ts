/** The line editor of a terminal that can move its cursor: node:readline. */
import * as Escape from "@bough/tui/text/Escape"
import { join, type SafeText, text as safe, write } from "@bough/tui/text/SafeText"
import { createInterface } from "node:readline"
import { PassThrough } from "node:stream"
import type { Make } from "./LineEditor.ts"

/** Lines of a paste that are shown; the user who pasted it knows the rest. */
const maxShown = 3

export const make: Make = (stderr, { onEnd, onInterrupt, onLine, onPart, onSuspend }) => {
  // Receives only the keys that are typed while a line is requested.
  const input = new PassThrough()
  const editor = createInterface({ input, output: stderr, terminal: true, historySize: 200 })
  editor.on("line", (text) => onLine(text, ""))
  const clear = (): void => {
    editor.write(null, { ctrl: true, name: "e" })
    editor.write(null, { ctrl: true, name: "u" })
  }
  editor.on("SIGINT", () => (editor.line === "" ? onInterrupt() : clear()))
  editor.on("SIGTSTP", () => onSuspend(() => editor.prompt(true)))
  editor.on("close", onEnd)
  return {
    ask: (prompt, ahead) => {
      editor.setPrompt(prompt)
      editor.prompt()
      if (ahead !== "") input.write(ahead)
    },
    take: (typed) => void input.write(typed),
    paste: (text) => {
      const pasted = text.split("\n")
      const last = pasted.pop() ?? ""
      if (pasted.length === 0) return void input.write(text)
      const { cursor, line } = editor
      clear()
      const withPaste = [line.slice(0, cursor) + pasted[0], ...pasted.slice(1)]
      write(stderr, safe`${join(previewRows(withPaste), safe`\n… `)}\n`)
      onPart(withPaste.join("\n"), last + line.slice(cursor))
    },
    withdraw: () => {
      const { line } = editor
      clear()
      return line
    },
    close: () => editor.close()
  }
}

const previewRows = (lines: ReadonlyArray<string>): ReadonlyArray<SafeText> => {
  const rows = lines.slice(0, maxShown).map((line) => Escape.line(line))
  return rows.length === lines.length ? rows : [...rows, safe`(${lines.length - rows.length} more lines)`]
}
