/** What the commands are given: the flags and arguments of the command line, as plain data. Null: not given. */
import type { ToolFormat } from "@bough/tool-formats"
import type { Effort } from "@bough/models"
import type { Policy } from "@bough/policy"
import type { Note, Session } from "@bough/protocol"

/** Of every command. */
export interface Common {
  readonly cwd: string | null
  readonly verbose: boolean
}

/** Of the commands that open a session for turns. */
export interface SessionOptions {
  readonly model: string | null
  readonly effort: Effort.Effort | null
  /** Go on with the newest session of this workspace. */
  readonly continue: boolean
  readonly session: string | null
  readonly approve: Policy.Approve | null
  readonly allow: ReadonlyArray<string>
  readonly maxSteps: number | null
  readonly maxCostUsd: number | null
  readonly trust: boolean
  /** Whether somebody looks back on what was done, and decides what is remembered. */
  readonly reflect: boolean | null
}

export interface ConverseOptions extends SessionOptions {
  /** Plain lines, which a screen reader can follow. */
  readonly screenReader: boolean
}

export type RunFormat = "text" | "json" | "stream-json"

export interface RunOptions extends SessionOptions {
  /** "-": read it from stdin. */
  readonly prompt: string | null
  /** What stdin holds follows the prompt. */
  readonly stdin: boolean
  readonly format: RunFormat
}

export interface CallOptions {
  readonly tool: string
  /** "-": read them from stdin. */
  readonly arguments: string
  readonly session: string | null
  readonly kind: Session.Kind
  readonly approve: Policy.Approve | null
  readonly allow: ReadonlyArray<string>
}

export type ListFormat = "text" | "json"

/** A call that is not run. */
export interface TestOptions extends Omit<CallOptions, "session"> {
  readonly format: ListFormat
}

/** Of a call of a session that has read what the labels say. */
export interface ExplainOptions extends TestOptions {
  readonly labels: ReadonlyArray<Session.Label>
  /** Null: the terminal. */
  readonly channel: string | null
}

/** Which notes are shown. */
export interface MemorySearchOptions extends MemoryOptions {
  readonly query: string
  /** Also what was said in conversations. */
  readonly conversations: boolean
}

export interface MemoryOptions {
  /** All of them. */
  readonly tags: ReadonlyArray<string>
  /** Any of them; empty: every kind, where notes are listed, and where they are searched every one but `conversation`. */
  readonly kinds: ReadonlyArray<Note.Kind>
  /** How many at most; null: the best ten where notes are searched, all of them where they are listed. */
  readonly limit: number | null
  readonly format: ListFormat
}

export interface MemoryListOptions extends MemoryOptions {
  /** Only the notes of this project. */
  readonly project: boolean
  /** Those of every project. */
  readonly all: boolean
}

export interface NoteShowOptions {
  readonly id: string
  /** What it said before, too. */
  readonly history: boolean
  readonly format: ListFormat
}

export interface NoteRemoveOptions {
  readonly id: string
  /** Its history alone. */
  readonly history: boolean
}

export interface NoteSaveOptions {
  readonly text: string
  readonly tags: ReadonlyArray<string>
  readonly kind: Note.Kind
  /** It belongs to this project. */
  readonly project: boolean
  /** Ids of notes that it replaces, or their beginnings. */
  readonly supersedes: ReadonlyArray<string>
  /** Its last day; null: it has none. */
  readonly until: string | null
}

/** Of the commands that look back at calls. `session` null: all sessions of this workspace. */
export interface ReportOptions {
  readonly session: string | null
  /** Those of every workspace. */
  readonly all: boolean
  readonly format: ListFormat
}

export interface ConfigOptions {
  /** The project's file instead of the operator's. */
  readonly project: boolean
}

/** Who can be told of a tool. */
export type ToolFormatName = ToolFormat.Format
