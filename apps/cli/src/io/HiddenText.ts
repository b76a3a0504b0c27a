/** The text that the user types without echo, as a fold of the typed characters. */

export interface HiddenText {
  readonly text: string
  /** "typing": the text is not complete. */
  readonly status: "typing" | "entered" | "cancelled"
}

export const empty: HiddenText = { text: "", status: "typing" }

export const paste = (hidden: HiddenText, pasted: string): HiddenText => ({
  ...hidden,
  text: hidden.text + pasted.replaceAll(/\r\n?/gu, "\n")
})

/** Takes typed characters until one of them ends the text. */
export const type = ({ text }: HiddenText, typed: string): HiddenText => {
  for (const character of typed) {
    if (character === "\r" || character === "\n") return { text, status: "entered" }
    if (character === "\u0003" || character === "\u0004") return { text, status: "cancelled" }
    if (character === "\u007f" || character === "\b") text = Array.from(text).slice(0, -1).join("")
    else text += character
  }
  return { text, status: "typing" }
}
