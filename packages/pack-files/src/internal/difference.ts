/** What a write would change, for the human who is asked. */
import type { Approval } from "@bough/protocol"
import * as TextDiff from "effect/TextDiff"

// Beyond this many changed lines the diff is no longer minimal, and still right.
const maxEdits = 2000

/** A unified diff; `before` null: the file is new. */
export const unified = (path: string, before: string | null, after: string): string => {
  const from = before === null ? "/dev/null" : path
  const diff = TextDiff.unified(TextDiff.lines(before ?? "", after, { maxEdits }), { fromFile: from, toFile: path })
  return diff === "" ? `${path}: no change\n` : diff
}

/** What the preview relied on. */
export const fileDigest = (path: string, digest: string | null): Approval.Precondition => ({
  _tag: "FileDigest",
  path,
  digest
})
