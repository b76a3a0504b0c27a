/**
 * Soft backgrounds for the changed lines of a diff. They are mixed from the background that the terminal reports, so
 * that they fit its colours. Pure.
 */
import type { Rgb } from "./Colour.ts"
import { sgrGround, noPaint } from "./Style.ts"
import type { Theme } from "./Theme.ts"

const green: Rgb = [0.15, 0.65, 0.25]
const red: Rgb = [0.85, 0.2, 0.2]
/** The share of the tint. Less is hard to see on white, more makes coloured text hard to read. */
const share = 0.16

/** Returns the theme with tints for a terminal of this background; null: the background is unknown, so none are used. */
export const withGround = (theme: Theme, ground: Rgb | null): Theme => {
  const paintOf = (tint: Rgb) =>
    ground === null ? noPaint : sgrGround(ground.map((part, at) => Math.round(255 * mix(part, tint[at]))))
  return { ...theme, addedLine: paintOf(green), removedLine: paintOf(red) }
}

const mix = (ground: number, tint: number): number => ground * (1 - share) + tint * share
