/** The text of a command: what may stand in it, and how it is shown to a person whole and without disguise. */

// Control characters but newline and tab, line separators, text direction, halves of surrogate pairs.
const forbidden = /(?![\n\t])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** The first character that makes a command read otherwise than it runs, as U+XXXX; null: there is none. */
export const forbiddenIn = (text: string): string | null => {
  const found = forbidden.exec(text)?.[0]
  return found === undefined ? null : `U+${codePoint(found).toUpperCase().padStart(4, "0")}`
}

const codePoint = (character: string): string => (character.codePointAt(0) ?? 0).toString(16)

// Whatever is not a visible mark of its own: control, format, private and unassigned characters, odd spaces, fillers.
const invisible = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu

/** One line; what cannot be seen is written as \n, \t or \u{…}, and a backslash that could be taken for those doubled. */
export const escaped = (text: string): string =>
  text.replaceAll(/\\(?=[\\nt]|u\{)/gu, "\\\\").replaceAll(invisible, (character) => {
    if (character === "\n") return "\\n"
    return character === "\t" ? "\\t" : `\\u{${codePoint(character)}}`
  })

const plainWord = /^[\w@%+=:,./-]+$/

/** An argument vector as a shell would take it, for reading. */
export const quoted = (argv: ReadonlyArray<string>): string =>
  argv.map((word) => (plainWord.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ")

/** The beginning, for a sentence. */
export const shortened = (text: string, length: number): string => {
  const characters = Array.from(text)
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join("")}…`
}
