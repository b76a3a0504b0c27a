/**
 * Reading below the workspace root. Paths are relative to it (absolute paths inside the root are accepted), and links
 * inside the root are followed. Paths that lead out of it, devices, FIFOs and protected paths fail with a
 * PermissionDenied that gives the reason.
 */
import type { Session, ToolError } from "@bough/protocol"
import type { LineRange, LineWindow } from "@bough/text/LineWindow"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

export type { LineRange, LineWindow } from "@bough/text/LineWindow"

export type FileKind = "file" | "directory" | "symlink" | "other"

/** `digest` is `sha256:<hex>` over all bytes. */
export interface FileContent {
  readonly bytes: Uint8Array
  readonly digest: string
}

export interface FileInfo {
  readonly path: string
  readonly kind: FileKind
  readonly bytes: number
  readonly modifiedAtMillis: number
  /** The time of the last change of its content or metadata, which no program can set. */
  readonly changedAtMillis: number
  /** Octal permission bits, such as "644". */
  readonly mode: string
}

/**
 * The reason why a path needs an approval: reading a `secret` reveals credentials, agents obey `instructions`, editors
 * and tools run `configuration`.
 */
export type Sensitivity = "none" | "secret" | "instructions" | "configuration"

/** The target of a path after its links are followed; its last segments need not exist. */
export interface Subject {
  readonly path: string
  readonly sensitivity: Sensitivity
}

/** `lines` and `binary` are set if `measure` was requested and the file is no larger than the adapter's limit. */
export interface ListedFile extends FileInfo {
  readonly lines?: number
  readonly binary?: boolean
}

export interface ListOptions {
  readonly recursive: boolean
  readonly hidden: boolean
  /** False leaves out entries that .gitignore names. */
  readonly ignored: boolean
  /** True reads each file to count its lines. */
  readonly measure: boolean
  readonly limit: number
}

export interface ListResult<A> {
  readonly items: ReadonlyArray<A>
  /** True if the list was truncated at `limit`. */
  readonly truncated: boolean
}

export interface SearchOptions {
  readonly pattern: string
  /** The directory or file that is searched; "." for the whole workspace. */
  readonly path: string
  /** ripgrep globs, `!` excludes. */
  readonly globs: ReadonlyArray<string>
  readonly caseSensitive: boolean
  readonly literal: boolean
  readonly contextLines: number
  readonly limit: number
}

/** One match, with the data for finding it again. `digest` is the digest of the matched lines' bytes. */
export interface SearchHit {
  readonly path: string
  readonly line: number
  readonly endLine: number
  readonly startByte: number
  readonly endByte: number
  readonly text: string
  readonly before: ReadonlyArray<string>
  readonly after: ReadonlyArray<string>
  readonly digest: string
}

const labels: ReadonlyArray<Session.Label> = ["private"]

export class WorkspaceRead extends Context.Service<
  WorkspaceRead,
  {
    /** Reads all bytes of a regular file, at most `maxBytes`; a larger one is PermissionDenied. */
    readonly readFile: (path: string, maxBytes: number) => Effect.Effect<FileContent, ToolError.ToolError>
    /** Reads a window of a regular file in bounded memory. */
    readonly readLines: (path: string, range: LineRange) => Effect.Effect<LineWindow, ToolError.ToolError>
    /** Describes a link itself, not its target. */
    readonly info: (path: string) => Effect.Effect<FileInfo, ToolError.ToolError>
    /** Resolves a path by reading only names, for `classify`. Secret files can be read only with a grant. */
    readonly inspect: (path: string) => Effect.Effect<Subject, ToolError.ToolError>
    /** Lists entries, sorted by path. */
    readonly list: (path: string, options: ListOptions) => Effect.Effect<ListResult<ListedFile>, ToolError.ToolError>
    /** Finds files whose path matches the glob, sorted by path; files that .gitignore names are left out. */
    readonly find: (glob: string, path: string, limit: number) => Effect.Effect<ListResult<string>, ToolError.ToolError>
    /**
     * Searches files: the most relevant files first, their lines in order; files that .gitignore names, binary, secret
     * and very large files are left out.
     */
    readonly search: (options: SearchOptions) => Effect.Effect<ListResult<SearchHit>, ToolError.ToolError>
    /**
     * Returns `sha256:<hex>` for a regular file; `tree:…` for a directory, over the names, sizes and times of its whole
     * content; `link:…` for a link that may not be followed; null if the path does not exist. Other links are followed.
     */
    readonly digest: (path: string) => Effect.Effect<string | null, ToolError.ToolError>
  }
>()("@bough/tool/WorkspaceRead") {
  static readonly floor = "ReadOnly"
  static readonly labels = labels
}
