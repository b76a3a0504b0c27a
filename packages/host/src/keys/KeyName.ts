/** The names of keys, such as `ctrl-o`, `shift-tab` and `F5`, in the configuration and on the screen. Pure. */
import * as Result from "effect/Result"
import { nearest } from "../config/Nearest.ts"

/** The names of key presses, by their name in lower case. */
const named: ReadonlyMap<string, string> = new Map([
  ["enter", "enter"],
  ["return", "enter"],
  ["tab", "tab"],
  ["backspace", "backspace"],
  ["delete", "delete"],
  ["insert", "insert"],
  ["escape", "escape"],
  ["esc", "escape"],
  ["up", "up"],
  ["down", "down"],
  ["left", "left"],
  ["right", "right"],
  ["home", "home"],
  ["end", "end"],
  ["pageup", "pageUp"],
  ["page-up", "pageUp"],
  ["pagedown", "pageDown"],
  ["page-down", "pageDown"],
  ["space", " "]
])

const modifiers = ["ctrl", "alt", "shift"] as const
type Modifier = (typeof modifiers)[number]

/** Keys that terminals report as other keys. */
const sameKeys: ReadonlyMap<string, string> = new Map([
  ["ctrl-i", "tab"],
  ["ctrl-m", "enter"],
  ["ctrl-[", "escape"]
])

const functionKey = /^f(?:[1-9]|1\d|2[0-4])$/u

/**
 * Returns the name that key presses have. A failure gives the reason why there is no such key, worded as the end of a
 * sentence.
 */
export const parse = (written: string): Result.Result<string, string> => {
  const parts = /^((?:[a-z]+[-+])*)(.+)$/iu.exec(written.trim())
  const modifierNames = (parts?.[1] ?? "").split(/[-+]/u).filter((part) => part !== "")
  const [lead, rest] = pageKey(modifierNames, parts?.[2] ?? "")
  const wanted = lead.map((part) => part.toLowerCase())
  const unknown = wanted.find((part) => !isModifier(part))
  if (unknown !== undefined || wanted.length !== new Set(wanted).size) return Result.fail(unknownKey(written))
  const hasModifier = (modifier: Modifier): boolean => wanted.includes(modifier)
  const key = keyOf(rest)
  if (key === null) return Result.fail(unknownKey(written))
  const isText = Array.from(key).length === 1
  if (isText && !hasModifier("ctrl") && !hasModifier("alt")) {
    return Result.fail(`"${written}" types a character: use it with ctrl or alt, or another key`)
  }
  if (isText && hasModifier("ctrl") && hasModifier("shift")) {
    return Result.fail(`"${written}" is not a separate key in any terminal: use ctrl, alt or shift alone`)
  }
  const text = !isText ? key : hasModifier("shift") ? key.toUpperCase() : key.toLowerCase()
  const shown = modifiers.filter((modifier) => hasModifier(modifier) && !(isText && modifier === "shift"))
  const name = [...shown, text].join("-")
  const same = sameKeys.get(name)
  return same === undefined ? Result.succeed(name) : Result.fail(`"${written}" is ${same} to a terminal`)
}

/** Handles `page-up` and `page-down`, which contain a hyphen. */
const pageKey = (lead: ReadonlyArray<string>, rest: string): readonly [ReadonlyArray<string>, string] =>
  lead.at(-1)?.toLowerCase() === "page" ? [lead.slice(0, -1), `page-${rest}`] : [lead, rest]

const isModifier = (part: string): part is Modifier => modifiers.some((modifier) => modifier === part)

const keyOf = (written: string): string | null => {
  const lower = written.toLowerCase()
  if (functionKey.test(lower)) return lower.toUpperCase()
  return named.get(lower) ?? (Array.from(written).length === 1 ? written : null)
}

const unknownKey = (written: string): string => {
  const lower = written.toLowerCase().replaceAll("+", "-")
  const near = nearest(lower, knownNames()) ?? nearest(lower.replace(/^(?:control|c)-/u, "ctrl-"), knownNames())
  const suggestion = near === null ? "write one as ctrl-o, alt-b, shift-tab or f5" : `did you mean "${near}"?`
  return `there is no key "${written}"; ${suggestion}`
}

/** The names among which the nearest to a misspelled name is searched. */
const knownNames = (): ReadonlyArray<string> => {
  const letters = Array.from("abcdefghijklmnopqrstuvwxyz")
  const keys = [...named.keys()]
  return [
    ...keys,
    ...modifiers.flatMap((modifier) => keys.map((key) => `${modifier}-${key}`)),
    ...letters.flatMap((letter) => [`ctrl-${letter}`, `alt-${letter}`])
  ]
}

const shownNames: Readonly<Record<string, string>> = { escape: "Esc", pageUp: "PgUp", pageDown: "PgDn", " ": "Space" }

/** Formats the key for users: `Ctrl-O`, `Esc`. */
export const display = (name: string): string => {
  const parts = /^((?:(?:ctrl|alt|shift)-)*)(.+)$/u.exec(name)
  const lead = (parts?.[1] ?? "").replaceAll(/[a-z]+/gu, capital)
  const key = parts?.[2] ?? ""
  if (lead === "Alt-" && key.length === 1 && key !== key.toLowerCase()) return `Alt-Shift-${key}`
  return `${lead}${shownNames[key] ?? capital(key)}`
}

/** Capitalises the first letter. */
export const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`
