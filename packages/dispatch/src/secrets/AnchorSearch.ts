/**
 * Finds any of many short words in one pass, with a shift table over pairs of characters as by Wu and Manber ("A fast
 * algorithm for multi-pattern searching", 1994): two of three positions are skipped.
 */
import { eachChunk } from "./Latin1.ts"

export interface AnchorSearch {
  /** Calls `visit` for every occurrence that begins at `from` or later, in the order of their beginnings. */
  readonly each: (text: string, from: number, visit: (at: number, anchor: string) => void) => void
  /** Returns the position where an incomplete anchor at the end of the text begins, or the text's length. */
  readonly beginning: (text: string) => number
}

/**
 * The number of characters of an anchor that the tables use. The tables treat an anchor with one character less as if
 * its last character could be any.
 */
const window = 4
const minLength = window - 1

/** The anchors, each of ASCII and at least 3 characters. */
export const make = (anchors: Iterable<string>): AnchorSearch => {
  const all = [...new Set(anchors)]
  const unfit = all.find((anchor) => anchor.length < minLength || /[^\0-\x7F]/u.test(anchor))
  if (unfit !== undefined)
    throw new Error(`${JSON.stringify(unfit)} cannot be an anchor: it is too short, or not ASCII`)
  const shifts = shiftsOf(all)
  const starts = new Uint8Array(tripleMask + 1)
  const byStart = new Map<number, Array<string>>()
  for (const anchor of all) {
    const key = triple(anchor.charCodeAt(0), anchor.charCodeAt(1), anchor.charCodeAt(2))
    starts[key] = 1
    push(byStart, key, anchor)
  }
  const maxLength = Math.max(0, ...all.map(({ length }) => length))
  const byFirst = new Map<string, Array<string>>()
  for (const anchor of all) push(byFirst, anchor.charAt(0), anchor)
  const isPrefix = (text: string): boolean =>
    byFirst.get(text.charAt(0))?.some((anchor) => anchor.length > text.length && anchor.startsWith(text)) === true
  return {
    beginning: (text) => {
      for (let at = Math.max(0, text.length - maxLength + 1); at < text.length; at++) {
        if (isPrefix(text.slice(at)) && !isWithinWord(text, at)) return at
      }
      return text.length
    },
    each: (text, from, visit) =>
      eachChunk(text, { from, overlap: maxLength - 1 }, (bytes, length, offset) => {
        const found = candidates(bytes, length, { shifts, starts })
        // The next chunk contains the whole anchor and finds it.
        const end = offset + length < text.length ? length - maxLength + 1 : length
        for (const at of found) {
          if (at >= end) return
          const key = triple(
            text.charCodeAt(offset + at),
            text.charCodeAt(offset + at + 1),
            text.charCodeAt(offset + at + 2)
          )
          for (const anchor of byStart.get(key) ?? []) {
            if (text.startsWith(anchor, offset + at)) visit(offset + at, anchor)
          }
        }
      })
  }
}

interface Tables {
  readonly shifts: Uint8Array
  readonly starts: Uint8Array
}

/** Returns the positions where an anchor may begin. The keys of `pair` and `triple` are written out for speed. */
const candidates = (bytes: Uint8Array, length: number, { shifts, starts }: Tables): ReadonlyArray<number> => {
  const found: Array<number> = []
  const end = length - minLength
  let at = 0
  while (at <= end) {
    const third = bytes[at + 2]
    const shift = shifts[((third & 127) << 7) | (bytes[at + 3] & 127)]
    if (shift > 0) {
      at += shift
      continue
    }
    if (starts[((bytes[at] & 31) << 10) | ((bytes[at + 1] & 31) << 5) | (third & 31)] === 1) found.push(at)
    at++
  }
  return found
}

/**
 * Returns the distance by which a search may advance from a position whose window ends in a certain pair of characters.
 */
const shiftsOf = (anchors: ReadonlyArray<string>): Uint8Array => {
  const shifts = new Uint8Array(pairMask + 1).fill(window - 1)
  for (const anchor of anchors) {
    for (let end = 1; end < minLength; end++) {
      const key = pair(anchor.charCodeAt(end - 1), anchor.charCodeAt(end))
      shifts[key] = Math.min(shifts[key], window - 1 - end)
    }
    // An anchor with one character less matches any last character of the window.
    const last = anchor.charCodeAt(minLength - 1)
    if (anchor.length > minLength) shifts[pair(last, anchor.charCodeAt(minLength))] = 0
    else shifts.fill(0, pair(last, 0), pair(last, 127) + 1)
  }
  return shifts
}

const pairMask = 2 ** 14 - 1
const pair = (first: number, second: number): number => ((first & 127) << 7) | (second & 127)

const tripleMask = 2 ** 15 - 1
const triple = (first: number, second: number, third: number): number =>
  ((first & 31) << 10) | ((second & 31) << 5) | (third & 31)

/**
 * True if the position is inside a word: a token begins with a word, so the end of "thinking" is not a beginning of a
 * token.
 */
const isWithinWord = (text: string, at: number): boolean =>
  /^[\p{L}\p{N}]/u.test(text.slice(at, at + 2)) && /[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, at - 2), at))

const push = <Key>(map: Map<Key, Array<string>>, key: Key, anchor: string): void => {
  const others = map.get(key)
  if (others === undefined) map.set(key, [anchor])
  else others.push(anchor)
}
