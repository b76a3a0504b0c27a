/** What is remembered about a user, beyond one session: a note is one fact, preference, decision … in plain text. */
import * as Schema from "effect/Schema"

/** `conversation`: what was said, as it was said; found only when it is asked for. */
export const Kind = Schema.Literals(["fact", "preference", "decision", "procedure", "episode", "conversation"])
export type Kind = typeof Kind.Type

export const NoteId = Schema.NonEmptyString.pipe(Schema.brand("NoteId"))
export type NoteId = typeof NoteId.Type

/** Times are epoch milliseconds on the store's clock. */
export const Note = Schema.Struct({
  noteId: NoteId,
  kind: Kind,
  text: Schema.String,
  /** Normalised: trimmed, in lower case, each once, at most 16. */
  tags: Schema.Array(Schema.String),
  /** Where it comes from, such as `session …` or `import`. */
  source: Schema.String,
  /** Whoever wrote it had been told things by somebody whom nobody vouches for: so has who reads it. */
  untrusted: Schema.Boolean,
  createdAtMillis: Schema.Natural,
  updatedAtMillis: Schema.Natural
})
export type Note = typeof Note.Type

/** Of one note. */
export const maxTags = 16
/** In characters. */
export const maxTagLength = 64
/** UTF-16 units. */
export const maxTextLength = 16_000

/** Tags in the one spelling that they are stored and asked for in. */
export const normaliseTags = (tags: ReadonlyArray<string>): ReadonlyArray<string> =>
  [
    ...new Set(
      tags
        .map((tag) =>
          tag
            .toWellFormed()
            .normalize("NFKC")
            .replaceAll(/\s+/gu, " ")
            .trim()
            .toLowerCase()
            .slice(0, maxTagLength)
            .trim()
        )
        .filter((tag) => tag !== "")
    )
  ].slice(0, maxTags)

/**
 * What two spellings of one note have in common: case, spacing, the marks of a list and the id that a note is recalled
 * under do not make it another.
 */
export const sameText = (text: string): string =>
  text
    .toWellFormed()
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/^[\s>*+-]+/gmu, "")
    .replaceAll(/\[note-[\w-]+\]/gu, " ")
    .replaceAll(/\s+/gu, " ")
    .trim()
