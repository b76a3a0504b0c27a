/** Where the commands of a session run, and what they see of the host. */
import type { User } from "./internal/ChildProcess.ts"

/** One session's part of it. */
export interface SandboxPlace {
  readonly workspace: string
  /** Where commands start, unless they name a directory. */
  readonly start: string
  /** The workspace and further directories, parents before what lies in them; one that is not writable is shown for reading. */
  readonly roots: ReadonlyArray<{ readonly path: string; readonly writable: boolean }>
  /** Entries of each writable root that are protected, and not created where they are missing. */
  readonly fixed: ReadonlyArray<string>
  /** Directories below the workspace that are shown empty. */
  readonly hidden: ReadonlyArray<string>
  /** Directories elsewhere that are shown read-only. */
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

/** `files`: instructions and settings of editors. `repositories`: also what makes git run programs. */
export type OpenedDoors = "files" | "repositories"

/** The place with these directories hidden too. */
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
