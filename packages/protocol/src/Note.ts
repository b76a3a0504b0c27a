/** The memory about a user beyond one session: a note is one fact, preference or decision in plain text. */
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** `conversation`: literal messages, only found if requested. */
export const Kind = Schema.Literals(["fact", "preference", "decision", "procedure", "episode", "conversation"])
export type Kind = typeof Kind.Type

export const NoteId = Schema.NonEmptyString.pipe(Schema.brand("NoteId"))
export type NoteId = typeof NoteId.Type

/** Times are epoch milliseconds on the store's clock. */
export const Note = Schema.Struct({
  noteId: NoteId,
  kind: Kind,
  text: Schema.String,
  /** The tags, normalised: trimmed, in lower case, without repetition, at most 16. */
  tags: Schema.Array(Schema.String),
  /** The origin, such as `session …` or `import`. */
  source: Schema.String,
  /**
   * True if its author had read untrusted text before; a session that reads the note then counts as having read
   * untrusted text too.
   */
  untrusted: Schema.Boolean,
  createdAtMillis: Schema.Natural,
  updatedAtMillis: Schema.Natural,
  /** The root of the project to which the note belongs; null: it belongs to the user, in every project. */
  project: Schema.NullOr(Schema.String),
  /** The last moment at which the note is valid; null: it has no end date. */
  validUntilMillis: Schema.NullOr(Schema.Natural)
})
export type Note = typeof Note.Type

/**
 * The reason why a text is no longer the text of a note. `removed`: the note was removed as wrong, and its texts are
 * stored for its user.
 */
export const EndReason = Schema.Literals(["updated", "superseded", "removed"])
export type EndReason = typeof EndReason.Type

/** An earlier text of a note, or of a note that it superseded, with its facts at that time. */
export const PastVersion = Schema.Struct({
  /** The old note, under its id at that time. */
  note: Note,
  reason: EndReason,
  /** The note whose history contains the version: its own note, or the one that superseded it. */
  noteId: NoteId,
  /** The cause of its end, such as `session …` or `command line`. */
  endedBy: Schema.String,
  endedAtMillis: Schema.Natural
})
export type PastVersion = typeof PastVersion.Type

/** True if the end date has passed. */
export const isEnded = ({ validUntilMillis }: Pick<Note, "validUntilMillis">, nowMillis: number): boolean =>
  validUntilMillis !== null && validUntilMillis < nowMillis

const day = /^\d{4}-\d\d-\d\d$/
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/
const endOfDay = "T23:59:59.999Z"

/**
 * Parses a day in UTC as its last moment, or a moment with its zone, in epoch milliseconds; null: the text is neither.
 */
export const momentOf = (text: string): number | null => {
  const written = day.test(text) ? `${text}${endOfDay}` : moment.test(text) ? text : null
  const read = written === null ? Option.none() : DateTime.make(written)
  if (Option.isNone(read) || DateTime.toEpochMillis(read.value) < 0) return null
  // Some parsers read a 31st of February as a day of March.
  const isDay = !day.test(text) || DateTime.formatIso(DateTime.toUtc(read.value)).startsWith(text)
  return isDay ? DateTime.toEpochMillis(read.value) : null
}

/** Formats a moment for `momentOf`; the last moment of a day is formatted as that day. */
export const formatMoment = (millis: number): string => {
  const text = DateTime.formatIso(DateTime.makeUnsafe(millis))
  return text.endsWith(endOfDay) ? text.slice(0, -endOfDay.length) : text
}

/** The maximum number of tags of one note. */
export const maxTags = 16
/** The maximum number of characters of one tag. */
export const maxTagLength = 64
/** The maximum number of UTF-16 units of one note. */
export const maxTextLength = 16_000
/** The number of past versions that are stored for one note; older ones are deleted. */
export const maxHistory = 100
/** The maximum number of notes that one note supersedes at once. */
export const maxSuperseded = 16

/** Normalises tags to the spelling in which they are stored and searched. */
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
 * Returns the normal form of a note's text: case, spacing, list marks and the id of a recalled note make
 * no difference.
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
