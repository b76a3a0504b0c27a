/** Replacing exact passages of a text, each where it occurs once. Pure. */
import { TextFormat } from "@bough/tool"
import * as Result from "effect/Result"
import { nearest } from "./nearest.ts"

export interface Edit {
  readonly old: string
  readonly new: string
}

/** What one edit did: from which line of the new text on, and how many lines went and came. */
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
export const apply = (text: string, edits: ReadonlyArray<Edit>): Result.Result<Edited, Misfit> => {
  let current = text
  const changes: Array<Change> = []
  for (const [index, edit] of edits.entries()) {
    const applied = applyOne(current, edit)
    if (Result.isFailure(applied)) return Result.fail({ index, message: applied.failure })
    current = applied.success.text
    changes.push(applied.success.change)
  }
  return Result.succeed({ text: current, changes })
}

const applyOne = (
  text: string,
  edit: Edit
): Result.Result<{ readonly text: string; readonly change: Change }, string> => {
  const plain = TextFormat.toLineFeeds(text)
  const old = TextFormat.toLineFeeds(edit.old)
  const replacement = TextFormat.toLineFeeds(edit.new)
  if (old === replacement) return Result.fail("old and new are the same")
  const places = occurrences(plain, old)
  if (places.length === 0) return Result.fail(`old is not in the file${nearest(plain, old)}`)
  if (places.length > 1) return Result.fail(ambiguous(plain, places))
  const start = originalIndex(text, places[0])
  const end = originalIndex(text, places[0] + old.length)
  return Result.succeed({
    text: text.slice(0, start) + TextFormat.fromLineFeeds(replacement, endingAt(text, start, end)) + text.slice(end),
    change: { line: lineAt(plain, places[0]), removedLines: lineCount(old), addedLines: lineCount(replacement) }
  })
}

/** Overlapping ones count: either could be meant. */
const occurrences = (text: string, passage: string): ReadonlyArray<number> => {
  const places: Array<number> = []
  for (let at = text.indexOf(passage); at !== -1; at = text.indexOf(passage, at + 1)) places.push(at)
  return places
}

const maxNamed = 10

const ambiguous = (text: string, places: ReadonlyArray<number>): string => {
  const lines = places
    .slice(0, maxNamed)
    .map((place) => lineAt(text, place))
    .join(", ")
  const more = places.length > maxNamed ? " …" : ""
  return `old is in the file ${places.length} times, at lines ${lines}${more}: add text around it until it is unique`
}

/** The index in the text of what is at `index` once every CRLF is one character. */
const originalIndex = (text: string, index: number): number => {
  let original = index
  for (let at = text.indexOf("\r\n"); at !== -1 && at < original; at = text.indexOf("\r\n", at + 2)) original++
  return original
}

/** Of the first line that the passage touches and that ends, else of the line before. */
const endingAt = (text: string, start: number, end: number): TextFormat.LineEnding => {
  const inside = text.indexOf("\n", start)
  const near = inside === -1 ? text.lastIndexOf("\n", end) : inside
  return near > 0 && text[near - 1] === "\r" ? "CRLF" : "LF"
}

const lineAt = (text: string, index: number): number => lineCountUpTo(text, index) + 1

const lineCountUpTo = (text: string, index: number): number => {
  let count = 0
  for (let at = text.indexOf("\n"); at !== -1 && at < index; at = text.indexOf("\n", at + 1)) count++
  return count
}

const lineCount = (text: string): number =>
  text === "" ? 0 : lineCountUpTo(text, text.length) + (text.endsWith("\n") ? 0 : 1)
