/**
 * Helper processes of adapters (ripgrep, git, language servers): fixed programs with arguments from the adapter. This
 * is a port, not a capability: no tool can request it.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** The process could not be started. */
export class SpawnFailed extends Schema.TaggedError<SpawnFailed>()("SpawnFailed", {
  program: Schema.String,
  message: Schema.String
}) {}

export interface HelperCommand {
  readonly program: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  /** The whole environment of the process; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>
  readonly maxOutputBytes: number
  /** Bytes that the process reads; default: none. */
  readonly input?: Uint8Array
  /**
   * True if the program starts no process and opens no terminal. It may then be killed alone, share the session of this
   * process, and be started ahead of the next command. Default: false.
   */
  readonly startsNoProcess?: boolean
  /** Called with each piece of `stdout` as it arrives; default: none is passed on. */
  readonly onOutput?: (piece: Uint8Array) => void
}

/** `truncated`: the process was ended because it wrote more than `maxOutputBytes`. */
export interface HelperResult {
  readonly exitCode: number | null
  readonly stdout: Uint8Array
  readonly stderr: string
  readonly truncated: boolean
}

export class ProcessRunner extends Context.Service<
  ProcessRunner,
  {
    /** Runs the process to its end; an interruption kills it. */
    readonly run: (command: HelperCommand) => Effect.Effect<HelperResult, SpawnFailed>
  }
>()("@bough/tool/ProcessRunner") {}
