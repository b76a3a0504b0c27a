/**
 * Execution in the operator's own account, without confinement, so that every call is Elevated. Only the operator's
 * configuration selects it.
 */
import { ToolError } from "@bough/protocol"
import type { Execution } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as CommandInput from "./CommandInput.ts"
import type { VaultParts } from "./CommandVault.ts"
import type { Variables } from "./Environment.ts"
import * as Arguments from "./internal/Arguments.ts"
import { type ChildProcess, kill } from "./internal/ChildProcess.ts"
import * as Disk from "./internal/Disk.ts"
import * as OwnerWatch from "./internal/OwnerWatch.ts"
import { start } from "./internal/Pipes.ts"
import { attend } from "./internal/Supervise.ts"
import { contains } from "./Toolchains.ts"

export interface Host {
  readonly variables: Variables
  readonly maxOutputBytes: number
}

export interface HostPlace {
  readonly start: string
  readonly roots: ReadonlyArray<string>
}

/** Runs one command. Its process group is killed at the end; a process that started its own session survives. */
export const run = Effect.fnUntraced(function* (
  { maxOutputBytes, variables }: Host,
  directories: HostPlace,
  {
    hiding,
    input = null,
    invoke,
    options,
    secrets
  }: VaultParts & {
    readonly invoke: Execution.Invoke | string
    readonly options: Execution.RunOptions
    /** The standard input; null or absent: it is empty. */
    readonly input?: CommandInput.CommandInput | null
  }
): Effect.fn.Return<Execution.RunResult, ToolError.ToolError> {
  const [program, ...args] = yield* Arguments.argv(invoke, yield* Arguments.shell)
  const directory = yield* Arguments.directory(directories, options.cwd)
  const cwd = yield* Disk.withoutLinks(directory)
  if (
    cwd === null ||
    !directories.roots.some((root) => contains(root, cwd)) ||
    !(yield* Disk.entry(cwd))?.isDirectory()
  ) {
    return yield* Arguments.noDirectory(options.cwd)
  }
  const begin = Effect.flatMap(
    OwnerWatch.asOrphan({ program, args, cwd, env: { ...variables, ...secrets } }),
    (watched) =>
      start({ ...watched, merged: options.merged === true, ...(input === null ? {} : { input: "pipe" as const }) })
  ).pipe(Effect.tap(({ stdin }) => Effect.sync(() => (input === null ? undefined : CommandInput.attach(input, stdin)))))
  const outcome = yield* attend(begin, {
    ...options,
    ...(hiding === undefined ? {} : { hiding }),
    maxOutputBytes,
    kill: killGroup
  }).pipe(
    Effect.catchTag("StartFailed", ({ code, message }): Effect.Effect<never, ToolError.ToolError> =>
      code === "E2BIG"
        ? Arguments.tooLongError(invoke)
        : Effect.fail(new ToolError.ExecutionError({ message: `${program} did not start: ${message}` }))
    )
  )
  const { report: _report, ...result } = outcome
  return result
})

// Kills the group, which may outlive its leader.
const killGroup = ({ pid }: ChildProcess): Effect.Effect<void> => kill(-pid)
