/**
 * Processes long texts in slices, so that signals and other sessions are handled in between: a single pass over a file
 * of 16 MiB of line ends would delay Ctrl-C noticeably.
 */
import { TextFormat } from "@bough/text"
import * as Effect from "effect/Effect"

/** The number of characters that are processed without a pause, which takes some milliseconds. */
export const length = 256 * 1024

/** Visits the slices of the text up to `end`; no slice ends between the two characters of a CRLF. */
const forEachSlice = (text: string, end: number, look: (from: number, to: number) => void): Effect.Effect<void> =>
  Effect.gen(function* () {
    for (let from = 0; from < end;) {
      if (from > 0) yield* Effect.yieldNow
      let to = Math.min(from + length, end)
      if (to < text.length && text.charCodeAt(to - 1) === carriageReturn) to++
      look(from, to)
      from = to
    }
  })

const carriageReturn = 0x0d

/** Maps each slice of the text. */
export const map = (text: string, make: (slice: string) => string): Effect.Effect<string> =>
  Effect.suspend(() => {
    const slices: Array<string> = []
    return Effect.map(
      forEachSlice(text, text.length, (from, to) => void slices.push(make(text.slice(from, to)))),
      () => slices.join("")
    )
  })

/** Replaces every CRLF by LF. */
export const toLineFeeds = (text: string): Effect.Effect<string> =>
  text.length <= length || !text.includes("\r\n")
    ? Effect.succeed(TextFormat.toLineFeeds(text))
    : map(text, TextFormat.toLineFeeds)

/** Counts the lines that end before `index`. */
export const lineFeeds = (text: string, index: number): Effect.Effect<number> =>
  Effect.suspend(() => {
    let found = 0
    const look = (from: number, to: number): void => {
      const end = Math.min(to, index)
      for (let at = text.indexOf("\n", from); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) found++
    }
    return Effect.map(forEachSlice(text, index, look), () => found)
  })

/** Returns the index in the original text for an index in the text in which every CRLF is one character. */
export const originalIndex = (text: string, index: number): Effect.Effect<number> => {
  if (!text.includes("\r\n")) return Effect.succeed(index)
  return Effect.gen(function* () {
    let original = index
    let at = -2
    for (let looked = 0; ; looked++) {
      at = text.indexOf("\r\n", at + 2)
      if (at === -1 || at >= original) return original
      original++
      if (looked % pause === pause - 1) yield* Effect.yieldNow
    }
  })
}

/** The number of line ends that are processed without a pause. */
const pause = 100_000

/** Counts the equal characters at the beginning of both texts. */
export const sameBegin = (a: string, b: string): Effect.Effect<number> =>
  countEqual(Math.min(a.length, b.length), (at) => a.charCodeAt(at) === b.charCodeAt(at))

/** Counts the equal characters at the end of both texts, up to `maxLength`. */
export const sameEnd = (a: string, b: string, maxLength: number): Effect.Effect<number> =>
  countEqual(maxLength, (at) => a.charCodeAt(a.length - 1 - at) === b.charCodeAt(b.length - 1 - at))

const countEqual = (maxLength: number, isSame: (at: number) => boolean): Effect.Effect<number> =>
  Effect.gen(function* () {
    let at = 0
    while (at < maxLength) {
      if (at > 0) yield* Effect.yieldNow
      for (const end = Math.min(at + length, maxLength); at < end; at++) if (!isSame(at)) return at
    }
    return at
  })
