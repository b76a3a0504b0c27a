/**
 * Changes to the workspace's repository: commits, branches, checkouts, stashes. Runs nothing that the repository
 * configures: no hooks, no filters, no signing program.
 */
import type { ToolError } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

export interface CommitOptions {
  readonly message: string
  /** Committed in full, including new and deleted files below a directory. */
  readonly files: ReadonlyArray<string>
  /** Hunks of the unstaged changes, by their ids in `RepositoryRead.diff`. */
  readonly hunks: ReadonlyArray<string>
}

/** Commits the chosen files or hunks, or the staged changes if none are chosen. */
export interface CommitResult {
  readonly id: string
  /** Null: no branch is checked out. */
  readonly branch: string | null
  readonly subject: string
  readonly files: ReadonlyArray<string>
}

export interface BranchOptions {
  readonly name: string
  /** Null: the checked-out commit. */
  readonly from: string | null
}

export interface SwitchOptions {
  readonly branch: string
  /** The commit at which the branch must be; null: any. */
  readonly at: string | null
}

export interface UnstashOptions {
  /** 0 is the newest entry. */
  readonly index: number
  /** The commit that the entry must have; null: any. */
  readonly at: string | null
}

export interface SwitchResult {
  readonly branch: string
  readonly commit: string
  /** The files that have changed. */
  readonly files: ReadonlyArray<string>
}

export interface StashEntry {
  readonly index: number
  readonly subject: string
}

export class RepositoryWrite extends Context.Service<
  RepositoryWrite,
  {
    readonly commit: (options: CommitOptions) => Effect.Effect<CommitResult, ToolError.ToolError>
    /** Creates a branch; fails if it exists. */
    readonly createBranch: (options: BranchOptions) => Effect.Effect<{ readonly commit: string }, ToolError.ToolError>
    /** Checks a branch out; fails if a file that is not committed would be overwritten. */
    readonly switchTo: (options: SwitchOptions) => Effect.Effect<SwitchResult, ToolError.ToolError>
    /** Stashes uncommitted changes, including untracked files if `untracked` is true. */
    readonly stash: (message: string, untracked: boolean) => Effect.Effect<StashEntry, ToolError.ToolError>
    /** Applies a stash, and drops it unless there is a conflict. */
    readonly unstash: (options: UnstashOptions) => Effect.Effect<StashEntry, ToolError.ToolError>
    readonly stashes: Effect.Effect<ReadonlyArray<StashEntry>, ToolError.ToolError>
  }
>()("@bough/tool/RepositoryWrite") {
  static readonly floor = "Workspace"
}
