/** The text of a command: the characters that it may contain, and its complete and unambiguous display for a user. */

// Matches control characters except newline and tab, line separators, marks of text direction, halves of surrogate
// pairs.
const forbidden = (): RegExp => /(?![\n\t])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** Returns the first character that makes a command look different from what runs, as U+XXXX; null: there is none. */
export const forbiddenIn = (text: string): string | null => {
  const found = forbidden().exec(text)?.[0]
  return found === undefined ? null : `U+${codePoint(found).toUpperCase().padStart(4, "0")}`
}

const codePoint = (character: string): string => (character.codePointAt(0) ?? 0).toString(16)

// Matches all characters without a visible mark: control, format, private and unassigned characters, unusual spaces,
// fillers.
const unclear = (): RegExp => /\\+|(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu
const writtenOut = (): RegExp => /^(?:u\{|(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}])/u

/** Writes invisible characters as \u{…} and doubles backslashes before such text, so that no two lines look alike. */
const visible = (line: string): string =>
  line.replaceAll(unclear(), (found, at: number) => {
    if (!found.startsWith("\\")) return `\\u{${codePoint(found)}}`
    return writtenOut().test(line.slice(at + found.length)) ? found + found : found
  })

/** Formats the command in one line, with \n between its lines. */
export const escapeText = (text: string): string => text.split("\n").map(visible).join("\\n")

/**
 * Formats the whole command, line by line and indented, so that no line can be mistaken for anything but the command.
 */
export const indentText = (text: string): string =>
  text
    .split("\n")
    .map((line) => `  ${visible(line)}`)
    .join("\n")

const plainWord = /^[\w@%+=:,./-]+$/

/** Formats an argument vector in a shell's syntax, for display. */
export const quoteWords = (argv: ReadonlyArray<string>): string =>
  argv.map((word) => (plainWord.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ")

/** Returns the beginning of the command, for a sentence. */
export const shortenText = (text: string, length: number): string => {
  const characters = Array.from(text)
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join("")}…`
}
