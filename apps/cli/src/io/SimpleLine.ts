/**
 * The simplest line editing, only at the end of the line, with the echo that a terminal without cursor movement needs.
 * Pure.
 */
import * as Escape from "@bough/tui/text/Escape"
import { empty, repeat, type SafeText, text } from "@bough/tui/text/SafeText"
import { cells } from "@bough/tui/text/Width"

/** `Interrupt`, `End`, `Suspend`: the user pressed their keys; the line may contain text. */
export type LineEvent = "Nothing" | "Line" | "Interrupt" | "End" | "Suspend"

export interface Step {
  /** The typed text, one code point per item. */
  readonly line: ReadonlyArray<string>
  readonly echo: SafeText
  readonly event: LineEvent
}

// Arrow keys and the like; an escape sequence is ESC [ … letter, or ESC and one character.
// oxlint-disable-next-line no-control-regex -- these are the characters that keys send
const sequences = /\u001B(?:\[[0-9;?]*[ -/]*[@-~]|O.|.)?/gu

const events: ReadonlyMap<string, LineEvent> = new Map([
  ["\r", "Line"],
  ["\n", "Line"],
  ["\u0003", "Interrupt"],
  ["\u0004", "End"],
  ["\u001A", "Suspend"]
])
const erase = new Set(["\u007F", "\b"])
const eraseLine = "\u0015"
const eraseWord = "\u0017"

/** Splits a piece of input into keys. */
export const keysOf = (input: string): ReadonlyArray<string> =>
  Array.from(input.replaceAll(sequences, "").replaceAll("\r\n", "\r"))

export const press = (line: ReadonlyArray<string>, key: string): Step => {
  const happened = events.get(key)
  if (happened !== undefined) return { line, echo: empty, event: happened }
  if (erase.has(key)) return deleteLast(line, 1)
  if (key === eraseLine) return deleteLast(line, line.length)
  if (key === eraseWord) return deleteLast(line, lastWord(line))
  return isText(key)
    ? { line: [...line, key], echo: Escape.line(key), event: "Nothing" }
    : { line, echo: empty, event: "Nothing" }
}

const isText = (key: string): boolean => key >= " " || key === "\t"

const deleteLast = (line: ReadonlyArray<string>, count: number): Step => {
  const remainder = line.slice(0, Math.max(0, line.length - count))
  const width = line.slice(remainder.length).reduce((sum, key) => sum + cells(Escape.line(key)), 0)
  return { line: remainder, echo: repeat(text`\b \b`, width), event: "Nothing" }
}

/** The length of the line, with its trailing blanks. */
const lastWord = (line: ReadonlyArray<string>): number => {
  const end = line.findLastIndex((key) => key.trim() !== "")
  const before = line.slice(0, Math.max(0, end)).findLastIndex((key) => key.trim() === "")
  return line.length - (before + 1)
}
