/** Finds the beginnings and ends of words and lines in a draft. Pure. */
import * as Draft from "./Draft.ts"

const wordLike = (): RegExp => /[\p{L}\p{N}\p{M}_]/u
const blank = /^\s/u

type Step = (piece: Draft.MarkedText, at: number) => number

/** Returns the end of the unit at a position: a grapheme or an atom. */
const unit = (
  piece: Draft.MarkedText,
  from: number,
  step: Step
): { readonly to: number; readonly isWord: boolean; readonly isBlank: boolean } => {
  const to = step(piece, from)
  const [start, end] = from < to ? [from, to] : [to, from]
  const isAtom = piece.marks.some((mark) => Draft.isAtom(mark) && mark.start === start)
  const text = piece.text.slice(start, Math.min(end, start + 64))
  return { to, isWord: isAtom || wordLike().test(text), isBlank: !isAtom && blank.test(text) }
}

/** Skips separators, then a word. */
const skipWord = (piece: Draft.MarkedText, from: number, step: Step): number => {
  let at = from
  let hasWord = false
  while (true) {
    const { isWord, to } = unit(piece, at, step)
    if (to === at || (hasWord && !isWord)) return at
    hasWord ||= isWord
    at = to
  }
}

export const left = (piece: Draft.MarkedText, from: number): number => skipWord(piece, from, Draft.before)

export const right = (piece: Draft.MarkedText, from: number): number => skipWord(piece, from, Draft.after)

/** Skips blanks to the left, then moves to the previous blank. */
export const previousBlank = (piece: Draft.MarkedText, from: number): number => {
  let at = from
  let hasText = false
  while (true) {
    const { isBlank, to } = unit(piece, at, Draft.before)
    if (to === at || (hasText && isBlank)) return at
    hasText ||= !isBlank
    at = to
  }
}

const atomAt = ({ marks }: Draft.MarkedText, at: number): Draft.Mark | undefined =>
  marks.find((mark) => Draft.isAtom(mark) && mark.start <= at && at < mark.end)

/** Finds the start of a line; a line feed inside an atom does not begin one. */
export const lineStart = (piece: Draft.MarkedText, from: number): number => {
  let at = from
  while (at > 0) {
    const feed = piece.text.lastIndexOf("\n", at - 1)
    const atom = atomAt(piece, feed)
    if (atom === undefined) return feed + 1
    at = atom.start
  }
  return 0
}

export const lineEnd = (piece: Draft.MarkedText, from: number): number => {
  let at = from
  while (at < piece.text.length) {
    const feed = piece.text.indexOf("\n", at)
    const atom = atomAt(piece, feed)
    if (feed >= 0 && atom === undefined) return feed
    at = feed < 0 ? piece.text.length : (atom?.end ?? at)
  }
  return at
}
