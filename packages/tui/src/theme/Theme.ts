/** Colours by what they mean, out of the terminal's own sixteen, so that they fit whatever theme it has. Pure. */
import { coloured, type Paint, plain, sgr, type Style, unpainted } from "./Style.ts"

/** The terminal's background. */
export type Background = "dark" | "light"

export interface Theme extends Style {
  /** The style of what leads the eye: headings, the prompt, current work. */
  readonly accent: Paint
  readonly code: Paint
  readonly link: Paint
  readonly italic: Paint
  readonly strike: Paint
  readonly inverse: Paint
}

const common = {
  ...coloured,
  italic: sgr(3, 23),
  strike: sgr(9, 29),
  inverse: sgr(7, 27)
}

const dark: Theme = {
  ...common,
  yellow: sgr(33, 39),
  accent: sgr(36, 39),
  code: sgr(36, 39),
  link: sgr(94, 39)
}

/** Yellow and cyan can hardly be read on white. */
const light: Theme = {
  ...common,
  yellow: sgr(35, 39),
  accent: sgr(34, 39),
  code: sgr(34, 39),
  link: sgr(34, 39)
}

export const none: Theme = {
  ...plain,
  accent: unpainted,
  code: unpainted,
  link: unpainted,
  italic: unpainted,
  strike: unpainted,
  inverse: unpainted
}

export const themeFor = (background: Background): Theme => (background === "light" ? light : dark)

/** Guesses the background before the terminal is asked: `COLORFGBG` is "foreground;background" by number. */
export const guess = (variables: Readonly<Record<string, string | undefined>>): Background => {
  const number = /(?:^|;)(\d+)$/u.exec(variables["COLORFGBG"] ?? "")?.[1]
  return number === "7" || number === "15" ? "light" : "dark"
}

/** The answer to the question for the background, such as `rgb:ffff/ffff/ffff`; null: it is none. */
export const backgroundOf = (answer: string): Background | null => {
  const channels = /^11;rgba?:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})/iu.exec(answer)
  if (channels === null) return null
  const [red, green, blue] = channels.slice(1).map((hex) => Number.parseInt(hex, 16) / (16 ** hex.length - 1))
  // Rec. 709 luma.
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5 ? "light" : "dark"
}
