/** A command that a call waits for and that may be left running: at its time limit, or by the user. */
import type { ToolError } from "@bough/protocol"
import { type Execution, PausableTimeout } from "@bough/tool"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { BackgroundCommand, CommandRun } from "./BackgroundCommand.ts"
import * as OutputWindow from "./OutputWindow.ts"
import * as TimeLimit from "./TimeLimit.ts"

type Result = Effect.Effect<Execution.RunResult, ToolError.ToolError>

export interface ForegroundRun {
  readonly command: BackgroundCommand
  readonly invoke: Execution.Invoke | string
  readonly options: Execution.RunOptions
  /** Pauses: the command's time limit is paused while one is open. */
  readonly pauses: PausableTimeout.Pauses
  readonly run: (running: Pick<CommandRun, "input" | "invoke" | "options">) => Result
}

export interface ForegroundCommand extends ForegroundRun {
  readonly abandoned: Deferred.Deferred<void>
}

export const make = (awaited: ForegroundRun): ForegroundCommand => ({
  ...awaited,
  abandoned: Deferred.makeUnsafe<void>()
})

/** Makes the call stop waiting for the command. */
export const stopWaiting = ({ abandoned }: ForegroundCommand): void => void Deferred.doneUnsafe(abandoned, Effect.void)

export interface Background {
  readonly begin: (commandRun: Result) => Effect.Effect<Fiber.Fiber<Execution.RunResult, ToolError.ToolError>>
  /** Moves the command to the background. */
  readonly keep: () => void
}

/** Waits for the end of the command, or until it is left running. An interruption ends it. */
export const run = Effect.fnUntraced(function* (
  { command, invoke, abandoned, options, pauses, run }: ForegroundCommand,
  { begin, keep }: Background
) {
  const { atTimeLimit, onOutput, timeoutMillis, ...others } = options
  const startedNanos = yield* Clock.monotonicTimeNanos
  const elapsed = Effect.map(Clock.monotonicTimeNanos, (now) => Number((now - startedNanos) / 1_000_000n))
  const take: Execution.RunOptions["onOutput"] = (stream, text) => {
    OutputWindow.add(command.output, text)
    // If the command has an id, the call that printed its output has ended.
    return onOutput === undefined || command.id !== "" ? Effect.void : onOutput(stream, text)
  }
  const timeUp = timeoutMillis === undefined ? Effect.never : PausableTimeout.sleep(pauses, timeoutMillis)
  return yield* Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const fiber = yield* begin(run({ invoke, options: { ...others, onOutput: take }, input: null }))
      const firstEnd = Effect.raceAllFirst([
        Fiber.join(fiber),
        Effect.as(Deferred.await(abandoned), "left" as const),
        Effect.as(timeUp, "timeUp" as const)
      ])
      const ended = yield* Effect.onInterrupt(restore(firstEnd), () => Fiber.interrupt(fiber))
      if (typeof ended === "object") return ended
      const elapsedMillis = yield* elapsed
      if (ended === "timeUp" && atTimeLimit !== "leave") {
        yield* Fiber.interrupt(fiber)
        return yield* TimeLimit.timeoutError(elapsedMillis, [OutputWindow.read(command.output, 0).text])
      }
      // The command may have ended at the same moment.
      if (command.ended !== null) return yield* Fiber.join(fiber)
      keep()
      const { nextOffset, text } = OutputWindow.read(command.output, 0)
      return {
        exitCode: null,
        signal: null,
        stdout: text,
        stderr: "",
        omittedBytes: 0,
        elapsedMillis,
        continuesAs: { commandId: command.id, nextOffset }
      } satisfies Execution.RunResult
    })
  )
})
