/**
 * Replaces exact passages of a text, each of which must occur once. Every pass over the text yields to other fibers,
 * because files may have megabytes and calls thousands of edits.
 */
import { TextFormat } from "@bough/text"
import * as Effect from "effect/Effect"
import * as LooseMatch from "./LooseMatch.ts"
import { nearest } from "./nearest.ts"
import * as Slices from "./Slices.ts"

export interface Edit {
  readonly old: string
  readonly new: string
  /** True to replace every occurrence. */
  readonly replaceAll?: boolean
}

/** The effect of one edit: the first line in the new text, and the numbers of lines removed and added. */
export interface Change {
  readonly line: number
  readonly removedLines: number
  readonly addedLines: number
  /** The number of replacements, if all occurrences were replaced. */
  readonly times?: number
  /** True if the passage in the file differs from that of the edit in white space. */
  readonly exceptWhiteSpace?: true
}

export interface EditedText {
  readonly text: string
  readonly changes: ReadonlyArray<Change>
}

/** The reason why nothing was edited: `index` is the edit at fault. */
export interface EditFault {
  readonly index: number
  readonly message: string
}

/**
 * Applies each edit to the result of the previous ones; if one fails, none is applied.
 *
 * - passages match across LF and CRLF; inserted text takes the line ending of its surroundings
 * - lines without an exact match may match lines that differ only in white space, if there is exactly one such place; with
 *   `exact` they may not
 */
export const apply = Effect.fnUntraced(function* (
  text: string,
  edits: ReadonlyArray<Edit>,
  exact = false
): Effect.fn.Return<EditedText, EditFault> {
  let current = text
  const changes: Array<Change> = []
  for (const [index, edit] of edits.entries()) {
    const applied = yield* Effect.mapError(applyOne(current, edit, exact), (message): EditFault => ({ index, message }))
    current = applied.text
    changes.push(applied.change)
  }
  return { text: current, changes }
})

interface AppliedEdit {
  readonly text: string
  readonly change: Change
}

const applyOne = Effect.fnUntraced(function* (
  text: string,
  edit: Edit,
  exact: boolean
): Effect.fn.Return<AppliedEdit, string> {
  const plain = yield* Slices.toLineFeeds(text)
  const old = TextFormat.toLineFeeds(edit.old)
  const replacement = TextFormat.toLineFeeds(edit.new)
  if (old === replacement) return yield* Effect.fail("old and new are the same")
  const places = occurrences(plain, old)
  if (places.length === 0) {
    const loose = exact ? null : LooseMatch.find(plain, old)
    if (loose === null) return yield* Effect.fail(`old is not in the file${nearest(plain, old)}`)
    const found = { start: loose.start, old: plain.slice(loose.start, loose.end) }
    const applied = yield* replacePassage(text, plain, { ...found, replacement: loose.indent(replacement) })
    return { ...applied, change: { ...applied.change, exceptWhiteSpace: true } }
  }
  if (edit.replaceAll === true) return yield* everywhere(text, plain, { old, replacement })
  if (places.length > 1) return yield* Effect.fail(yield* ambiguous(plain, places))
  return yield* replacePassage(text, plain, { start: places[0], old, replacement })
})

interface Passage {
  readonly start: number
  readonly old: string
  readonly replacement: string
}

/** Makes an edit. `plain`: the text with every CRLF as LF, to which `start` refers. */
const replacePassage = Effect.fnUntraced(function* (
  text: string,
  plain: string,
  { old, replacement, start: at }: Passage
) {
  const start = yield* Slices.originalIndex(text, at)
  const end = yield* Slices.originalIndex(text, at + old.length)
  const line = yield* lineAt(plain, at)
  return {
    text: text.slice(0, start) + TextFormat.fromLineFeeds(replacement, endingAt(text, start, end)) + text.slice(end),
    change: { line, removedLines: yield* lineCount(old), addedLines: yield* lineCount(replacement) }
  } satisfies AppliedEdit
})

/** Replaces several passages, first to last, which must not overlap. */
const everywhere = Effect.fnUntraced(function* (
  text: string,
  plain: string,
  { old, replacement }: Omit<Passage, "start">
) {
  const pieces = plain.split(old)
  const times = pieces.length - 1
  const change = {
    line: yield* lineAt(plain, pieces[0].length),
    removedLines: (yield* lineCount(old)) * times,
    addedLines: (yield* lineCount(replacement)) * times,
    times
  }
  if (!text.includes("\r\n")) return { text: pieces.join(replacement), change } satisfies AppliedEdit
  // Line endings may differ within a file. Later replacements do not affect earlier ones.
  let replaced = text
  let start = plain.length
  for (const piece of pieces.slice(1).toReversed()) {
    start -= piece.length + old.length
    replaced = (yield* replacePassage(replaced, plain, { start, old, replacement })).text
  }
  return { text: replaced, change } satisfies AppliedEdit
})

/** The maximum number of lines that an error names. */
const maxNamed = 10

/**
 * Finds occurrences, including overlapping ones, since either could be meant. Returns at most one more than are named.
 */
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
  return `old is in the file ${times} times, at lines ${lines.join(", ")}${isMore ? " …" : ""}: add text around it until it is unique, or set replaceAll`
})

/** Returns the line ending of the first complete line that overlaps the passage, else of the line before. */
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
