/**
 * The doors of a git directory: entries that can make git run programs or leave the repository. A command may write the
 * other entries: objects, references, the index and their logs.
 */
import * as GitObjects from "./GitObjects.ts"

/** Placeholders for missing entries while commands run, because a mount needs a target. Git ignores them. */
export type Placeholder = "directory" | { readonly content: string } | null

export interface ProtectedEntry {
  /** The path below the repository's directory. */
  readonly name: string
  readonly standIn: Placeholder
}

/** The file in which a repository names the object directories from which it borrows. */
export const alternates = "objects/info/alternates"

const empty: Placeholder = { content: "" }

/** The directory of marks of the commands that rely on the stand-ins. */
export const marks = "bough"

/** The path of the repository itself. The unusual spelling marks this entry as Bough's. */
export const ownCommonDirectory = "././.\n"

const everywhere: ReadonlyArray<ProtectedEntry> = [
  { name: marks, standIn: null },
  { name: "config.worktree", standIn: empty },
  { name: "gitdir", standIn: null }
]

/** The doors of a repository. */
export const repository: ReadonlyArray<ProtectedEntry> = [
  ...everywhere,
  { name: "config", standIn: empty },
  { name: "commondir", standIn: { content: ownCommonDirectory } },
  { name: GitObjects.folder, standIn: null },
  { name: alternates, standIn: { content: GitObjects.alternates } },
  ...["hooks", "info"].map((name): ProtectedEntry => ({ name, standIn: "directory" })),
  // Git reads these entries only on request, so missing entries are not mounted; an entry that a command made is
  // removed afterwards. `shallow` is among them, because garbage collection deletes the commits behind its boundaries,
  // and `refs/replace`, because git shows other contents in place of commits that a push sends.
  ...["worktrees", "modules", "remotes", "branches", "shallow", "refs/replace"].map((name): ProtectedEntry => ({
    name,
    standIn: null
  }))
]

/**
 * The doors of a linked worktree's own part of a repository; git reads the shared parts from the repository.
 */
export const linkedWorktree: ReadonlyArray<ProtectedEntry> = [...everywhere, { name: "commondir", standIn: null }]

/** The doors of a repository whose worktree is not the session's: the state of that worktree. */
export const otherWorktree: ReadonlyArray<ProtectedEntry> = [
  { name: "HEAD", standIn: null },
  { name: "index", standIn: null }
]

/** Directories that cannot be moved away, so that no other entry can be made in their place. */
export const pinned: ReadonlyArray<string> = ["objects", "objects/info", "refs", "logs"]
