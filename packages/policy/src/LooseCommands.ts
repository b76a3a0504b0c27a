/**
 * Reads a command line that cannot be read completely, for rules that deny or ask: the simple commands that it may run.
 * A word that a variable, a pattern or a substitution gives is null; the commands of a substitution are read as well.
 */
import type { Word } from "./OtherNames.ts"

type Command = ReadonlyArray<Word>

const maxLength = 10_000
const maxTexts = 1_000

/** Words of a shell's grammar before a command. */
const reserved: ReadonlySet<string> = new Set("if then elif else while until do ! time { in".split(" "))
const assignment = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/u

/** The commands that the texts of a call may run. */
export const read = (value: unknown): ReadonlyArray<Command> => textsOf(value).slice(0, maxTexts).flatMap(readLine)

const textsOf = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : []
}

/** The commands of one line, or of several. */
export const readLine = (line: string): ReadonlyArray<Command> => {
  const text = line.slice(0, maxLength).replaceAll("\\\n", "")
  const { commands, isWhole } = new Reading(text).read()
  // An apostrophe in a here-document opens a quote here, which would hide the lines behind it.
  const alone =
    isWhole || !text.includes("\n") ? [] : text.split("\n").flatMap((one) => new Reading(one).read().commands)
  return [...commands, ...alone]
}

/** A command that is being read, down to the character that ends the substitution or the group that it is in. */
interface Level {
  readonly end: string
  words: Array<Word>
  word: string | null
  isUnknown: boolean
  quote: "'" | '"' | "$'" | null
  isTarget: boolean
}

const levelTo = (end: string): Level => ({
  end,
  words: [],
  word: null,
  isUnknown: false,
  quote: null,
  isTarget: false
})

/** Walks over the characters of a line once. */
class Reading {
  private readonly line: string
  private readonly found: Array<Command> = []
  private readonly outer: Array<Level> = []
  private level = levelTo("")

  constructor(line: string) {
    this.line = line
  }

  /** Whole: no quote and no substitution is left open, and no here-document is there. */
  read(): { readonly commands: ReadonlyArray<Command>; readonly isWhole: boolean } {
    for (let at = 0; at < this.line.length; at += 1) at += this.take(at)
    const isWhole = this.outer.length === 0 && this.level.quote === null && !this.line.includes("<<")
    while (this.outer.length > 0) this.close()
    this.endCommand()
    return { commands: this.found, isWhole }
  }

  /** Takes one character, and returns the number of characters that it took beyond that. */
  private take(at: number): number {
    const character = this.line[at] ?? ""
    const next = this.line[at + 1] ?? ""
    const { quote } = this.level
    if (quote === "'" || quote === "$'") return this.takeSingle(character)
    if (character === "\\") return this.add(next, false, 1)
    if (character === "`") return this.level.end === "`" ? this.close() : this.open("`", 0)
    if (character === "$" && next === "(") return this.open(")", 1)
    if (character === '"') return this.setQuote(quote === '"' ? null : '"')
    if (quote === '"') return this.add(character, character === "$")
    if (character === "$" && next === "'") return this.setQuote("$'", 1)
    if (character === "$" && next === '"') return 0
    if (character === "'") return this.setQuote("'")
    if (character === "#" && this.level.word === null) return this.lengthOfLine(at)
    return this.takeBare(character, next)
  }

  /** The number of characters behind this one in its line. */
  private lengthOfLine(at: number): number {
    const end = this.line.indexOf("\n", at)
    return (end === -1 ? this.line.length : end) - at - 1
  }

  private takeSingle(character: string): number {
    const { quote } = this.level
    if (quote === "$'" && character === "\\") return this.add("", true, 1)
    return character === "'" ? this.setQuote(null) : this.add(character)
  }

  private takeBare(character: string, next: string): number {
    if (/[<>]/u.test(character) || (character === "&" && next === ">")) return this.redirect(next)
    if (character === "(") return this.open(")", 0)
    if (character === ")") return this.level.end === ")" ? this.close() : this.endCommand()
    if (/[;|&\n]/u.test(character)) return this.endCommand()
    if (/[ \t\r]/u.test(character)) return this.endWord()
    return this.add(character, /[$*?[\]{}]/u.test(character))
  }

  /** Drops the number before a redirection and the file behind it: a command does not see them. */
  private redirect(next: string): number {
    if (/^\d+$/u.test(this.level.word ?? "")) this.level.word = null
    this.endWord()
    this.level.isTarget = next !== "("
    return /[<>&|]/u.test(next) ? 1 : 0
  }

  private open(end: string, taken: number): number {
    this.add("", true)
    this.outer.push(this.level)
    this.level = levelTo(end)
    return taken
  }

  private close(): number {
    this.endCommand()
    this.level = this.outer.pop() ?? levelTo("")
    return 0
  }

  private setQuote(quote: Level["quote"], taken = 0): number {
    this.level.quote = quote
    return this.add("", false, taken)
  }

  private add(text: string, isUnknown = false, taken = 0): number {
    const { level } = this
    level.word = (level.word ?? "") + text
    level.isUnknown ||= isUnknown
    return taken
  }

  private endWord(): number {
    const { level } = this
    const { isTarget, isUnknown, word, words } = level
    level.word = null
    level.isUnknown = false
    if (word === null) return 0
    level.isTarget = false
    const isBefore = words.length === 0 && (assignment.test(word) || reserved.has(word))
    if (!isTarget && !isBefore) words.push(isUnknown ? null : word)
    return 0
  }

  private endCommand(): number {
    this.endWord()
    const { level } = this
    if (level.words.length > 0) this.found.push(level.words)
    level.words = []
    level.isTarget = false
    return 0
  }
}
