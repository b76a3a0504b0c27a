/**
 * Colours by meaning. The built-in themes use only the terminal's own sixteen colours, and so fit every terminal. Pure.
 */
import type { Kind } from "../code/Highlight.ts"
import type { SafeText } from "../text/SafeText.ts"
import { type Colour, type Depth, paint, type Rgb } from "./Colour.ts"
import { coloured, type Paint, plain, sgr, type Style, noPaint } from "./Style.ts"

/** The terminal's background. */
export type Background = "dark" | "light"

export interface Theme extends Style {
  /** The style of prominent parts: headings, the prompt, current work. */
  readonly accent: Paint
  readonly code: Paint
  readonly link: Paint
  readonly italic: Paint
  readonly strike: Paint
  readonly inverse: Paint
  /** The backgrounds of the lines that a diff adds and removes. */
  readonly addedLine: Paint
  readonly removedLine: Paint
  /** The paints of code by meaning; null: there are no colours, and Markdown keeps its marks. */
  readonly syntax: Readonly<Record<Kind, Paint>> | null
  /**
   * Links text to a target of the conversation; returns it unchanged if the target is not valid or the terminal has no
   * links.
   */
  readonly hyperlink: (target: string, shown: SafeText) => SafeText
}

/** The parts of the screen that a theme gives a colour. */
export const parts = [
  "accent",
  "code",
  "link",
  "red",
  "green",
  "yellow",
  "keyword",
  "string",
  "number",
  "comment",
  "name",
  "type",
  "attribute",
  "meta"
] as const
export type Part = (typeof parts)[number]
export type Colours = Readonly<Record<Part, Colour>>

const dark: Colours = {
  accent: "cyan",
  code: "cyan",
  link: "brightBlue",
  red: "red",
  green: "green",
  yellow: "yellow",
  keyword: "magenta",
  string: "green",
  number: "yellow",
  comment: "brightBlack",
  name: "brightBlue",
  type: "cyan",
  attribute: "cyan",
  meta: "brightBlack"
}

/** Avoids yellow and cyan, which are hard to read on white. */
const light: Colours = {
  ...dark,
  accent: "blue",
  code: "blue",
  link: "blue",
  yellow: "magenta",
  number: "red",
  name: "blue",
  type: "blue",
  attribute: "blue"
}

export const builtIn: Readonly<Record<Background, Colours>> = { dark, light }

export const fromColours = (colours: Colours, depth: Depth = "256"): Theme => {
  const paintOf = (part: Part): Paint => paint(colours[part], depth)
  return {
    ...coloured,
    red: paintOf("red"),
    green: paintOf("green"),
    yellow: paintOf("yellow"),
    accent: paintOf("accent"),
    code: paintOf("code"),
    link: paintOf("link"),
    italic: sgr(3, 23),
    strike: sgr(9, 29),
    inverse: sgr(7, 27),
    addedLine: noPaint,
    removedLine: noPaint,
    syntax: {
      keyword: paintOf("keyword"),
      string: paintOf("string"),
      number: paintOf("number"),
      comment: paintOf("comment"),
      name: paintOf("name"),
      type: paintOf("type"),
      attribute: paintOf("attribute"),
      meta: paintOf("meta"),
      added: paintOf("green"),
      removed: paintOf("red")
    },
    hyperlink: (_, shown) => shown
  }
}

export const none: Theme = {
  ...plain,
  accent: noPaint,
  code: noPaint,
  link: noPaint,
  italic: noPaint,
  strike: noPaint,
  inverse: noPaint,
  addedLine: noPaint,
  removedLine: noPaint,
  syntax: null,
  hyperlink: (_, shown) => shown
}

const builtInThemes: Readonly<Record<Background, Theme>> = { dark: fromColours(dark), light: fromColours(light) }

export const themeFor = (background: Background): Theme => builtInThemes[background]

/** Guesses the background before the terminal is asked: `COLORFGBG` is "foreground;background" by number. */
export const guess = (variables: Readonly<Record<string, string | undefined>>): Background => {
  const number = /(?:^|;)(\d+)$/u.exec(variables["COLORFGBG"] ?? "")?.[1]
  return number === "7" || number === "15" ? "light" : "dark"
}

/** Parses the answer to the background query, such as `rgb:ffff/ffff/ffff`; null: the answer is of another kind. */
export const groundOf = (answer: string): Rgb | null => {
  const channels = /^11;rgba?:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})/iu.exec(answer)
  if (channels === null) return null
  const [red, green, blue] = channels.slice(1).map((hex) => Number.parseInt(hex, 16) / (16 ** hex.length - 1))
  return [red, green, blue]
}

/** Classifies a background by the luma of Rec. 709. */
export const backgroundOf = ([red, green, blue]: Rgb): Background =>
  0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5 ? "light" : "dark"
