/** What a write would change, for the human who is asked, and what it has changed. */
import type { Approval } from "@bough/protocol"
import * as TextDiff from "effect/TextDiff"

// Beyond this many changed lines the diff is no longer minimal, and still right. Tens of thousands take a tenth of a second.
const maxEdits = 200

/** A unified diff; `before` null: the file is new. */
export const unified = (path: string, before: string | null, after: string): string => {
  const from = before === null ? "/dev/null" : path
  const diff = TextDiff.unified(TextDiff.lines(before ?? "", after, { maxEdits }), { fromFile: from, toFile: path })
  return diff === "" ? `${path}: no change\n` : diff
}

/** Characters of both texts together; to compare more is not worth the time of a write that nobody asked about. */
const longestCompared = 400_000

/** What was written, without the names of the file; null: nothing, or more than is worth comparing. */
export const changed = (before: string | null, after: string): string | null => {
  if ((before?.length ?? 0) + after.length > longestCompared) return null
  const diff = TextDiff.unified(TextDiff.lines(before ?? "", after, { maxEdits }))
  return diff === "" ? null : diff
}

/** In place of a diff, where the old content may hold credentials; the lines are those that come from the call itself. */
export const unshown = (path: string, lines: string): string =>
  `${path}: what is there now may hold credentials and is not shown\n${lines}`

/** Every line of a text behind a mark. */
export const marked = (mark: "-" | "+", text: string): string =>
  text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => `${mark}${line}\n`)
    .join("")

/** What the preview relied on. */
export const fileDigest = (path: string, digest: string | null): Approval.Precondition => ({
  _tag: "FileDigest",
  path,
  digest
})
