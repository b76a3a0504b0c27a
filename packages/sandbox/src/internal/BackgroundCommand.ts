/** One command that may continue after the call that started it: its output, its input and its end. */
import type { Session, ToolError } from "@bough/protocol"
import type { BackgroundCommand as Described, Execution } from "@bough/tool"
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import type * as CommandInput from "../CommandInput.ts"
import * as OutputWindow from "./OutputWindow.ts"

/** The part of a run that the command decides; the rest is the sandbox's. */
export interface Running {
  readonly invoke: Execution.Invoke | string
  readonly options: Execution.RunOptions
  /** Null: it reads nothing. */
  readonly input: CommandInput.CommandInput | null
}

export interface BackgroundCommand {
  /** "": a call waits for it, and it has no id yet. */
  id: string
  readonly sessionId: Session.SessionId
  readonly treeId: Session.SessionId
  readonly text: string
  readonly startedAtMillis: number
  readonly output: OutputWindow.OutputWindow
  readonly input: CommandInput.CommandInput | null
  fiber: Fiber.Fiber<Execution.RunResult, ToolError.ToolError> | null
  /** Why it is being stopped; null: it is not. */
  stopping: string | null
  ended: Execution.CommandEnd | null
}

export type Started = Pick<BackgroundCommand, "id" | "sessionId" | "startedAtMillis" | "text" | "treeId">

export const make = (started: Started, input: CommandInput.CommandInput | null): BackgroundCommand => ({
  ...started,
  output: OutputWindow.make(),
  input,
  fiber: null,
  stopping: null,
  ended: null
})

/** Takes the end of the command in. */
export const end = (command: BackgroundCommand, exit: Exit.Exit<Execution.RunResult, ToolError.ToolError>): void => {
  if (Exit.isSuccess(exit)) {
    OutputWindow.add(command.output, exit.value.stderr)
    command.ended = { exitCode: exit.value.exitCode, signal: exit.value.signal, reason: null }
  } else {
    const isStopped = Cause.hasInterruptsOnly(exit.cause)
    const reason = isStopped ? (command.stopping ?? "stopped") : Cause.pretty(exit.cause).split("\n")[0]
    command.ended = { exitCode: null, signal: null, reason }
  }
  OutputWindow.close(command.output)
}

/** `fromOffset` null: the end of its output. */
export const stateOf = (
  { ended, id, output }: BackgroundCommand,
  fromOffset: number | null
): Execution.CommandOutput => ({ commandId: id, ...OutputWindow.read(output, fromOffset), ended })

export const describe = ({ ended, id, sessionId, startedAtMillis, text, treeId }: BackgroundCommand): Described => ({
  sessionId,
  treeId,
  commandId: id,
  command: text,
  startedAtMillis,
  ended
})

/** The text of a command for reading. */
export const textOf = (invoke: Execution.Invoke | string): string => {
  if (typeof invoke === "string") return invoke
  return "command" in invoke ? invoke.command : invoke.argv.join(" ")
}
