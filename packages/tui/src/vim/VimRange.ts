/** The range of a draft to which a vim operator applies. Pure. */
import * as Draft from "../editor/Draft.ts"
import * as Words from "../editor/Words.ts"
import type { Operator, Target } from "./VimCommand.ts"
import * as VimMotion from "./VimMotion.ts"

export interface Range {
  readonly start: number
  readonly end: number
  /** Complete lines, without the line feed at their end. */
  readonly isLines: boolean
}

export interface RangeRequest {
  readonly operator: Operator
  readonly target: Target
  readonly count: number
  readonly find: VimMotion.Find | null
}

/** Returns the range; null: the operator applies to nothing. */
export const rangeOf = (draft: Draft.Draft, wanted: RangeRequest): Range | null => {
  const { count, target } = wanted
  switch (target._tag) {
    case "Lines":
      return lines(draft, draft.cursor, lineBelow(draft, draft.cursor, count - 1))
    case "Object":
      return object(draft, target)
    case "Motion":
      return motionRange(draft, wanted, target.motion)
  }
}

const characters = (start: number, end: number): Range | null => (start < end ? { start, end, isLines: false } : null)

const lines = (draft: Draft.Draft, one: number, other: number): Range => ({
  start: Words.lineStart(draft, Math.min(one, other)),
  end: Words.lineEnd(draft, Math.max(one, other)),
  isLines: true
})

const lineBelow = (draft: Draft.Draft, from: number, many: number): number => {
  let at = Words.lineEnd(draft, from)
  for (let remaining = many; remaining > 0 && at < draft.text.length; remaining--) at = Words.lineEnd(draft, at + 1)
  return at
}

const motionRange = (
  draft: Draft.Draft,
  { count, find, operator }: RangeRequest,
  motion: Extract<Target, { readonly _tag: "Motion" }>["motion"]
): Range | null => {
  const { cursor } = draft
  const isWord = motion._tag === "Simple" && (motion.key === "w" || motion.key === "W")
  const isBig = motion._tag === "Simple" && motion.key === "W"
  if (isWord && operator === "c" && !/^\s?$/u.test(draft.text.slice(cursor, Draft.after(draft, cursor)))) {
    return characters(cursor, wordsEnd(draft, count, isBig))
  }
  const reached = VimMotion.reach(draft, { count, find, motion })
  if (reached === null) return null
  const [start, end] = [Math.min(cursor, reached.offset), Math.max(cursor, reached.offset)]
  if (reached.takes === "lines") return lines(draft, start, end)
  if (reached.takes === "including") return characters(start, Draft.after(draft, end))
  return characters(start, isWord ? withoutFeed(draft, start, end) : end)
}

/**
 * Returns the end of the last word, excluding the blanks after it, so that a changed word stays separate from the next.
 */
const wordsEnd = (draft: Draft.Draft, count: number, isBig: boolean): number => {
  let [, at] = VimMotion.stretch(draft, draft.cursor, isBig)
  const motion = { _tag: "Simple", key: isBig ? "E" : "e" } as const
  for (let remaining = count - 1; remaining > 0; remaining--) {
    const from = { ...draft, cursor: Draft.before(draft, at) }
    const reached = VimMotion.reach(from, { count: 1, find: null, motion })
    if (reached !== null) at = Draft.after(draft, reached.offset)
  }
  return at
}

/** Excludes the line feed after the last word of a line. */
const withoutFeed = (draft: Draft.Draft, start: number, end: number): number => {
  const line = Words.lineStart(draft, end)
  return line > start && VimMotion.firstText(draft, line) >= end ? line - 1 : end
}

const pairs: Readonly<Record<string, string>> = {
  "(": "()",
  ")": "()",
  b: "()",
  "[": "[]",
  "]": "[]",
  "{": "{}",
  "}": "{}",
  B: "{}",
  "<": "<>",
  ">": "<>"
}

const object = (draft: Draft.Draft, { around, key }: Extract<Target, { readonly _tag: "Object" }>): Range | null => {
  if (key === "w" || key === "W") return word(draft, { around, isBig: key === "W" })
  const pair = pairs[key]
  const found = pair === undefined ? quotedRange(draft, key) : enclosedRange(draft, pair)
  if (found === null) return null
  const [open, close] = found
  return around ? characters(open, close + 1) : { start: open + 1, end: close, isLines: false }
}

const word = (
  draft: Draft.Draft,
  { around, isBig }: { readonly around: boolean; readonly isBig: boolean }
): Range | null => {
  const [start, end] = VimMotion.stretch(draft, draft.cursor, isBig)
  if (!around) return characters(start, end)
  const isBlank = (at: number): boolean => /^[^\S\n]/u.test(draft.text.slice(at, at + 1))
  let [first, last] = [start, end]
  while (last < draft.text.length && isBlank(last)) last = Draft.after(draft, last)
  if (last === end) while (first > 0 && isBlank(first - 1)) first = Draft.before(draft, first)
  return characters(first, last)
}

/** Returns the positions of a character outside of attached and folded ranges. */
const placesOf = (draft: Draft.Draft, wanted: string, [from, to]: readonly [number, number]): ReadonlyArray<number> => {
  const offsets: Array<number> = []
  for (let at = from; at < to; at = Draft.after(draft, at)) {
    if (Draft.after(draft, at) === at + 1 && wanted.includes(draft.text[at] ?? " ")) offsets.push(at)
  }
  return offsets
}

/** Returns the quotes around the cursor in its line, or the next pair. */
const quotedRange = (draft: Draft.Draft, quote: string): readonly [number, number] | null => {
  const { cursor } = draft
  const quotes = placesOf(draft, quote, [Words.lineStart(draft, cursor), Words.lineEnd(draft, cursor)])
  for (let at = 0; at + 1 < quotes.length; at += 2) {
    const [open, close] = [quotes[at], quotes[at + 1]]
    if (open !== undefined && close !== undefined && close >= cursor) return [open, close]
  }
  return null
}

const enclosedRange = (draft: Draft.Draft, pair: string): readonly [number, number] | null => {
  const { cursor, text } = draft
  const isOpening = (at: number): boolean => text[at] === pair[0]
  const brackets = placesOf(draft, pair, [0, text.length])
  let depth = 0
  const open = brackets.findLast((at) => {
    if (at > cursor || (at === cursor && !isOpening(at))) return false
    depth += isOpening(at) ? 1 : -1
    return depth > 0
  })
  if (open === undefined) return null
  let inside = 0
  const close = brackets.find((at) => {
    if (at < open) return false
    inside += isOpening(at) ? 1 : -1
    return inside === 0
  })
  return close === undefined ? null : [open, close]
}
