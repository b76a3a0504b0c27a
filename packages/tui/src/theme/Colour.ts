/** Parses the colours of a theme into paints. Pure. */
import { type Paint, sgr, sgrColour, noPaint } from "./Style.ts"

const names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const

/**
 * One of the terminal's sixteen colours by name, one of its 256 by number, or `#rrggbb`; `default` is the terminal's
 * text colour.
 */
export type Colour = string | number

/** Red, green and blue, from 0 to 1. */
export type Rgb = readonly [red: number, green: number, blue: number]

/** The number of colours that the terminal supports. */
export type Depth = "256" | "true"

/** True for a value that `paint` understands. */
export const isColour = (value: unknown): value is Colour =>
  typeof value === "number"
    ? Number.isInteger(value) && value >= 0 && value <= 255
    : typeof value === "string" && (value === "default" || hex.test(value) || foreground(value) !== null)

const hex = /^#[0-9a-f]{6}$/iu

/** Returns the code of a name such as `blue` or `brightBlue`; null: there is none. */
const foreground = (name: string): number | null => {
  const isBright = name.startsWith("bright")
  const plain = isBright ? name.slice(6).toLowerCase() : name
  const at = names.findIndex((known) => known === plain)
  return at === -1 ? null : (isBright ? 90 : 30) + at
}

export const paint = (colour: Colour, depth: Depth): Paint => {
  if (typeof colour === "number") return sgrColour([5, colour])
  const named = foreground(colour)
  if (named !== null) return sgr(named, 39)
  if (!hex.test(colour)) return noPaint
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
  return depth === "true" ? sgrColour([2, red, green, blue]) : sgrColour([5, nearest(red, green, blue)])
}

/** Returns the nearest colour of the cube of 216 colours and the scale of 24 greys. */
const nearest = (red: number, green: number, blue: number): number => {
  const level = (value: number): number => (value < 48 ? 0 : value < 115 ? 1 : Math.floor((value - 35) / 40))
  const [r, g, b] = [level(red), level(green), level(blue)]
  const isGrey = r === g && g === b && Math.max(red, green, blue) - Math.min(red, green, blue) < 12
  if (!isGrey) return 16 + 36 * r + 6 * g + b
  const grey = Math.round((red - 8) / 10)
  return grey < 0 ? 16 : grey > 23 ? 231 : 232 + grey
}
