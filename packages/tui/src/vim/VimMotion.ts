/** The targets of vim motions in a draft. Pure; every position is on a grapheme boundary. */
import * as Draft from "../editor/Draft.ts"
import * as Words from "../editor/Words.ts"
import type { Motion } from "./VimCommand.ts"

/** The last search in a line. */
export type Find = Pick<Extract<Motion, { readonly _tag: "Find" }>, "key" | "character">

export interface MotionTarget {
  readonly offset: number
  /** Where the range of an operator ends: before the character at the later end, after it, or with whole lines. */
  readonly takes: "before" | "including" | "lines"
}

export interface Move {
  readonly motion: Motion
  readonly count: number
  readonly find: Find | null
}

/** Returns the target; null: the motion has no target, and an operator does nothing. */
export const reach = (draft: Draft.Draft, { count, find, motion }: Move): MotionTarget | null => {
  switch (motion._tag) {
    case "Simple":
      return simple(draft, motion.key, count)
    case "Line": {
      const last = linesUpTo(draft, draft.text.length)
      const line = motion.line === null ? (motion.key === "G" ? last : 0) : Math.min(last, motion.line - 1)
      return { offset: firstText(draft, startOfLine(draft, line)), takes: "lines" }
    }
    case "Find":
      return findCharacter(draft, { find: motion, count, isAgain: false })
    case "FindAgain":
      return find === null
        ? null
        : findCharacter(draft, { find: motion.key === ";" ? find : opposite(find), count, isAgain: true })
  }
}

const opposite = ({ character, key }: Find): Find => {
  const isLower = key === key.toLowerCase()
  const other = isLower ? key.toUpperCase() : key.toLowerCase()
  return { character, key: other === "f" || other === "F" || other === "t" ? other : "T" }
}

const simple = (
  draft: Draft.Draft,
  key: Extract<Motion, { readonly _tag: "Simple" }>["key"],
  count: number
): MotionTarget | null => {
  const { cursor } = draft
  const before = (offset: number): MotionTarget => ({ offset, takes: "before" })
  switch (key) {
    case "h":
      return before(times(cursor, count, (at) => (at === Words.lineStart(draft, at) ? at : Draft.before(draft, at))))
    case "l":
      return before(times(cursor, count, (at) => (at === Words.lineEnd(draft, at) ? at : Draft.after(draft, at))))
    case "0":
      return before(Words.lineStart(draft, cursor))
    case "^":
      return before(firstText(draft, Words.lineStart(draft, cursor)))
    case "$":
      return before(
        Words.lineEnd(
          draft,
          times(Words.lineEnd(draft, cursor), count - 1, (at) => nextLine(draft, at))
        )
      )
    case "j":
    case "k":
      return vertical(draft, key === "j" ? count : -count)
    case "w":
    case "W":
      return before(times(cursor, count, (at) => wordStart(draft, at, key === "W")))
    case "b":
    case "B":
      return before(times(cursor, count, (at) => wordBack(draft, at, key === "B")))
    case "e":
    case "E": {
      const offset = times(cursor, count, (at) => wordEnd(draft, at, key === "E"))
      return { offset, takes: "including" }
    }
  }
}

const times = (from: number, count: number, step: (at: number) => number): number => {
  let at = from
  for (let done = 0; done < count; done++) {
    const next = step(at)
    if (next === at) return at
    at = next
  }
  return at
}

/**
 * Returns the class of a character. Consecutive characters of one class form a word; `isBig`: all non-blank characters
 * are one class.
 */
const classOf = (draft: Draft.Draft, at: number, isBig: boolean): "blank" | "word" | "mark" => {
  if (at >= draft.text.length) return "blank"
  if (draft.marks.some((mark) => Draft.isAtom(mark) && mark.start === at)) return "word"
  const text = draft.text.slice(at, Draft.after(draft, at))
  if (/^\s/u.test(text)) return "blank"
  return isBig || /[\p{L}\p{N}\p{M}_]/u.test(text) ? "word" : "mark"
}

const end = ({ text }: Draft.Draft): number => text.length

const wordStart = (draft: Draft.Draft, from: number, isBig: boolean): number => {
  let at = from
  const kind = classOf(draft, at, isBig)
  if (kind !== "blank") while (at < end(draft) && classOf(draft, at, isBig) === kind) at = Draft.after(draft, at)
  while (at < end(draft) && classOf(draft, at, isBig) === "blank") at = Draft.after(draft, at)
  return at
}

const wordEnd = (draft: Draft.Draft, from: number, isBig: boolean): number => {
  let at = Draft.after(draft, from)
  while (at < end(draft) && classOf(draft, at, isBig) === "blank") at = Draft.after(draft, at)
  if (at >= end(draft)) return lastUnit(draft)
  const kind = classOf(draft, at, isBig)
  while (true) {
    const next = Draft.after(draft, at)
    if (next >= end(draft) || classOf(draft, next, isBig) !== kind) return at
    at = next
  }
}

const lastUnit = (draft: Draft.Draft): number => Draft.before(draft, end(draft))

const wordBack = (draft: Draft.Draft, from: number, isBig: boolean): number => {
  let at = Draft.before(draft, from)
  while (at > 0 && classOf(draft, at, isBig) === "blank") at = Draft.before(draft, at)
  const kind = classOf(draft, at, isBig)
  while (at > 0) {
    const next = Draft.before(draft, at)
    if (classOf(draft, next, isBig) !== kind) return at
    at = next
  }
  return at
}

/** Returns the run of one class around a position, for the object `w`. */
export const stretch = (draft: Draft.Draft, offset: number, isBig: boolean): readonly [number, number] => {
  const kind = classOf(draft, offset, isBig)
  const limits = [Words.lineStart(draft, offset), Words.lineEnd(draft, offset)] as const
  let [start, stop] = [offset, offset]
  while (start > limits[0] && classOf(draft, Draft.before(draft, start), isBig) === kind)
    start = Draft.before(draft, start)
  while (stop < limits[1] && classOf(draft, stop, isBig) === kind) stop = Draft.after(draft, stop)
  return [start, stop]
}

interface Search {
  readonly find: Find
  readonly count: number
  readonly isAgain: boolean
}

const findCharacter = (draft: Draft.Draft, { count, find, isAgain }: Search): MotionTarget | null => {
  const { character, key } = find
  const forward = key === "f" || key === "t"
  const isTill = key === "t" || key === "T"
  const limits = [Words.lineStart(draft, draft.cursor), Words.lineEnd(draft, draft.cursor)] as const
  const step = (at: number): number => (forward ? Draft.after(draft, at) : Draft.before(draft, at))
  const isIn = (at: number): boolean => (forward ? at < limits[1] : at >= limits[0])
  // If the cursor is directly before a match, repeating the search moves to the next match.
  let at = isTill && isAgain ? step(draft.cursor) : draft.cursor
  for (let remaining = count; remaining > 0; remaining--) {
    do {
      const next = step(at)
      if (next === at || !isIn(next)) return null
      at = next
    } while (draft.text.slice(at, Draft.after(draft, at)) !== character)
  }
  const offset = !isTill ? at : forward ? Draft.before(draft, at) : Draft.after(draft, at)
  return { offset, takes: forward ? "including" : "before" }
}

/** Returns the start of the next line; in the last line, the position itself. */
const nextLine = (draft: Draft.Draft, at: number): number => {
  const stop = Words.lineEnd(draft, at)
  return stop === end(draft) ? at : Words.lineEnd(draft, stop + 1)
}

const vertical = (draft: Draft.Draft, by: number): MotionTarget | null => {
  const start = Words.lineStart(draft, draft.cursor)
  const line = linesUpTo(draft, start) + by
  if (line < 0 || line > linesUpTo(draft, end(draft))) return null
  const to = startOfLine(draft, line)
  const column = draft.cursor - start
  return { offset: Draft.at(draft, Math.min(Words.lineEnd(draft, to), to + column)).cursor, takes: "lines" }
}

/** Returns the number of line breaks before a position. */
export const linesUpTo = (draft: Draft.Draft, offset: number): number => {
  let lines = 0
  for (let at = Words.lineEnd(draft, 0); at < offset; at = Words.lineEnd(draft, at + 1)) lines += 1
  return lines
}

const startOfLine = (draft: Draft.Draft, line: number): number => {
  let at = 0
  for (let remaining = line; remaining > 0; remaining--) at = Words.lineEnd(draft, at) + 1
  return Math.min(at, end(draft))
}

/** Returns the first non-blank position of a line. */
export const firstText = (draft: Draft.Draft, start: number): number => {
  const stop = Words.lineEnd(draft, start)
  let at = start
  while (at < stop && classOf(draft, at, true) === "blank") at = Draft.after(draft, at)
  return at
}
