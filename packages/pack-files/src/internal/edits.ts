/**
 * Replacing exact passages of a text, each where it occurs once. Every pass over the text yields to what else is to be done:
 * files have megabytes and calls thousands of edits.
 */
import { TextFormat } from "@bough/text"
import * as Effect from "effect/Effect"
import { nearest } from "./nearest.ts"
import * as Slices from "./Slices.ts"

export interface Edit {
  readonly old: string
  readonly new: string
}

/** The effect of one edit: the first line in the new text, and the numbers of lines removed and added. */
export interface Change {
  readonly line: number
  readonly removedLines: number
  readonly addedLines: number
}

export interface Edited {
  readonly text: string
  readonly changes: ReadonlyArray<Change>
}

/** Why nothing was edited: `index` is the edit at fault. */
export interface Misfit {
  readonly index: number
  readonly message: string
}

/**
 * Each edit is applied to what the ones before left; one that does not fit undoes them all.
 *
 * - passages match across LF and CRLF; what is put in takes the line ending of its surroundings, all else stays as it is
 */
export const apply = Effect.fnUntraced(function* (
  text: string,
  edits: ReadonlyArray<Edit>
): Effect.fn.Return<Edited, Misfit> {
  let current = text
  const changes: Array<Change> = []
  for (const [index, edit] of edits.entries()) {
    const applied = yield* Effect.mapError(applyOne(current, edit), (message): Misfit => ({ index, message }))
    current = applied.text
    changes.push(applied.change)
  }
  return { text: current, changes }
})

const applyOne = Effect.fnUntraced(function* (
  text: string,
  edit: Edit
): Effect.fn.Return<{ readonly text: string; readonly change: Change }, string> {
  const plain = yield* Slices.toLineFeeds(text)
  const old = TextFormat.toLineFeeds(edit.old)
  const replacement = TextFormat.toLineFeeds(edit.new)
  if (old === replacement) return yield* Effect.fail("old and new are the same")
  const places = occurrences(plain, old)
  if (places.length === 0) return yield* Effect.fail(`old is not in the file${nearest(plain, old)}`)
  if (places.length > 1) return yield* Effect.fail(yield* ambiguous(plain, places))
  const start = yield* Slices.originalIndex(text, places[0])
  const end = yield* Slices.originalIndex(text, places[0] + old.length)
  const line = yield* lineAt(plain, places[0])
  return {
    text: text.slice(0, start) + TextFormat.fromLineFeeds(replacement, endingAt(text, start, end)) + text.slice(end),
    change: { line, removedLines: yield* lineCount(old), addedLines: yield* lineCount(replacement) }
  }
})

/** Places that are named; of more it is said that there are more. */
const maxNamed = 10

/** Overlapping ones count: either could be meant. At most one more than are named. */
const occurrences = (text: string, passage: string): ReadonlyArray<number> => {
  const places: Array<number> = []
  for (let at = text.indexOf(passage); at !== -1 && places.length <= maxNamed; at = text.indexOf(passage, at + 1)) {
    places.push(at)
  }
  return places
}

const ambiguous = Effect.fnUntraced(function* (text: string, places: ReadonlyArray<number>): Effect.fn.Return<string> {
  const lines = yield* Effect.forEach(places.slice(0, maxNamed), (place) => lineAt(text, place))
  const isMore = places.length > maxNamed
  const times = isMore ? `more than ${maxNamed}` : places.length
  return `old is in the file ${times} times, at lines ${lines.join(", ")}${isMore ? " …" : ""}: add text around it until it is unique`
})

/** Returns the ending of the first line that the passage touches and that ends, else of the line before. */
const endingAt = (text: string, start: number, end: number): TextFormat.LineEnding => {
  const inside = text.indexOf("\n", start)
  const near = inside === -1 ? text.lastIndexOf("\n", end) : inside
  return near > 0 && text[near - 1] === "\r" ? "CRLF" : "LF"
}

const lineAt = (text: string, index: number): Effect.Effect<number> =>
  Effect.map(Slices.lineFeeds(text, index), (before) => before + 1)

const lineCount = (text: string): Effect.Effect<number> =>
  text === ""
    ? Effect.succeed(0)
    : Effect.map(Slices.lineFeeds(text, text.length), (ended) => ended + (text.endsWith("\n") ? 0 : 1))
