/**
 * Reading below the workspace root. Paths are relative to it (absolute ones are taken if they lie inside); links that
 * stay inside are followed; escapes, devices, FIFOs and protected paths are PermissionDenied with the reason.
 */
import type { ToolError } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

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
  /** Octal permission bits, such as "644". */
  readonly mode: string
}

/** A window of whole lines. Offsets are bytes into the file; `endByte` is exclusive. */
export interface LineWindow {
  readonly text: string
  readonly fromLine: number
  readonly lines: number
  readonly totalLines: number
  readonly startByte: number
  readonly endByte: number
  /** Digest of the whole file. */
  readonly digest: string
}

export interface ListOptions {
  readonly recursive: boolean
  readonly hidden: boolean
  /** Entries that .gitignore names are left out unless true. */
  readonly ignored: boolean
  readonly limit: number
}

export interface Listed<A> {
  readonly items: ReadonlyArray<A>
  /** True: `limit` cut the list. */
  readonly truncated: boolean
}

export interface SearchOptions {
  readonly pattern: string
  /** Below this directory or in this file; "." for all. */
  readonly path: string
  /** ripgrep globs, `!` excludes. */
  readonly globs: ReadonlyArray<string>
  readonly caseSensitive: boolean
  readonly literal: boolean
  readonly contextLines: number
  readonly limit: number
}

/** One hit with what is needed to find it again. `digest` is of the matched lines' bytes. */
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

export class WorkspaceRead extends Context.Service<
  WorkspaceRead,
  {
    /** All bytes of a regular file, at most `maxBytes`. */
    readonly readFile: (path: string, maxBytes: number) => Effect.Effect<FileContent, ToolError.ToolError>
    /** Lines from `fromLine` on (1-based), at most `maxLines`; reads in bounded memory. */
    readonly readLines: (
      path: string,
      fromLine: number,
      maxLines: number
    ) => Effect.Effect<LineWindow, ToolError.ToolError>
    /** Of the link itself, not of its target. */
    readonly info: (path: string) => Effect.Effect<FileInfo, ToolError.ToolError>
    /** Sorted by path. */
    readonly list: (path: string, options: ListOptions) => Effect.Effect<Listed<FileInfo>, ToolError.ToolError>
    /** Files whose path matches the glob, sorted by path. */
    readonly find: (glob: string, path: string, limit: number) => Effect.Effect<Listed<string>, ToolError.ToolError>
    readonly search: (options: SearchOptions) => Effect.Effect<Listed<SearchHit>, ToolError.ToolError>
    /** `sha256:<hex>` of a regular file; null: nothing is there. */
    readonly digest: (path: string) => Effect.Effect<string | null, ToolError.ToolError>
  }
>()("@bough/tool/WorkspaceRead") {
  static readonly floor = "ReadOnly"
}
