/**
 * Changes the memory about the user of this session. Durable on return. Text that seems to contain a secret is a
 * ValidationError unless `secrets` allows it.
 */
import type { Note, ToolError } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** `redact`: text that looks like a secret is replaced and reported; `keep`: the user asked to save it. */
export type Secrets = "refuse" | "redact" | "keep"

export interface MemoryText {
  readonly text: string
  readonly tags: ReadonlyArray<string> | null
  readonly kind: Note.Kind | null
  readonly secrets: Secrets
  /** Notes that a new one replaces: their texts become its history. Absent: none. An unknown id is a ValidationError. */
  readonly supersedes?: ReadonlyArray<Note.NoteId>
  /** The end date; null: none. Absent: none for a new note, unchanged for an existing one. */
  readonly validUntilMillis?: number | null
  /**
   * The scope of the note: every project of the user, or the session's project. Absent: `user` for a new note,
   * unchanged in a change.
   */
  readonly scope?: NoteScope
}

export type NoteScope = "user" | "project"

/**
 * `Kept`: nothing was written, because the notes in `known` (the first is `note`) already contain the text, perhaps in
 * other words. `hidden`: the kinds of redacted secrets.
 */
export interface MemorySaved {
  readonly status: "Saved" | "Kept"
  readonly note: Note.Note
  /** The known notes; empty if the note was saved. */
  readonly known: ReadonlyArray<Note.Note>
  /** Other notes that may be about the same subject, the most similar first; they may now be out of date. */
  readonly near: ReadonlyArray<Note.Note>
  readonly hidden: ReadonlyArray<string>
}

export interface MemoryFileWritten {
  readonly path: string
  readonly bytes: number
}

type Answer<A> = Effect.Effect<A, ToolError.ToolError>

export class MemoryWrite extends Context.Service<
  MemoryWrite,
  {
    readonly save: (text: MemoryText) => Answer<MemorySaved>
    /** Changes a note, which keeps its id. Null leaves tags and kind unchanged. An unknown id is a ValidationError. */
    readonly update: (noteId: Note.NoteId, text: MemoryText) => Answer<MemorySaved>
    /** `Keep`: the note was wrong, and its text stays in its history for the user. Default: the note is erased. */
    readonly remove: (noteId: Note.NoteId, history?: "Erase" | "Keep") => Answer<void>
    readonly writeFile: (path: string, content: string) => Answer<MemoryFileWritten>
    /**
     * Reads the file ("" if it is missing) and writes the text that `edit` returns, without any other write in between.
     * If `edit` fails, the file is unchanged.
     */
    readonly editFile: (path: string, edit: (content: string) => Answer<string>) => Answer<MemoryFileWritten>
  }
>()("@bough/tool/MemoryWrite") {
  static readonly floor = "Workspace"
}
