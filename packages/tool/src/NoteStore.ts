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

/** The store could not do it; `hint` says what would help. Nothing was changed. */
export class NoteStoreFailed extends Schema.TaggedError<NoteStoreFailed>()("NoteStoreFailed", {
  message: Schema.String,
  hint: Schema.String
}) {}

/** The user whose notes are meant, and the name that changes are staged under; null: changes take effect at once. */
export interface NoteScope {
  readonly user: string
  readonly hold: string | null
  /**
   * The root of the project whose notes are seen beside the user's own. Null or left out: no project's are.
   */
  readonly project?: string | null
  /** Notes of every project are seen: for the user, never for a prompt. Default false. */
  readonly everyProject?: boolean
}

export interface Draft {
  readonly noteId: Note.NoteId
  readonly kind: Note.Kind
  readonly text: string
  readonly tags: ReadonlyArray<string>
  readonly source: string
  readonly untrusted: boolean
  /** When it was first known; null: now. For what is imported. */
  readonly createdAtMillis: number | null
  /** When it was last changed; null or left out: now. For what is imported. */
  readonly updatedAtMillis?: number | null
  /** Default null: it has no end date. */
  readonly validUntilMillis?: number | null
  /** The root of the project that it belongs to. Default null: it is the user's. */
  readonly project?: string | null
  /** Notes that it replaces: their texts become its history. Ids that are not there are left out. */
  readonly supersedes?: ReadonlyArray<Note.NoteId>
}

/** `Kept`: a note of that id, or of the same text, was there already; that one is given, and nothing was written. */
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
  /** When it was changed; null or left out: now. For what is imported. */
  readonly updatedAtMillis?: number | null
  /** Null: removes the end date. Left out: unchanged. */
  readonly validUntilMillis?: number | null
  /** Null: the note becomes the user's in every project. Left out: unchanged. */
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

/** The history that came with an imported note; versions that are there already are left out. */
export type PastVersions = ReadonlyArray<Note.PastVersion>

/** The properties that found notes must have. */
export interface Filter {
  /** All of them. */
  readonly tags: ReadonlyArray<string>
  /** Any of them; empty: every kind but `conversation`. */
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
  /** 0: the user's, in every project. */
  readonly project: number
  readonly tags: ReadonlyArray<number>
  readonly kind: number
  readonly text: string
}

/** A filter in the numbers of `IndexRow`. */
export interface NumberedFilter {
  readonly user: number
  /** Any of them; null: every one. */
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
  /** The number of a row: those after it. */
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
  /** Numbers of a vector. */
  readonly dimension: number
  /** Notes of everybody that have a vector of that model. */
  readonly notes: number
}

/**
 * The weights of a text's words: the fewer notes have a word, the more it weighs, and a word of a single note weighs
 * about 1 in stores of any size. Function words weigh nothing.
 */
export interface Weights {
  /** The sum over all words of the text, also those that no note has. */
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
    /** False: there was none of that id. Default: it is erased. */
    readonly remove: (place: NoteScope, noteId: Note.NoteId, removal?: Removal) => Answer<boolean>
    /**
     * The earlier texts of a note and those that it superseded, the last ended first; also for a note that was since
     * removed or superseded. Staged notes have none.
     */
    readonly history: (place: NoteScope, noteId: Note.NoteId) => Answer<PastVersions>
    /** Adds to the history of a note that is there what is not in it yet. For what is imported. */
    readonly addHistory: (place: NoteScope, noteId: Note.NoteId, versions: PastVersions) => Answer<void>
    readonly get: (place: NoteScope, noteId: Note.NoteId) => Answer<Note.Note | null>
    /** The note that says the same, but for case and spacing. */
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
    /** How much of what the words of a text weigh each of the rows has. */
    readonly weigh: (place: NoteScope, text: string, rows: ReadonlyArray<number>) => Answer<Weights>
    /** `Keep` makes what is held everybody's, `Drop` takes it back, in one go; how many notes it was. */
    readonly settle: (hold: string, end: "Keep" | "Drop") => Answer<number>
    /** Null: no note that the place sees can pass. */
    readonly numbered: (place: NoteScope, filter: Filter) => Answer<NumberedFilter | null>
    /** The rows that are visible from this place, in no order. Rows that no longer exist are left out. */
    readonly visible: (place: NoteScope, rows: ReadonlyArray<number>) => Answer<ReadonlyArray<Row>>
    /** The rows that only this place's hold has: they are in no index. */
    readonly held: (place: NoteScope) => Answer<ReadonlyArray<IndexRow>>
    /** Lists the rows of all users by number, after the given one, without staged ones. An index is built from them. */
    readonly rows: (after: number, limit: number) => Answer<ReadonlyArray<IndexRow>>
    /** The numbers of all of those rows, ascending. */
    readonly rowNumbers: Answer<Float64Array>
    /** The number of the last row that was ever written, and how many rows were ever dropped: they only grow. */
    readonly counters: Answer<{ readonly written: number; readonly dropped: number }>
    /** The rows that were dropped after the first `seen` of them, oldest first. */
    readonly drops: (seen: number, limit: number) => Answer<ReadonlyArray<number>>
    /** Like `rows`, with the vectors of a model that are stored beside them: each is gone with its row. */
    readonly vectors: (modelId: string, page: Page) => Answer<ReadonlyArray<EmbeddedRow>>
    /** A row has one vector, the last that was stored; a row that is gone gets none. A power cut may take them. */
    readonly keepVectors: (modelId: string, vectors: ReadonlyArray<RowVector>) => Answer<void>
    readonly clearVectors: Answer<void>
    /** Reports on the model that has the most vectors; null: there are none. */
    readonly vectorReport: Answer<VectorReport | null>
    /** Everybody with a note, by name. */
    readonly users: Answer<ReadonlyArray<{ readonly user: string; readonly notes: number }>>
  }
>()("@bough/tool/NoteStore") {}
