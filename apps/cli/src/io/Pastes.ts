/** Separates typed from pasted input by the brackets that a terminal puts around a paste. Pure state. */
import { text } from "@bough/tui/text/SafeText"

/** The sequences that switch the brackets on and off. */
export const enable = text`\u001B[?2004h`
export const disable = text`\u001B[?2004l`

export interface InputPart {
  readonly isPasted: boolean
  /** Normalises a paste: line feeds between its lines, none at the end, and no control character but tabs. */
  readonly text: string
}

const opening = "\u001B[200~"
const closing = "\u001B[201~"
const interrupt = "\u0003"

/** Accepts input that is cut anywhere; returns a paste when it is complete. */
export const make = (): ((input: string) => ReadonlyArray<InputPart>) => {
  let undecided = ""
  let pasted: string | null = null
  return (input) => {
    // A paste that never ends can still be stopped.
    if (pasted !== null && input === interrupt) pasted = null
    const pieces: Array<InputPart> = []
    let text = undecided + input
    undecided = ""
    while (text !== "") {
      const [bracket, inside] = pasted === null ? [opening, null] : [closing, pasted]
      const at = text.indexOf(bracket)
      const incompleteLength = at === -1 ? incompleteBracketLength(text, bracket) : 0
      const found = text.slice(0, at === -1 ? text.length - incompleteLength : at)
      if (inside === null && found !== "") pieces.push({ isPasted: false, text: found })
      if (at === -1) {
        undecided = text.slice(text.length - incompleteLength)
        if (inside !== null) pasted = inside + found
        break
      }
      if (inside !== null) pieces.push({ isPasted: true, text: clean(inside + found) })
      pasted = inside === null ? "" : null
      text = text.slice(at + bracket.length)
    }
    return pieces
  }
}

/** Returns the length of an incomplete bracket at the end. Escape alone is a key. */
const incompleteBracketLength = (text: string, bracket: string): number => {
  for (let length = Math.min(bracket.length - 1, text.length); length > 1; length--) {
    if (text.endsWith(bracket.slice(0, length))) return length
  }
  return 0
}

const clean = (text: string): string =>
  text
    .replaceAll(/\r\n?/gu, "\n")
    .replaceAll(/[^\P{Cc}\n\t]/gu, "")
    .replace(/\n+$/u, "")
