/** The keys of the editor, from the keymap of the conversation. Pure. */
import type { KeyAction } from "@bough/host/keys/KeyActions"
import type { Keymap } from "@bough/host/keys/Keymap"
import type { Bindings, Command } from "@bough/tui/editor/Bindings"

const commands: Readonly<Partial<Record<KeyAction, Command>>> = {
  send: "send",
  interrupt: "leave",
  clear: "clear",
  "new line": "newline",
  complete: "complete",
  "search history": "search",
  up: "up",
  down: "down",
  "older message": "older",
  "newer message": "newer",
  left: "left",
  right: "right",
  "word left": "wordLeft",
  "word right": "wordRight",
  "line start": "lineStart",
  "line end": "lineEnd",
  "text start": "textStart",
  "text end": "textEnd",
  "delete left": "eraseLeft",
  "delete right": "eraseRight",
  "delete or quit": "eraseRightOrQuit",
  "cut to blank": "killBlankLeft",
  "cut word left": "killWordLeft",
  "cut word right": "killWordRight",
  "cut to line end": "killToLineEnd",
  "cut to line start": "killToLineStart",
  "insert cut text": "yank",
  undo: "undo"
}

export const bindingsOf = ({ actions }: Keymap): Bindings =>
  new Map(
    [...actions.editor].flatMap(([key, action]) => {
      const command = commands[action]
      return command === undefined ? [] : [[key, command] as const]
    })
  )
