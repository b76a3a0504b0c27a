/**
 * Long-lived processes of a session, such as language servers and MCP servers: started where the session's commands run,
 * with their standard streams piped to this program. A port, not a capability: no tool can request it.
 */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { WithheldLocations } from "./Provided.ts"

/** The process could not be started, as a sentence. */
export class StartFailed extends Schema.TaggedError<StartFailed>()("SessionProcessStartFailed", {
  message: Schema.String
}) {}

/** The limits of a process and of each process that it starts; null: no limit. */
export interface Limits {
  readonly memoryBytes?: number | null
  readonly cpuSeconds?: number | null
  readonly openFiles?: number | null
  readonly processes?: number | null
}

export interface Program {
  /** A path, or a name that is looked up on the commands' PATH. */
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** Variables of the process, which only the process sees. */
  readonly env: Readonly<Record<string, string>>
  /** Relative to the workspace; default: its root. */
  readonly cwd?: string
  /** The hosts that the process reaches; `true`: every public host; `false`: none. */
  readonly network: boolean | ReadonlyArray<string>
  /** True: runs outside of any sandbox, as the operator. */
  readonly isUnconfined: boolean
  /** True: it cannot write the workspace. Default: it can. */
  readonly isReadOnly?: boolean
  /** Paths of the workspace that it cannot see; default: none. */
  readonly withheld?: WithheldLocations
  readonly limits: Limits
}

export interface SessionProcess {
  /** Writes to its standard input. */
  readonly write: (text: string) => void
}

export interface Events {
  readonly onOutput: (stream: "stdout" | "stderr", text: string) => void
  /** Called once, with a description of the end. */
  readonly onEnd: (how: string) => void
}

/** Starts a process that ends with the scope. */
export type Start = (program: Program, events: Events) => Effect.Effect<SessionProcess, StartFailed, Scope.Scope>

const namesError = /^(?:\w+\.)*\w*(?:Error|Exception)\b/u

/**
 * Picks the most informative line of a program's error output: the last line that begins with the name of an error,
 * after which runtimes print a stack and their version, or else the last line.
 */
export const findErrorLine = (text: string): string => {
  const lines = text.trim().split("\n")
  return (lines.findLast((line) => namesError.test(line)) ?? lines.at(-1) ?? "").trim()
}
