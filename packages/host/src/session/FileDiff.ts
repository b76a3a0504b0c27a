/** Formats one changed file as the lines of a unified diff. Pure. */
import type { Undo } from "@bough/snapshots"
import * as TextDiff from "effect/TextDiff"
import { isUtf8 } from "node:buffer"

const maxEdits = 200
/** Longer texts take too long to compare: only their sizes are shown. */
const maxCharacters = 400_000

/** `redact` hides secrets; it receives each full text. */
export const lines = (
  { after, before, note, path }: Undo.FileChange,
  redact: (text: string) => string
): ReadonlyArray<string> => {
  const heading = note === null ? [] : [`${path}: ${note}`]
  if (before === null && after === null) return heading
  const from = textOf(before)
  const to = textOf(after)
  if (from === null || to === null || from.length + to.length > maxCharacters) {
    return [...heading, `${path}: ${size(before)} → ${size(after)}`]
  }
  // Both texts are redacted before the comparison, because a difference must not show part of a secret.
  const [hiddenFrom, hiddenTo] = [redact(from), redact(to)]
  if (hiddenFrom === hiddenTo) {
    return from === to && before !== null && after !== null
      ? heading
      : [...heading, `${path}: ${size(before)} → ${size(after)}`]
  }
  const difference = TextDiff.unified(TextDiff.lines(hiddenFrom, hiddenTo, { maxEdits }), {
    fromFile: before === null ? "/dev/null" : path,
    toFile: after === null ? "/dev/null" : path
  })
  return [...heading, ...difference.replace(/\n$/u, "").split("\n")]
}

/** Returns the text; null: the bytes are not text. */
const textOf = (content: Uint8Array | null): string | null => {
  if (content === null) return ""
  if (content.includes(0) || !isUtf8(content)) return null
  return new TextDecoder().decode(content)
}

const size = (content: Uint8Array | null): string => (content === null ? "nothing" : `${content.length} bytes`)
