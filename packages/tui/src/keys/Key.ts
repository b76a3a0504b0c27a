/** A key press, independent of the encoding in which the terminal sent it. */

export type Name =
  | "text"
  | "enter"
  | "tab"
  | "backspace"
  | "delete"
  | "insert"
  | "escape"
  | "up"
  | "down"
  | "left"
  | "right"
  | "home"
  | "end"
  | "pageUp"
  | "pageDown"
  | "function"

/**
 * `text`: the typed text if `name` is "text" (with `ctrl`: the letter in lower case); "F1" … "F24" if it is "function";
 * else empty.
 */
export interface Key {
  readonly name: Name
  readonly text: string
  readonly ctrl: boolean
  readonly alt: boolean
  readonly shift: boolean
}

export type Modifiers = Partial<Pick<Key, "ctrl" | "alt" | "shift">>

export const namedKey = (name: Exclude<Name, "text" | "function">, modifiers: Modifiers = {}): Key => ({
  name,
  text: "",
  ctrl: false,
  alt: false,
  shift: false,
  ...modifiers
})

export const textKey = (text: string, modifiers: Modifiers = {}): Key => ({
  ...namedKey("enter", modifiers),
  name: "text",
  text
})

export const functionKey = (number: number, modifiers: Modifiers = {}): Key => ({
  ...namedKey("enter", modifiers),
  name: "function",
  text: `F${number}`
})
