/**
 * Finds any of many short words in one pass. Only every second pair of characters is looked up, because one of the first
 * two pairs of each word is among them; few pairs of ordinary text are in a word.
 */
import { type Chunk, eachChunk, pairOf } from "./Latin1.ts"

export interface AnchorSearch {
  /** Calls `visit` for every occurrence that begins at `from` or later, in the order of their beginnings. */
  readonly each: (text: string, from: number, visit: (at: number, anchor: string) => void) => void
  /** Returns the position where an incomplete anchor at the end of the text begins, or the text's length. */
  readonly incompleteFrom: (text: string) => number
}

/** The number of characters of an anchor that the tables use. */
const minLength = 3

/** The anchors, each of ASCII and at least 3 characters. */
export const make = (anchors: Iterable<string>): AnchorSearch => {
  const all = [...new Set(anchors)]
  const unfit = all.find((anchor) => anchor.length < minLength || /[^\0-\x7F]/u.test(anchor))
  if (unfit !== undefined)
    throw new Error(`${JSON.stringify(unfit)} cannot be an anchor: it is too short, or not ASCII`)
  const places = placesOf(all)
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
    incompleteFrom: (text) => {
      for (let at = Math.max(0, text.length - maxLength + 1); at < text.length; at++) {
        if (isPrefix(text.slice(at)) && !isWithinWord(text, at)) return at
      }
      return text.length
    },
    each: (text, from, visit) =>
      eachChunk(text, { from, overlap: maxLength - 1 }, (chunk) => {
        const { at: offset, length } = chunk
        const found = candidates(chunk, { places, starts })
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
  readonly places: Uint8Array
  readonly starts: Uint8Array
}

/** Returns the positions where an anchor may begin, in ascending order. The keys of `triple` are written out for speed. */
const candidates = ({ bytes, length, pairs }: Chunk, { places, starts }: Tables): ReadonlyArray<number> => {
  const found: Array<number> = []
  const end = length / 2
  for (let index = 0; index < end; index++) {
    const place = places[pairs[index]]
    if (place === 0) continue
    const at = index * 2
    const middle = ((bytes[at] & 31) << 5) | (bytes[at + 1] & 31)
    if ((place & second) !== 0 && at > 0 && starts[((bytes[at - 1] & 31) << 10) | middle] === 1) found.push(at - 1)
    if ((place & first) !== 0 && starts[(middle << 5) | (bytes[at + 2] & 31)] === 1) found.push(at)
  }
  return found
}

/** The places of a pair in anchors, as bits: the characters 0 and 1 of one, or the characters 1 and 2. */
const [first, second] = [1, 2]

const placesOf = (anchors: ReadonlyArray<string>): Uint8Array => {
  const places = new Uint8Array(2 ** 16)
  for (const anchor of anchors) {
    places[pairOf(anchor.charCodeAt(0), anchor.charCodeAt(1))] |= first
    places[pairOf(anchor.charCodeAt(1), anchor.charCodeAt(2))] |= second
  }
  return places
}

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
