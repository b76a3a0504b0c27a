/**
 * Reads git's data about the workspace, and runs no program that the repository configures. Paths are relative to the
 * workspace root. Files that a path rule withholds are left out and named, and so are secret files without a grant.
 */
import type { Session, ToolError } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { FileInfo, ListResult, ListOptions, SearchHit, SearchOptions } from "./WorkspaceRead.ts"

export type CommittedFile = Pick<FileInfo, "bytes" | "kind" | "path">

const labels: ReadonlyArray<Session.Label> = ["private"]

export type Change = "added" | "modified" | "deleted" | "renamed" | "copied" | "type changed"

export interface ChangedFile {
  readonly path: string
  /** The earlier path of a renamed or copied file; null for any other file. */
  readonly from: string | null
  /** The staged change of the file; null: it has none. */
  readonly staged: Change | null
  /** The change of the file that is not staged; null: it has none. */
  readonly unstaged: Change | null
  readonly conflicted: boolean
}

/** The upstream of a branch, as last fetched. */
export interface Upstream {
  readonly name: string
  /** The numbers of commits that the upstream lacks, and that the branch lacks; null: the upstream no longer exists. */
  readonly ahead: number | null
  readonly behind: number | null
}

/** A git operation that has begun and not finished. */
/** `am` applies patches from mails. */
export type Operation = "merge" | "rebase" | "am" | "cherry-pick" | "revert" | "bisect"

export interface Status {
  /** Null: no branch is checked out. */
  readonly branch: string | null
  /** Null: there is no commit yet. */
  readonly commit: string | null
  readonly upstream: Upstream | null
  readonly operation: Operation | null
  readonly files: ReadonlyArray<ChangedFile>
  /** Files that are neither tracked nor ignored; a directory ends in "/". */
  readonly untracked: ReadonlyArray<string>
  /** True if there are more files. */
  readonly truncated: boolean
}

/**
 * The two sides of the comparison:
 *
 * - `unstaged`: the index and the files
 * - `staged`: the last commit and the index
 * - `since`: a commit and the files
 * - `between`: two commits
 */
export type Sides =
  | { readonly _tag: "unstaged" | "staged" }
  | { readonly _tag: "since"; readonly commit: string }
  | { readonly _tag: "between"; readonly from: string; readonly to: string }

export interface DiffOptions {
  readonly sides: Sides
  /** The files and directories; empty: all. */
  readonly paths: ReadonlyArray<string>
  readonly contextLines: number
  readonly maxBytes: number
}

/** `id` identifies its content: it changes with the hunk's lines. */
export interface Hunk {
  readonly id: string
  readonly header: string
  readonly lines: ReadonlyArray<string>
}

export interface FileDiff {
  readonly path: string
  readonly from: string | null
  readonly change: Change
  /** Null: the file is binary. */
  readonly added: number | null
  readonly deleted: number | null
  readonly hunks: ReadonlyArray<Hunk>
}

export interface Diff {
  readonly files: ReadonlyArray<FileDiff>
  /** Changed files whose content may not be shown. */
  readonly hidden: ReadonlyArray<string>
  /** True if hunks are missing at the end. */
  readonly truncated: boolean
}

export interface Commit {
  readonly id: string
  readonly parents: ReadonlyArray<string>
  readonly author: string
  readonly email: string
  readonly atMillis: number
  readonly subject: string
  readonly body: string
}

export interface LogOptions {
  /** A revision, or `from..to`; null: the checked-out commit. */
  readonly range: string | null
  readonly paths: ReadonlyArray<string>
  /** Words to search for in the message or the author; null: all commits. */
  readonly message: string | null
  readonly author: string | null
  readonly limit: number
}

export interface Log {
  readonly commits: ReadonlyArray<Commit>
  readonly truncated: boolean
}

export interface BlamedLine {
  readonly line: number
  readonly text: string
  /** Null: no commit contains the line yet. */
  readonly commit: string | null
  readonly author: string
  readonly atMillis: number
}

export interface BlameOptions {
  readonly path: string
  /** The commit; null: the current file is used. */
  readonly commit: string | null
  readonly fromLine: number
  readonly toLine: number
}

export interface Branch {
  readonly name: string
  readonly commit: string
  readonly isCurrent: boolean
  readonly upstream: Upstream | null
  readonly subject: string
  readonly atMillis: number
}

/** The commits and files that a push would send. */
export interface OutgoingChanges {
  readonly remote: string
  readonly url: string
  readonly branch: string
  readonly to: string
  /** The last known commit of the remote branch; null: the branch does not exist. */
  readonly from: string | null
  /** True: the remote branch has commits that are missing here, as last fetched. */
  readonly diverged: boolean
  readonly commits: ReadonlyArray<Commit>
  /** True if there are more commits. */
  readonly truncated: boolean
  readonly files: ReadonlyArray<Omit<FileDiff, "hunks">>
}

export interface OutgoingOptions {
  /** The remote; null: the branch's own, or the only one. */
  readonly remote: string | null
  /** The branch; null: the one that is checked out. */
  readonly branch: string | null
  readonly limit: number
}

export interface ProposalOptions {
  /** The remote that the branch is pushed to. Null: the branch's own, or the only one. */
  readonly remote: string | null
  /** Null: the one that is checked out. */
  readonly branch: string | null
  /** The remote whose branch the commits are to be merged into; null: the one that is pushed to. */
  readonly into: string | null
  /** Null: the branch that the remote checks out, or else `main` or `master`. */
  readonly base: string | null
  readonly limit: number
}

/** The commits and files that a request to merge a branch into a base would contain, as last fetched. */
export interface Proposal {
  readonly remote: string
  readonly url: string
  readonly branch: string
  readonly to: string
  /** The commit of the remote branch when it was last fetched; null: there is no such branch. */
  readonly pushed: string | null
  readonly into: string
  readonly intoUrl: string
  readonly base: string
  readonly baseCommit: string
  readonly commits: ReadonlyArray<Commit>
  /** True: there are more commits. */
  readonly truncated: boolean
  readonly files: ReadonlyArray<Omit<FileDiff, "hunks">>
}

export class RepositoryRead extends Context.Service<
  RepositoryRead,
  {
    /**
     * Returns files below `path`, at most `limit`, whose content is neither in the last commit nor in a snapshot:
     * deleting them would lose work.
     */
    readonly unsaved: (path: string, limit: number) => Effect.Effect<ReadonlyArray<string>, ToolError.ToolError>
    readonly status: (limit: number) => Effect.Effect<Status, ToolError.ToolError>
    readonly diff: (options: DiffOptions) => Effect.Effect<Diff, ToolError.ToolError>
    /** Newest first. */
    readonly log: (options: LogOptions) => Effect.Effect<Log, ToolError.ToolError>
    /** Returns one commit; a ValidationError if no commit has that name. */
    readonly commit: (revision: string) => Effect.Effect<Commit, ToolError.ToolError>
    readonly blame: (options: BlameOptions) => Effect.Effect<ReadonlyArray<BlamedLine>, ToolError.ToolError>
    /** The newest first. */
    readonly branches: (limit: number) => Effect.Effect<ReadonlyArray<Branch>, ToolError.ToolError>
    readonly outgoing: (options: OutgoingOptions) => Effect.Effect<OutgoingChanges, ToolError.ToolError>
    /** Returns the proposal; fails if the base already has all commits of the branch. */
    readonly proposal: (options: ProposalOptions) => Effect.Effect<Proposal, ToolError.ToolError>
    /** Lists a directory of a commit, sorted by path; only files have sizes. */
    readonly list: (
      commit: string,
      path: string,
      options: Pick<ListOptions, "hidden" | "limit" | "recursive">
    ) => Effect.Effect<ListResult<CommittedFile>, ToolError.ToolError>
    /**
     * Searches the text files of a commit; the pattern is a Perl regular expression. Order and hits are as in
     * WorkspaceRead.
     */
    readonly search: (
      commit: string,
      options: SearchOptions
    ) => Effect.Effect<ListResult<SearchHit>, ToolError.ToolError>
    /**
     * Returns the bytes of a file in a commit; an ExecutionError if the commit has no such file, or it is larger than
     * `maxBytes`.
     */
    readonly readFile: (
      commit: string,
      path: string,
      maxBytes: number
    ) => Effect.Effect<Uint8Array, ToolError.ToolError>
  }
>()("@bough/tool/RepositoryRead") {
  static readonly floor = "ReadOnly"
  static readonly labels = labels
}
