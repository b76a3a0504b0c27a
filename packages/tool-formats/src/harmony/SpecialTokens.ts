/** The markers of the Harmony format, which foreign text may not contain. */
import type { Losses } from "../Loss.ts"

export const names = ["start", "end", "message", "channel", "constrain", "return", "call"] as const
export type TokenName = (typeof names)[number]

export const token = (name: TokenName): string => `<|${name}|>`

/** The length of the longest marker. */
export const maxCharacters = Math.max(...names.map((name) => token(name).length))

/** Inserts a space into every marker in the text, so that the text can neither end nor begin a message. */
export const plain = (text: string, at: string, losses: Losses): string => {
  if (!text.includes("<|")) return text
  losses.add("SpecialToken", at, "<| is written as < |")
  return text.replaceAll("<|", "< |")
}

/** Escapes the markers inside the strings of JSON text; the value is unchanged. */
export const json = (text: string): string => text.replaceAll("<|", "\\u003c|")
