/** The key bindings of the editor, as data. Keys without a binding are returned to the screen. */
import type { Key } from "../keys/Key.ts"

export type Command =
  | "left"
  | "right"
  | "wordLeft"
  | "wordRight"
  | "lineStart"
  | "lineEnd"
  | "textStart"
  | "textEnd"
  | "up"
  | "down"
  | "eraseLeft"
  | "eraseRight"
  | "killBlankLeft"
  | "killWordLeft"
  | "killWordRight"
  | "killToLineEnd"
  | "killToLineStart"
  | "yank"
  | "undo"
  | "older"
  | "newer"
  | "search"
  | "complete"
  | "newline"
  | "send"
  | "leave"
  | "clear"
  | "eraseRightOrQuit"

/** Commands by the key that performs them, as `chord` names it. */
export type Bindings = ReadonlyMap<string, Command>

/** The default bindings. */
export const bindings: Bindings = new Map<string, Command>([
  ["left", "left"],
  ["ctrl-b", "left"],
  ["right", "right"],
  ["ctrl-f", "right"],
  ["ctrl-left", "wordLeft"],
  ["alt-left", "wordLeft"],
  ["alt-b", "wordLeft"],
  ["ctrl-right", "wordRight"],
  ["alt-right", "wordRight"],
  ["alt-f", "wordRight"],
  ["home", "lineStart"],
  ["ctrl-a", "lineStart"],
  ["end", "lineEnd"],
  ["ctrl-e", "lineEnd"],
  ["ctrl-home", "textStart"],
  ["alt-<", "textStart"],
  ["ctrl-end", "textEnd"],
  ["alt->", "textEnd"],
  ["up", "up"],
  ["down", "down"],
  ["backspace", "eraseLeft"],
  ["shift-backspace", "eraseLeft"],
  ["ctrl-h", "eraseLeft"],
  ["delete", "eraseRight"],
  ["ctrl-d", "eraseRightOrQuit"],
  ["ctrl-w", "killBlankLeft"],
  ["alt-backspace", "killWordLeft"],
  ["ctrl-backspace", "killWordLeft"],
  ["alt-d", "killWordRight"],
  ["alt-delete", "killWordRight"],
  ["ctrl-delete", "killWordRight"],
  ["ctrl-k", "killToLineEnd"],
  ["ctrl-u", "killToLineStart"],
  ["ctrl-y", "yank"],
  ["ctrl-_", "undo"],
  ["ctrl-/", "undo"],
  ["ctrl-p", "older"],
  ["ctrl-n", "newer"],
  ["ctrl-r", "search"],
  ["tab", "complete"],
  ["alt-enter", "newline"],
  ["shift-enter", "newline"],
  ["ctrl-enter", "newline"],
  ["ctrl-j", "newline"],
  ["enter", "send"],
  ["escape", "leave"],
  ["ctrl-c", "clear"]
])

/**
 * Formats a key like the table: `ctrl-left`, `alt-b`, `shift-enter`. For a letter, the upper case represents shift.
 */
export const chord = ({ alt, ctrl, name, shift, text }: Key): string =>
  [
    ...(ctrl ? ["ctrl"] : []),
    ...(alt ? ["alt"] : []),
    ...(shift && name !== "text" ? ["shift"] : []),
    name === "text" || name === "function" ? text : name
  ].join("-")

/** Returns the text that a key types; "" if it types none. */
export const typedBy = ({ alt, ctrl, name, text }: Key): string => (name === "text" && !ctrl && !alt ? text : "")
