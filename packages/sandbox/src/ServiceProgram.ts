/** A program that serves a session while it is open, such as an MCP server. */
import type { Execution, ToolContext } from "@bough/tool"
import type * as Effect from "effect/Effect"
import type * as CommandInput from "./CommandInput.ts"
import type { Variables } from "./Environment.ts"
import type { Limits } from "./Limits.ts"

export interface ServiceProgram {
  /** The program, which is looked up on its PATH. */
  readonly argv: readonly [string, ...ReadonlyArray<string>]
  /** The directory, relative to the workspace root; default the root. */
  readonly cwd?: string
  /** The operator's variables for it. They do not appear in an argument list. */
  readonly variables: Variables
  /** Limits that are lower than the operator's limits for commands. */
  readonly limits: Partial<Limits>
  /** The network; null: it reaches no host. */
  readonly admit: ToolContext.AdmitHost | null
  /** True if it runs outside of the sandbox. */
  readonly isUnconfined: boolean
  /** Paths of the workspace that the program cannot see; absent: none. */
  readonly withheld?: ToolContext.WithheldLocations
  readonly input: CommandInput.CommandInput
  readonly onOutput: NonNullable<Execution.RunOptions["onOutput"]>
}

/** Runs the program until it ends; after an interruption the program has ended when the effect returns. */
export type RunService<E> = (program: ServiceProgram) => Effect.Effect<Execution.RunResult, E>

const prefix = "BOUGH_VARIABLE_"

/** Passes the variables under names that have no meaning for bubblewrap, a loader or a shell. */
export const encodeVariables = (variables: Variables): Variables =>
  Object.fromEntries(Object.entries(variables).map(([name, value], at) => [`${prefix}${at}`, `${name}=${value}`]))

/** Sets the passed variables inside the sandbox, then executes the program. */
export const decodingCommand = (argv: ReadonlyArray<string>): ReadonlyArray<string> => [
  "/bin/sh",
  "-c",
  script,
  "sh",
  ...argv
]

const script = `i=0; while eval "v=\\\${${prefix}$i-}"; [ -n "$v" ]; do unset "${prefix}$i"; export "$v"; i=$((i+1)); done; exec "$@"`

/** The lower one of each pair of limits; null: no limit. */
export const lower = (limits: Limits, requested: Partial<Limits>): Limits => {
  const result: { -readonly [K in keyof Limits]: Limits[K] } = { ...limits }
  for (const name of Object.keys(limits) as ReadonlyArray<keyof Limits>) {
    const limit = requested[name]
    if (limit !== undefined && limit !== null) result[name] = Math.min(limits[name] ?? Infinity, limit)
  }
  return result
}
