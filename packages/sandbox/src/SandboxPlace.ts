/** The directories in which a session's commands run, and the parts of the host that they see. */
import type { User } from "./internal/ChildProcess.ts"

/** The session's part of the sandbox. */
export interface SandboxPlace {
  readonly workspace: string
  /** The working directory of commands that name none. */
  readonly start: string
  /**
   * The workspace and further directories; a parent comes before its subdirectories. Without `writable` a directory is
   * read-only.
   */
  readonly roots: ReadonlyArray<{ readonly path: string; readonly writable: boolean }>
  /** Entries of each writable root that are protected, and not created where they are missing. */
  readonly fixed: ReadonlyArray<string>
  /** Directories below the workspace that appear empty. */
  readonly hidden: ReadonlyArray<string>
  /** Other directories that are shown read-only. */
  readonly shown: ReadonlyArray<string>
  /** The shown directories that are repositories of this workspace. */
  readonly repositories: ReadonlyArray<string>
  /** Null: the user of this process. */
  readonly user: User | null
}

/** The place for one command. `opened`: a user allowed it to change what the workspace otherwise protects. */
export interface CommandPlace extends SandboxPlace {
  readonly opened: OpenedDoors | null
}

/** No command writes it, whatever a user allows: it contains what Bough itself relies on. */
const ownDirectory = ".bough"

/** `files`: instructions and settings of editors. `repositories`: also settings that make git run programs. */
export type OpenedDoors = "files" | "repositories"

/** Returns the place with these directories hidden too. */
export const forCommand = (
  usual: SandboxPlace,
  opened: OpenedDoors | null,
  hidden: ReadonlyArray<string>
): CommandPlace => ({
  ...usual,
  hidden: [...usual.hidden, ...hidden],
  fixed: opened === "repositories" ? usual.fixed.filter((name) => name === ownDirectory) : usual.fixed,
  opened
})
