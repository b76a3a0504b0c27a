/**
 * Stores notes: a port, not a capability, so tools cannot use it. The store is the durable record of notes, and finds
 * them by their words. The semantic index is built from `rows`, and may be lost at any time.
 *
 * All methods except `rows` are limited to one user: no argument gives access to notes of another user. With a hold,
 * changes are visible only under that hold, until `settle` commits or discards them. Adapters pass `noteStoreSpec`.
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

/**
 * The user whose notes are used, and `hold`, the key under which changes are staged; null: changes take effect at once.
 */
export interface NoteScope {
  readonly user: string
  readonly hold: string | null
  /**
   * The root of the project whose notes are visible in addition to the user's own. Null or absent: notes of projects
   * are not visible.
   */
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
  /** The end date; default null: the note has none. */
  readonly validUntilMillis?: number | null
  /** The root of the project that the note belongs to. Default null: it belongs to the user. */
  readonly project?: string | null
  /** The notes that the draft replaces: their texts become its history. Unknown ids are ignored. */
  readonly supersedes?: ReadonlyArray<Note.NoteId>
}

/** `Kept`: a note with that id or text exists; it is returned, and nothing was written. */
export interface SaveResult {
  readonly status: "Saved" | "Kept"
  readonly note: Note.Note
}

/**
 * A change of a note; null leaves a field unchanged. A note that was untrusted once stays untrusted. A replaced text
 * joins the history.
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
  /** Null: the note now belongs to the user, in every project. Absent: unchanged. */
  readonly project?: string | null
  /** The author of the change, for the history; default "". */
  readonly by?: string
  /** The note that the caller has read; if it has changed since, nothing is written. */
  readonly expected?: Note.Note
}

/**
 * `Erase` deletes the note with its history; `Keep` adds its last text to its history; `Only` erases the history and
 * leaves the note. `Only` takes effect at once, even with a hold.
 */
export interface Removal {
  readonly history: "Erase" | "Keep" | "Only"
  readonly by: string
}

/** The history of an imported note; versions that exist already are left out. */
export type PastVersions = ReadonlyArray<Note.PastVersion>

/** The filter of a search. */
export interface Filter {
  /** A note must have all of these tags. */
  readonly tags: ReadonlyArray<string>
  /** A note must have one of these kinds; empty: every kind except `conversation`. */
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
  /** Numbers of which one must match; null: all match. */
  readonly projects: ReadonlyArray<number> | null
  readonly tags: ReadonlyArray<number>
  readonly kinds: ReadonlyArray<number>
}

export interface FoundNote extends Row {
  /**
   * Okapi BM25 as SQLite's FTS5 computes it (k1 1.2, b 0.75), with the opposite sign: above 0, and higher is better. A
   * word in one of the `n` notes of the whole store scores about `ln(n)`; a word in more than half of them scores
   * almost 0.
   */
  readonly score: number
}

export interface Page {
  /** The number of the row after which results start. */
  readonly after: number
  readonly limit: number
}

/** A row with its stored vector; null: it has no vector of that model, and the row contains its text instead. */
export interface EmbeddedRow extends IndexRow {
  readonly vector: Float32Array | null
}

/** The vectors of the rows that pass a filter, one after another in one array, in the order of `rows`. */
export interface PassingVectors {
  readonly rows: ReadonlyArray<number>
  readonly vectors: Float32Array
  /** The number of passing rows that have no vector of the model. */
  readonly withoutVector: number
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
 * The weights of a text's words: a word that fewer notes contain weighs more, and a word that occurs in a single note
 * weighs about 1 in stores of any size. Function words have the weight 0.
 */
export interface Weights {
  /** The sum over all words of the text, including words that no note has. */
  readonly all: number
  /** The sum of the weights of the words that a row shares with the text, by row; rows without such words are left out. */
  readonly found: ReadonlyMap<number, number>
}

type Answer<A> = Effect.Effect<A, NoteStoreFailed>

export class NoteStore extends Context.Service<
  NoteStore,
  {
    readonly save: (scope: NoteScope, draft: Draft) => Answer<SaveResult>
    /**
     * Returns the changed note; null: no note has that id, or it differs from the expected one. The change succeeds
     * even if another note has the same text.
     */
    readonly update: (scope: NoteScope, noteId: Note.NoteId, change: Change) => Answer<Note.Note | null>
    /** Removes a note; false: the id is unknown. Default: the note is erased. */
    readonly remove: (scope: NoteScope, noteId: Note.NoteId, removal?: Removal) => Answer<boolean>
    /**
     * The earlier texts of a note and of the notes that it superseded, newest first; even if the note was removed or
     * superseded. Staged notes have no history.
     */
    readonly history: (scope: NoteScope, noteId: Note.NoteId) => Answer<PastVersions>
    /** Adds missing versions to the history of a note. For imported notes. */
    readonly addHistory: (scope: NoteScope, noteId: Note.NoteId, versions: PastVersions) => Answer<void>
    readonly get: (scope: NoteScope, noteId: Note.NoteId) => Answer<Note.Note | null>
    /** Finds the note with the same text, apart from case and spacing. */
    readonly sayingTheSame: (scope: NoteScope, text: string) => Answer<Note.Note | null>
    /** Lists notes by id, after the given one; "" lists from the first. */
    readonly list: (
      scope: NoteScope,
      page: Filter & { readonly after: string; readonly limit: number }
    ) => Answer<ReadonlyArray<Note.Note>>
    /**
     * Searches by words, ranked by BM25 and then the newest first. A text without words finds nothing. A word that none
     * of the user's notes contains also matches similarly spelled words, and an abbreviation also matches its long form
     * if the user's notes contain both; such matches score less. `exact` matches words literally and finds notes that
     * share the rare words of a text; frequent words only affect the ranking of these and of the newest notes.
     */
    readonly search: (
      scope: NoteScope,
      query: Filter & { readonly text: string; readonly limit: number; readonly exact?: boolean }
    ) => Answer<ReadonlyArray<FoundNote>>
    /** Returns, for each row, the share of the text's word weights that the row contains. */
    readonly weigh: (scope: NoteScope, text: string, rows: ReadonlyArray<number>) => Answer<Weights>
    /**
     * `Keep` commits the staged changes for all readers, `Drop` discards them, in one transaction; returns the number
     * of notes.
     */
    readonly settle: (hold: string, end: "Keep" | "Drop") => Answer<number>
    /** Returns the filter in numbers; null: no visible note can match. */
    readonly numbered: (scope: NoteScope, filter: Filter) => Answer<NumberedFilter | null>
    /** Returns the rows that are visible in this scope, unordered. Rows that no longer exist are left out. */
    readonly visible: (scope: NoteScope, rows: ReadonlyArray<number>) => Answer<ReadonlyArray<Row>>
    /** The rows that are staged in this scope, which no index contains. */
    readonly staged: (scope: NoteScope) => Answer<ReadonlyArray<IndexRow>>
    /** Lists the rows of all users by number, after the given one, except staged rows. An index is built from them. */
    readonly rows: (after: number, limit: number) => Answer<ReadonlyArray<IndexRow>>
    /** The numbers of all rows that `rows` lists, ascending. */
    readonly rowNumbers: Answer<Float64Array>
    /** The number of the last row that was written, and the number of rows that were dropped; both only grow. */
    readonly counters: Answer<{ readonly written: number; readonly dropped: number }>
    /** The dropped rows after the first `seen`, oldest first. */
    readonly drops: (seen: number, limit: number) => Answer<ReadonlyArray<number>>
    /** Like `rows`, with the vectors of a model that are stored beside them; each vector is dropped with its row. */
    readonly vectors: (modelId: string, page: Page) => Answer<ReadonlyArray<EmbeddedRow>>
    /**
     * Returns the vectors that a search compares, without the numbers of each row: for the rows in `among`, or for all
     * rows if it is null.
     */
    readonly passingVectors: (
      modelId: string,
      filter: NumberedFilter,
      among: ReadonlyArray<number> | null
    ) => Answer<PassingVectors>
    /** Stores the vector of a row, replacing an earlier one; a dropped row is ignored. A power cut may lose vectors. */
    readonly keepVectors: (modelId: string, vectors: ReadonlyArray<RowVector>) => Answer<void>
    readonly clearVectors: Answer<void>
    /** Reports on the model that has the most vectors; null: there are no vectors. */
    readonly vectorReport: Answer<VectorReport | null>
    /** Lists the users that have notes, by name. */
    readonly users: Answer<ReadonlyArray<{ readonly user: string; readonly notes: number }>>
  }
>()("@bough/tool/NoteStore") {}
