/** The drawn pieces of a text with their widths. Pure; without control characters. */
import { drawnCells as cells } from "../text/drawnCells.ts"
import * as Escape from "../text/Escape.ts"
import { graphemes } from "../text/graphemes.ts"
import { blanks, type SafeText, text, unchecked } from "../text/SafeText.ts"
import type * as Draft from "./Draft.ts"
import * as Image from "./Image.ts"

/** A unit of text for display: an unsafe character or an atom is shown as several characters. */
export interface Glyph {
  readonly text: SafeText
  readonly cells: number
  /** The position of its unit in the draft's text. */
  readonly start: number
  /** True if it is the first glyph of its unit. */
  readonly leads: boolean
  readonly atom: boolean
}

const tab = blanks(4)

const emoji = (): RegExp => /^\p{RGI_Emoji}$/v

/**
 * Splits joined emoji into their parts, so that their width is the same on every terminal. Such emoji are a closed
 * list, in which no text can be hidden.
 */
const escapeGrapheme = (grapheme: string): SafeText => {
  const escaped = Escape.text(grapheme)
  return escaped.includes("\\u{") && emoji().test(grapheme) ? withoutUnsafe(grapheme) : escaped
}

const withoutUnsafe = (joined: string): SafeText =>
  unchecked(
    Array.from(joined)
      .filter((character) => !Escape.isUnsafe(character))
      .join("")
  )

const labelOf = (piece: Draft.MarkedText, mark: Draft.Mark): SafeText => {
  if (mark._tag === "Attached") return Escape.line(Image.label(mark.image))
  const folded = piece.text.slice(mark.start, mark.end)
  // A final line break ends the last line.
  const lines = folded.replace(/\n$/u, "").split("\n").length
  return lines > 1 ? text`[pasted ${lines} lines]` : text`[pasted ${folded.length} characters]`
}

type GlyphText = Pick<Glyph, "text" | "cells">

/**
 * The maximum length in code units of a grapheme that is shown as one; a longer one is shown by its code points, each
 * with its own width.
 */
const maxTogether = 8

const glyphTexts = (text: SafeText): ReadonlyArray<GlyphText> =>
  graphemes(text)
    .flatMap((part) => (part.length <= maxTogether ? [part] : Array.from(part)))
    .map((part) => ({ text: unchecked(part), cells: cells(part) }))

/** Caches the glyphs of graphemes. */
const known = new Map<string, ReadonlyArray<GlyphText>>()
const maxKnown = 10_000

const glyphTextsOf = (grapheme: string): ReadonlyArray<GlyphText> => {
  const found = known.get(grapheme)
  if (found !== undefined) return found
  const looks = glyphTexts(grapheme === "\t" ? tab : escapeGrapheme(grapheme))
  if (known.size >= maxKnown) known.clear()
  known.set(grapheme, looks)
  return looks
}

const placeGlyphs = (looks: ReadonlyArray<GlyphText>, start: number, atom: boolean): ReadonlyArray<Glyph> =>
  looks.map(({ cells: width, text: shown }, index) => ({ text: shown, cells: width, start, leads: index === 0, atom }))

/** Splits a piece that is wider than a row. */
const splitWide = (looks: ReadonlyArray<GlyphText>, widest: number): ReadonlyArray<GlyphText> =>
  looks.every((look) => look.cells <= widest)
    ? looks
    : looks.flatMap((look) =>
        Array.from(look.text, (character) => ({ text: unchecked(character), cells: cells(character) }))
      )

/**
 * Returns the glyphs of text without atoms and line breaks, which starts at a position of the draft; each glyph has at
 * most `widest` cells.
 */
export const fromText = (written: string, start: number, widest: number): ReadonlyArray<Glyph> => {
  let at = start
  return graphemes(written).flatMap((grapheme) => {
    const from = at
    at += grapheme.length
    return placeGlyphs(splitWide(glyphTextsOf(grapheme), widest), from, false)
  })
}

export const glyphsOfAtom = (piece: Draft.MarkedText, mark: Draft.Mark): ReadonlyArray<Glyph> =>
  placeGlyphs(glyphTexts(labelOf(piece, mark)), mark.start, true)

/** Formats untrusted text in one line of at most the given number of cells. */
export const oneLine = (untrusted: string, maxLength: number): SafeText => {
  const line = Escape.line(untrusted)
  if (cells(line) <= maxLength) return line
  let fitting = ""
  let width = 0
  for (const part of graphemes(line)) {
    width += cells(part)
    if (width > maxLength - 1) break
    fitting += part
  }
  return unchecked(maxLength < 1 ? "" : `${fitting}…`)
}
