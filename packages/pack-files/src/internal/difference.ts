/** Describes the changes of a write: before the write for the user who approves it, and afterwards in the result. */
import type { Approval } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as TextDiff from "effect/TextDiff"
import * as Slices from "./Slices.ts"

// The number of adjacent changed lines above which the diff is no longer minimal, but still correct.
const maxEdits = 200

/** The maximum number of lines and of characters of both texts that are compared line by line: a tenth of a second. */
const maxLines = 20_000
const maxCharacters = 400_000

/** Makes a unified diff; `before` null: the file is new. */
export const unified = Effect.fnUntraced(function* (
  path: string,
  before: string | null,
  after: string
): Effect.fn.Return<string> {
  const from = before === null ? "/dev/null" : path
  if (before === after) return `${path}: no change\n`
  if (!(yield* isComparable(before ?? "", after))) return yield* coarse(from, path, { before: before ?? "", after })
  const diff = TextDiff.unified(TextDiff.lines(before ?? "", after, { maxEdits }), { fromFile: from, toFile: path })
  return diff === "" ? `${path}: no change\n` : diff
})

/** Returns the diff of a write, without the names of the file; null: it is empty, or too long to compare. */
export const changed = Effect.fnUntraced(function* (
  before: string | null,
  after: string
): Effect.fn.Return<string | null> {
  if (!(yield* isComparable(before ?? "", after))) return null
  const diff = TextDiff.unified(TextDiff.lines(before ?? "", after, { maxEdits }))
  return diff === "" ? null : diff
})

const isComparable = (before: string, after: string): Effect.Effect<boolean> =>
  before.length + after.length > maxCharacters
    ? Effect.succeed(false)
    : Effect.zipWith(
        Slices.lineFeeds(before, before.length),
        Slices.lineFeeds(after, after.length),
        (removed, added) => removed + added <= maxLines
      )

interface Texts {
  readonly before: string
  readonly after: string
}

/** Compares long texts coarsely: all lines between the first and the last difference are removed and added. */
export const coarse = Effect.fnUntraced(function* (
  from: string,
  to: string,
  { after, before }: Texts
): Effect.fn.Return<string> {
  const begin = yield* Slices.sameBegin(before, after)
  const start = begin === 0 ? 0 : before.lastIndexOf("\n", begin - 1) + 1
  const tail = yield* Slices.sameEnd(before, after, Math.min(before.length, after.length) - start)
  const isWholeLines =
    isLineStart(before, before.length - tail) && isLineStart(after, after.length - tail)
      ? tail
      : lengthToLineEnd(before, tail)
  const removed = before.slice(start, before.length - isWholeLines)
  const added = after.slice(start, after.length - isWholeLines)
  const line = (yield* Slices.lineFeeds(before, start)) + 1
  const range = (lines: number): string => `${lines === 0 ? line - 1 : line},${lines}`
  const head = `@@ -${range(yield* lineCount(removed))} +${range(yield* lineCount(added))} @@`
  const [minus, plus] = [yield* markedInSlices("-", removed), yield* markedInSlices("+", added)]
  return `--- ${from}\n+++ ${to}\n${head}\n${minus}${plus}`
})

const isLineStart = (text: string, index: number): boolean => index === 0 || text.charAt(index - 1) === "\n"

/** Counts the characters of the last `tail` that remain without the partial line at its beginning. */
const lengthToLineEnd = (text: string, tail: number): number => {
  const end = text.indexOf("\n", text.length - tail)
  return end === -1 ? 0 : text.length - end - 1
}

const lineCount = (text: string): Effect.Effect<number> =>
  Effect.map(
    Slices.lineFeeds(text, text.length),
    (lengthToLineEnd) => lengthToLineEnd + (text === "" || text.endsWith("\n") ? 0 : 1)
  )

const withoutEnd = "\\ No newline at end of file\n"

/** Formats every line after a mark, with a note if the last line has no line ending. */
const markedInSlices = (mark: "-" | "+", text: string): Effect.Effect<string> => {
  if (text === "") return Effect.succeed("")
  const lengthToLineEnd = text.endsWith("\n")
  const body = lengthToLineEnd ? text.slice(0, -1) : text
  return Effect.map(
    Slices.map(body, (slice) => slice.replaceAll("\n", `\n${mark}`)),
    (lines) => `${mark}${lines}\n${lengthToLineEnd ? "" : withoutEnd}`
  )
}

/** Replaces a diff if the old content may contain credentials; it shows only lines from the call itself. */
export const hiddenDiff = (path: string, lines: string): string =>
  `${path}: the current content may contain credentials and is not shown\n${lines}`

/** Formats every line of a text after a mark. */
export const withMark = (mark: "-" | "+", text: string): string =>
  text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => `${mark}${line}\n`)
    .join("")

/** Makes the precondition on which a preview relies. */
export const fileDigest = (path: string, digest: string | null): Approval.Precondition => ({
  _tag: "FileDigest",
  path,
  digest
})
