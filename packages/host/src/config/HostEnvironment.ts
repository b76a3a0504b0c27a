/** The surroundings of a host, which the app passes in: a host reads no variables or folders of its process. */
import type * as ConfigSchema from "./ConfigSchema.ts"
import type * as Home from "./Home.ts"

/** The variables, folders and user that an app passes in. */
export interface HostEnvironment extends Home.HomeEnvironment {
  readonly currentDirectory: string
  /** The name of the user; null: unknown, so that no notes are stored. */
  readonly user: string | null
  /** Agents that the program itself defines, by name. An agent of the user with the same name takes precedence. */
  readonly agents?: ConfigSchema.Agents
}
