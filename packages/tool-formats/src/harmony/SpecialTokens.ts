/** The markers of the Harmony format, which no text of others may contain. */
import type { Losses } from "../Loss.ts"

export const names = ["start", "end", "message", "channel", "constrain", "return", "call"] as const
export type TokenName = (typeof names)[number]

export const token = (name: TokenName): string => `<|${name}|>`

/** The longest marker. */
export const maxCharacters = Math.max(...names.map((name) => token(name).length))

/** The text with every marker broken by a space, so that none of it ends a message or begins another. */
export const plain = (text: string, at: string, losses: Losses): string => {
  if (!text.includes("<|")) return text
  losses.add("SpecialToken", at, "<| is written as < |")
  return text.replaceAll("<|", "< |")
}

/** JSON text with the markers inside its strings escaped: the same value. */
export const json = (text: string): string => text.replaceAll("<|", "\\u003c|")
