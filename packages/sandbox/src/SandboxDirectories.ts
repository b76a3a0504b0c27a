/** The directories in which a session's commands run, and the parts of the host that they see. */
import type { User } from "./internal/ChildProcess.ts"

/** The part of the sandbox that depends on the session. */
export interface SandboxDirectories {
  readonly workspace: string
  /** The working directory of commands that name none. */
  readonly start: string
  /**
   * The workspace and further directories; a parent comes before its subdirectories. Without `writable` a directory is
   * read-only.
   */
  readonly roots: ReadonlyArray<{ readonly path: string; readonly writable: boolean }>
  /** Entries of each writable root that are protected, and that may not be created if missing. */
  readonly protectedEntries: ReadonlyArray<string>
  /** Directories below the workspace that appear empty. */
  readonly hiddenDirectories: ReadonlyArray<string>
  /** Other directories that are shown read-only. */
  readonly readOnlyDirectories: ReadonlyArray<string>
  /** The shown directories that are repositories of this workspace. */
  readonly repositories: ReadonlyArray<string>
  /** Null: commands run as the user of this process. */
  readonly user: User | null
}

/**
 * The directories and views of one command. `opened`: the otherwise protected entries that a user allowed it to change.
 */
export interface CommandDirectories extends SandboxDirectories {
  readonly allowedEntries: AllowedEntries | null
}

/** No command may write this directory, even with a user's approval, because Bough itself relies on its files. */
const ownDirectory = ".bough"

/** `files`: instructions and settings of editors. `repositories`: also settings that make git run programs. */
export type AllowedEntries = "files" | "repositories"

/** Returns the directories and views of one command, which also hides these directories. */
export const forCommand = (
  usual: SandboxDirectories,
  opened: AllowedEntries | null,
  hidden: ReadonlyArray<string>
): CommandDirectories => ({
  ...usual,
  hiddenDirectories: [...usual.hiddenDirectories, ...hidden],
  protectedEntries:
    opened === "repositories" ? usual.protectedEntries.filter((name) => name === ownDirectory) : usual.protectedEntries,
  allowedEntries: opened
})
