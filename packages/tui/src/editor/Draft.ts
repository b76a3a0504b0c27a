/**
 * The text in the editor with its cursor, and marks on ranges of it. Folded and attached ranges are atoms: the cursor
 * steps over them, and each is deleted as a unit. Every cursor is on a grapheme boundary. Pure.
 */
import { graphemeAt } from "../text/graphemes.ts"
import type { Image } from "./Image.ts"

/**
 * A mark from `start` to before `end`, in UTF-16 units. Any edit inside removes the mark, and in the case of an atom
 * its text as well.
 */
export type Mark = { readonly start: number; readonly end: number } & (
  | { readonly _tag: "Folded" }
  | { readonly _tag: "Attached"; readonly image: Image }
  /** A path that may be an image: the host is checking it. */
  | { readonly _tag: "Candidate"; readonly request: number; readonly path: string }
)

/** `marks` are sorted and do not overlap. */
export interface Draft {
  readonly text: string
  readonly cursor: number
  readonly marks: ReadonlyArray<Mark>
}

/** Text with marks whose positions count from its beginning. */
export type MarkedText = Omit<Draft, "cursor">

export const empty: Draft = { text: "", cursor: 0, marks: [] }

/** Replaces carriage returns: terminals send one for each line break of a paste. */
export const lineFeeds = (text: string): string => text.replace(/\r\n?/gu, "\n")

export const plain = (text: string): MarkedText => ({ text: lineFeeds(text), marks: [] })

export const isAtom = ({ _tag }: Mark): boolean => _tag !== "Candidate"

const atomAround = (marks: ReadonlyArray<Mark>, at: number): Mark | undefined =>
  marks.find((mark) => isAtom(mark) && mark.start < at && at < mark.end)

/** Returns the position from which graphemes are counted: the end of an atom or the beginning of a line. */
export const regionStart = ({ marks, text }: MarkedText, at: number): number => {
  const atom = marks.findLast((mark) => isAtom(mark) && mark.end <= at)
  return Math.max(atom?.end ?? 0, at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1)
}

const regionEnd = ({ marks, text }: MarkedText, at: number): number => {
  const atom = marks.find((mark) => isAtom(mark) && mark.start >= at)
  const feed = text.indexOf("\n", at)
  return Math.min(atom?.start ?? text.length, feed < 0 ? text.length : feed)
}

/** True if both neighbours are plain characters, between which there is always a boundary. */
const isPlain = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at)
  return unit >= 0x20 && unit < 0x7f
}

const nearestBelow = (text: string, start: number, offset: number): number => {
  let at = offset - 1
  while (at > start && !(isPlain(text, at - 1) && isPlain(text, at))) at -= 1
  return Math.max(at, start)
}

const nearestAbove = (text: string, offset: number, end: number): number => {
  let at = offset + 1
  while (at < end && !(isPlain(text, at - 1) && isPlain(text, at))) at += 1
  return Math.min(at, end)
}

/** Returns the first boundary at or after a position. */
const boundaryAtOrAfter = (piece: MarkedText, at: number): number => {
  if (at <= 0) return 0
  if (at >= piece.text.length) return piece.text.length
  const atom = atomAround(piece.marks, at)
  if (atom !== undefined) return atom.end
  const start = nearestBelow(piece.text, regionStart(piece, at), at)
  const end = nearestAbove(piece.text, at, regionEnd(piece, at))
  const found = graphemeAt(piece.text.slice(start, end), at - start)
  if (found === null || found.index === at - start) return at
  return start + found.index + found.segment.length
}

export const before = (piece: MarkedText, at: number): number => {
  if (at <= 0) return 0
  const atom = piece.marks.find((mark) => isAtom(mark) && mark.end === at)
  if (atom !== undefined) return atom.start
  if (piece.text[at - 1] === "\n") return at - 1
  const start = nearestBelow(piece.text, regionStart(piece, at), at)
  const found = graphemeAt(piece.text.slice(start, at), at - start - 1)
  return start + (found?.index ?? 0)
}

export const after = (piece: MarkedText, at: number): number => {
  if (at >= piece.text.length) return piece.text.length
  const atom = piece.marks.find((mark) => isAtom(mark) && mark.start === at)
  if (atom !== undefined) return atom.end
  if (piece.text[at] === "\n") return at + 1
  const end = nearestAbove(piece.text, at, regionEnd(piece, at))
  const found = graphemeAt(piece.text.slice(at, end), 0)
  return at + (found?.segment.length ?? 1)
}

const moveMark = (mark: Mark, by: number): Mark => ({ ...mark, start: mark.start + by, end: mark.end + by })

/** Returns the piece between two boundaries. */
export const cut = ({ marks, text }: MarkedText, start: number, end: number): MarkedText => ({
  text: text.slice(start, end),
  marks: marks.filter((mark) => mark.start >= start && mark.end <= end).map((mark) => moveMark(mark, -start))
})

/** Replaces the text between two boundaries by a piece, and moves the cursor to the end of the piece. */
export const replace = ({ marks, text }: MarkedText, range: readonly [number, number], piece: MarkedText): Draft => {
  const [start, end] = range
  const shift = piece.text.length - (end - start)
  const next: MarkedText = {
    text: text.slice(0, start) + piece.text + text.slice(end),
    marks: [
      ...marks.filter((mark) => mark.end <= start),
      ...piece.marks.map((mark) => moveMark(mark, start)),
      ...marks.filter((mark) => mark.start >= end).map((mark) => moveMark(mark, shift))
    ]
  }
  return { ...next, cursor: boundaryAtOrAfter(next, start + piece.text.length) }
}

export const insert = (draft: Draft, piece: MarkedText): Draft => replace(draft, [draft.cursor, draft.cursor], piece)

/** Moves the cursor to the boundary at or after a position. */
export const at = (draft: Draft, offset: number): Draft => ({ ...draft, cursor: boundaryAtOrAfter(draft, offset) })
