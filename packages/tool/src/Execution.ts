/**
 * Running commands, confined to what the session's other capabilities allow. When `run` returns or is interrupted,
 * every process that the command started has ended.
 */
import type { Session, ToolError } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

export type Invoke =
  /** Runs a text through `bash -c`, or `sh -c` if there is no bash. */
  | { readonly command: string }
  /** Runs an argument vector without a shell. */
  | { readonly argv: ReadonlyArray<string> }

export interface RunOptions {
  /** The folder, relative to the workspace root; default the root. */
  readonly cwd?: string
  readonly timeoutMillis?: number
  /** Vault entries that the command gets as environment variables of the same names. The call needs a grant for each. */
  readonly vault?: ReadonlyArray<string>
  /** Both streams are merged in the order of writing, as `stdout`; `stderr` has the messages of the sandbox. */
  readonly merged?: boolean
  /**
   * `leave`: at its time limit the command is left running in the background instead of being killed. With either
   * value, a user may leave it running. If this is absent, or commands cannot continue after their calls, the command
   * ends with its call.
   */
  readonly atTimeLimit?: "kill" | "leave"
  /** Called with each piece of output as it comes, decoded as UTF-8. */
  readonly onOutput?: (stream: "stdout" | "stderr", text: string) => Effect.Effect<void>
}

/** One request of a command to a host, sent or refused. */
export interface CommandRequest {
  /** `CONNECT` for an encrypted tunnel, else the method. */
  readonly method: string
  /** The origin, such as `https://registry.example/`. */
  readonly url: string
  /** The status of the first response; null: there was none. */
  readonly status: number | null
  /** The number of bytes sent to the host. */
  readonly bytes: number
  /** The reason why the last attempt was refused; null: it was not refused. */
  readonly refused: string | null
}

/**
 * `exitCode` is null if `signal` ended the command. Output in memory is bounded: `omittedBytes` were dropped from its
 * middle and replaced by a line that says so. In a sandbox, an exit code of 128 + n counts as the end by signal n.
 */
export interface RunResult {
  readonly exitCode: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
  readonly omittedBytes: number
  readonly elapsedMillis: number
  /** The requests through the sandbox's proxy; absent: the command had no proxy. */
  readonly requests?: ReadonlyArray<CommandRequest>
  /** The id and offset with which the command continues in the background; absent: the command has ended. */
  readonly continuesAs?: Pick<CommandOutput, "commandId" | "nextOffset">
}

/** `exitCode` is null if the command was ended by `signal` or for `reason`, such as a stop. */
export interface CommandEnd {
  readonly exitCode: number | null
  readonly signal: string | null
  readonly reason: string | null
}

/** A port of the sandbox's loopback that a background command listens on, and the port of this machine's loopback that leads there. */
export interface CommandPort {
  readonly port: number
  readonly outsidePort: number
}

/**
 * Output of a running command. Offsets count characters from the beginning of the output; the oldest output may be
 * dropped.
 */
export interface CommandOutput {
  readonly commandId: string
  readonly text: string
  readonly fromOffset: number
  readonly nextOffset: number
  /** Null: the command is running. */
  readonly ended: CommandEnd | null
  /** The open ports; absent: none. */
  readonly ports?: ReadonlyArray<CommandPort>
  /** The requests that it has sent to hosts so far; absent: none. */
  readonly requests?: ReadonlyArray<CommandRequest>
}

export interface ReadOptions {
  readonly fromOffset: number
  /** The maximum time to wait for output beyond the offset, or for the end. */
  readonly waitMillis: number
}

/**
 * Background commands: they continue after the call that started them, and end with the session's process. Only the
 * sandbox supports them.
 */
export interface Background {
  readonly start: (
    invoke: Invoke | string,
    options: Pick<RunOptions, "cwd" | "vault">
  ) => Effect.Effect<{ readonly commandId: string }, ToolError.ToolError>
  readonly read: (commandId: string, options: ReadOptions) => Effect.Effect<CommandOutput, ToolError.ToolError>
  /** Writes to the input; `end` closes it. */
  readonly write: (commandId: string, text: string, end: boolean) => Effect.Effect<void, ToolError.ToolError>
  /** Kills the command with all processes that it started, and returns the end of its output. */
  readonly stop: (commandId: string) => Effect.Effect<CommandOutput, ToolError.ToolError>
}

const labels: ReadonlyArray<Session.Label> = ["private"]

export class Execution extends Context.Service<
  Execution,
  {
    readonly run: (invoke: Invoke | string, options?: RunOptions) => Effect.Effect<RunResult, ToolError.ToolError>
    /** Absent if commands always end with their call. */
    readonly background?: Background
  }
>()("@bough/tool/Execution") {
  static readonly floor = "System"
  static readonly labels = labels
}
