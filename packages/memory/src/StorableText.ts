/**
 * Checks that a text may be stored: it is not empty, not too long, and has no secret that the user did not ask to
 * keep.
 */
import { Note, ToolError } from "@bough/protocol"
import type { MemoryWrite } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as SecretPatterns from "./SecretPatterns.ts"

const invalidText = (message: string) => new ToolError.ValidationError({ message, field: "content", issues: [] })

/**
 * Fails if the new text has a kind of secret that the old text lacks. A file that already has a secret can still be
 * edited.
 */
export const withoutNewSecret = Effect.fnUntraced(function* (
  before: string,
  after: string
): Effect.fn.Return<void, ToolError.ValidationError> {
  const known = new Set((yield* SecretPatterns.redactLong(before)).hidden)
  const fresh = (yield* SecretPatterns.redactLong(after)).hidden.filter((kind) => !known.has(kind))
  if (fresh.length === 0) return
  return yield* Effect.fail(
    invalidText(
      `this looks like a secret (${fresh.join(", ")}) and was not stored: leave it out, or save it as a note if the user wants it kept`
    )
  )
})

/** Returns the text in the form in which it may be stored. */
export const fit = (
  note: MemoryWrite.MemoryText
): Effect.Effect<SecretPatterns.RedactedText, ToolError.ValidationError> => {
  const text = note.text.trim()
  if (text === "") return Effect.fail(invalidText("an empty note says nothing"))
  if (text.length > Note.maxTextLength) {
    return Effect.fail(
      invalidText(
        `a note holds at most ${Note.maxTextLength} characters, this has ${text.length}: use write_memory_file`
      )
    )
  }
  if (note.secrets === "keep") return Effect.succeed({ text, hidden: [] })
  const redacted = SecretPatterns.redact(text)
  if (note.secrets === "redact" || redacted.hidden.length === 0) return Effect.succeed(redacted)
  return Effect.fail(
    invalidText(
      `this looks like a secret (${redacted.hidden.join(", ")}) and was not stored: leave it out, or ask the user whether it is to be kept`
    )
  )
}
