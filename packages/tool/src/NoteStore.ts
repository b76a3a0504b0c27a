/**
 * Where notes are kept: a port and no capability, so no tool reaches it. It is the record, durable on return, and finds
 * notes by their words; an index of their meaning is built beside it from `rows` and may be lost at any time.
 *
 * Everything but `rows` is of one user, and nothing given here reaches another's. With a hold, changes are seen under that
 * hold alone, until `settle` makes them everybody's or takes them back. Adapters pass `noteStoreSpec`.
 */
import type { Note } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** The store failed; `hint` names the fix. Nothing was changed. */
export class NoteStoreFailed extends Schema.TaggedError<NoteStoreFailed>()("NoteStoreFailed", {
  message: Schema.String,
  hint: Schema.String
}) {}

/** The user whose notes are meant, and the name that changes are staged under; null: changes take effect at once. */
export interface NoteScope {
  readonly user: string
  readonly hold: string | null
  /** The root of the project whose notes are visible beside the user's own. Null or absent: no project's notes are. */
  readonly project?: string | null
  /** True to include the notes of every project: for the user, never for a prompt. Default false. */
  readonly everyProject?: boolean
}

export interface Draft {
  readonly noteId: Note.NoteId
  readonly kind: Note.Kind
  readonly text: string
  readonly tags: ReadonlyArray<string>
  readonly source: string
  readonly untrusted: boolean
  /** The time at which an imported note was first known; null: now. */
  readonly createdAtMillis: number | null
  /** The time at which an imported note was last changed; null or absent: now. */
  readonly updatedAtMillis?: number | null
  /** The end date; default null: none. */
  readonly validUntilMillis?: number | null
  /** The root of the project that the note belongs to. Default null: it belongs to the user. */
  readonly project?: string | null
  /** The notes that it replaces: their texts become its history. Unknown ids are ignored. */
  readonly supersedes?: ReadonlyArray<Note.NoteId>
}

/** `Kept`: a note with that id or text exists; it is returned, and nothing was written. */
export interface Saved {
  readonly status: "Saved" | "Kept"
  readonly note: Note.Note
}

/**
 * A change of a note; null leaves a field unchanged. A note that was ever untrusted stays so. A replaced text joins the
 * history.
 */
export interface Change {
  readonly untrusted: boolean
  readonly text: string | null
  readonly kind: Note.Kind | null
  readonly tags: ReadonlyArray<string> | null
  /** The time of the change for an imported note; null or absent: now. */
  readonly updatedAtMillis?: number | null
  /** Null: removes the end date. Absent: unchanged. */
  readonly validUntilMillis?: number | null
  /** Null: the note becomes the user's in every project. Absent: unchanged. */
  readonly project?: string | null
  /** The author of the change, for the history; default: "". */
  readonly by?: string
  /** The note that the caller has read; if it has changed since, nothing is written. */
  readonly expected?: Note.Note
}

/**
 * `Erase` leaves nothing of the note, its history included; `Keep` makes its last text part of its history; `Only` erases its
 * history and leaves the note, at once, whatever the hold.
 */
export interface Removal {
  readonly history: "Erase" | "Keep" | "Only"
  readonly by: string
}

/** The history of an imported note; versions that exist already are left out. */
export type PastVersions = ReadonlyArray<Note.PastVersion>

/** The properties that found notes must have. */
export interface Filter {
  /** The tags, all of which a note must have. */
  readonly tags: ReadonlyArray<string>
  /** The kinds, one of which a note must have; empty: every kind but `conversation`. */
  readonly kinds: ReadonlyArray<Note.Kind>
}

/** One version of a note. A change makes a new row and drops the old one, so the content of a row never changes. */
export interface Row {
  readonly row: number
  readonly note: Note.Note
}

/** A row as an index stores it. Filters compare numbers, so that no filter contains a user's text. */
export interface IndexRow {
  readonly row: number
  readonly user: number
  /** The project's number; 0: the note belongs to the user, in every project. */
  readonly project: number
  readonly tags: ReadonlyArray<number>
  readonly kind: number
  readonly text: string
}

/** A filter in the numbers of `IndexRow`. */
export interface NumberedFilter {
  readonly user: number
  /** The numbers, one of which must match; null: every number does. */
  readonly projects: ReadonlyArray<number> | null
  readonly tags: ReadonlyArray<number>
  readonly kinds: ReadonlyArray<number>
}

export interface FoundNote extends Row {
  /**
   * Okapi BM25 as SQLite's FTS5 computes it (k1 1.2, b 0.75), its sign turned: above 0, and the higher, the better. A word on one of
   * `n` notes of the whole store gives about `ln(n)`, one on more than half of them next to nothing.
   */
  readonly score: number
}

export interface Page {
  /** The number of a row; the query returns the rows after it. */
  readonly after: number
  readonly limit: number
}

/** A row with the vector that is stored for it; null: there is none of that model. Only then its text is given. */
export interface EmbeddedRow extends IndexRow {
  readonly vector: Float32Array | null
}

export interface RowVector {
  readonly row: number
  readonly vector: Float32Array
}

export interface VectorReport {
  readonly modelId: string
  /** The length of a vector. */
  readonly dimension: number
  /** The number of notes of all users that have a vector of that model. */
  readonly notes: number
}

/**
 * The weights of a text's words: the fewer notes have a word, the more it weighs, and a word of a single note weighs
 * about 1 in stores of any size. Function words weigh nothing.
 */
export interface Weights {
  /** The sum over all words of the text, including words that no note has. */
  readonly all: number
  /** The sum, by row, over the words of the text that the row has; rows without any are left out. */
  readonly found: ReadonlyMap<number, number>
}

type Answer<A> = Effect.Effect<A, NoteStoreFailed>

export class NoteStore extends Context.Service<
  NoteStore,
  {
    readonly save: (place: NoteScope, draft: Draft) => Answer<Saved>
    /** The note as it is now; null: there is none of that id, or not as it is expected. Another note of the same text does not matter. */
    readonly update: (place: NoteScope, noteId: Note.NoteId, change: Change) => Answer<Note.Note | null>
    /** False: the id is unknown. Default: the note is erased. */
    readonly remove: (place: NoteScope, noteId: Note.NoteId, removal?: Removal) => Answer<boolean>
    /**
     * The earlier texts of a note and those that it superseded, the last ended first; also for a note that was since
     * removed or superseded. Staged notes have none.
     */
    readonly history: (place: NoteScope, noteId: Note.NoteId) => Answer<PastVersions>
    /** Adds missing versions to the history of a note. For imported notes. */
    readonly addHistory: (place: NoteScope, noteId: Note.NoteId, versions: PastVersions) => Answer<void>
    readonly get: (place: NoteScope, noteId: Note.NoteId) => Answer<Note.Note | null>
    /** Finds the note with the same text, apart from case and spacing. */
    readonly sayingTheSame: (place: NoteScope, text: string) => Answer<Note.Note | null>
    /** Lists notes by id, after the given one; "" lists from the first. */
    readonly list: (
      place: NoteScope,
      page: Filter & { readonly after: string; readonly limit: number }
    ) => Answer<ReadonlyArray<Note.Note>>
    /**
     * Searches by words, ranked by BM25 and then the newest first. A text without words finds nothing. A word that none of
     * the user's notes contains also matches similarly spelled words, and an abbreviation also matches its long form if
     * the user's notes contain both; such matches score less. `exact` matches words literally, and looks for notes that
     * share the rare words of a text: its frequent words only rank these notes and the newest ones.
     */
    readonly search: (
      place: NoteScope,
      query: Filter & { readonly text: string; readonly limit: number; readonly exact?: boolean }
    ) => Answer<ReadonlyArray<FoundNote>>
    /** Returns for each row the share of the text's word weights that it covers. */
    readonly weigh: (place: NoteScope, text: string, rows: ReadonlyArray<number>) => Answer<Weights>
    /**
     * `Keep` commits the staged changes for all readers, `Drop` discards them, in one transaction; returns the number
     * of notes.
     */
    readonly settle: (hold: string, end: "Keep" | "Drop") => Answer<number>
    /** Null: no visible note can match. */
    readonly numbered: (place: NoteScope, filter: Filter) => Answer<NumberedFilter | null>
    /** The rows that are visible from this place, in no order. Rows that no longer exist are left out. */
    readonly visible: (place: NoteScope, rows: ReadonlyArray<number>) => Answer<ReadonlyArray<Row>>
    /** The rows that are staged for this place only, which no index contains. */
    readonly held: (place: NoteScope) => Answer<ReadonlyArray<IndexRow>>
    /** Lists the rows of all users by number, after the given one, without staged ones. An index is built from them. */
    readonly rows: (after: number, limit: number) => Answer<ReadonlyArray<IndexRow>>
    /** The numbers of all of those rows, ascending. */
    readonly rowNumbers: Answer<Float64Array>
    /** The number of the last row that was ever written, and the number of rows ever dropped; both only grow. */
    readonly counters: Answer<{ readonly written: number; readonly dropped: number }>
    /** The rows that were dropped after the first `seen` of them, oldest first. */
    readonly drops: (seen: number, limit: number) => Answer<ReadonlyArray<number>>
    /** Like `rows`, with the vectors of a model that are stored beside them: each is gone with its row. */
    readonly vectors: (modelId: string, page: Page) => Answer<ReadonlyArray<EmbeddedRow>>
    /**
     * Stores the one vector of a row, replacing an earlier one; a dropped row gets none. A power cut may lose vectors.
     */
    readonly keepVectors: (modelId: string, vectors: ReadonlyArray<RowVector>) => Answer<void>
    readonly clearVectors: Answer<void>
    /** Reports on the model that has the most vectors; null: there are none. */
    readonly vectorReport: Answer<VectorReport | null>
    /** Lists the users that have notes, by name. */
    readonly users: Answer<ReadonlyArray<{ readonly user: string; readonly notes: number }>>
  }
>()("@bough/tool/NoteStore") {}
