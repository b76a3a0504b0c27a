/** One command that may continue after the call that started it: its output, its input and its end. */
import type { Session, ToolError } from "@bough/protocol"
import type { BackgroundCommand as Described, Execution, ToolContext } from "@bough/tool"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import type * as CommandInput from "../CommandInput.ts"
import type { Checks } from "./guarded.ts"
import * as OutputWindow from "./OutputWindow.ts"
import * as PortHub from "./PortHub.ts"
import type { Member } from "./PortHub.ts"
import type { SandboxSockets } from "./SandboxSockets.ts"

/** The options of a run that depend on the command; the sandbox adds the others. */
export interface CommandRun {
  readonly invoke: Execution.Invoke | string
  readonly options: Execution.RunOptions
  /** The input; null: it is empty. */
  readonly input: CommandInput.CommandInput | null
  /** Requests approval of the hosts that the command contacts; null: it has no network. */
  readonly admit: ToolContext.AdmitHost | null
  /** Called with the command's sockets before it starts; null: its ports are private. */
  readonly joining: ((inside: SandboxSockets) => Effect.Effect<void>) | null
  /** Called with a view of the command's requests before it starts. */
  readonly onRequests: (requests: () => ReadonlyArray<Execution.CommandRequest>) => void
  /** Called before the start with the checks that may run meanwhile. */
  readonly onCheck: (checks: Checks) => void
}

export interface BackgroundCommand {
  /** The id; "": a call waits for the command, and it has no id yet. */
  id: string
  readonly sessionId: Session.SessionId
  readonly treeId: Session.SessionId
  readonly text: string
  readonly startedAtMillis: number
  readonly output: OutputWindow.OutputWindow
  readonly input: CommandInput.CommandInput | null
  fiber: Fiber.Fiber<Execution.RunResult, ToolError.ToolError> | null
  /** Requests approvals through the newest call about the command, because each request belongs to a call. */
  admit: ToolContext.AdmitHost | null
  requests: () => ReadonlyArray<Execution.CommandRequest>
  /** The bytes of each request that were already reported. */
  readonly reportedBytes: Map<string, number>
  /** Null: the command has not started. */
  checks: Checks | null
  /** Completed once the command has started and no call waits for it. */
  readonly isLeft: Deferred.Deferred<void>
  /** Null: the command's ports are private. */
  member: Member | null
  /** The reason why it is being stopped; null: it is not being stopped. */
  stopping: string | null
  ended: Execution.CommandEnd | null
}

export type StartCommand = Pick<BackgroundCommand, "id" | "sessionId" | "startedAtMillis" | "text" | "treeId">

export const make = (started: StartCommand, input: CommandInput.CommandInput | null): BackgroundCommand => ({
  ...started,
  output: OutputWindow.make(),
  input,
  fiber: null,
  admit: null,
  requests: () => [],
  reportedBytes: new Map(),
  checks: null,
  isLeft: Deferred.makeUnsafe(),
  member: null,
  stopping: null,
  ended: null
})

/** Records the end of the command. */
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

/**
 * Checks the entries that the command has made so far, and reports in its output which of them were moved away. Does
 * nothing after the command's end.
 */
export const checkMade = (command: BackgroundCommand): Effect.Effect<void> =>
  Effect.suspend(() =>
    command.checks === null || command.ended !== null
      ? Effect.void
      : Effect.map(command.checks.check, (remark) => {
          if (remark !== "") OutputWindow.add(command.output, remark)
        })
  )

/** Called when the command has started, and again when it gets its id. */
export const noteLeft = ({ checks, id, isLeft }: BackgroundCommand): void => {
  if (checks !== null && id !== "") Deferred.doneUnsafe(isLeft, Effect.void)
}

/**
 * Runs the command. While no call waits for it, the repositories are checked after each change, because a user may use
 * git there at any time.
 */
export const runWatched = <A, E>(command: BackgroundCommand, commandRun: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.raceFirst(
    commandRun,
    Effect.flatMap(Deferred.await(command.isLeft), () => {
      const report = (line: string): void => {
        if (line !== "") OutputWindow.add(command.output, line)
      }
      return command.checks === null ? Effect.never : command.checks.watch(report)
    })
  )

/** Returns the state of the command. `fromOffset` null: with the end of its output. */
export const stateOf = (command: BackgroundCommand, fromOffset: number | null): Execution.CommandOutput => {
  const { ended, id, output } = command
  const [ports, requests] = [portsOf(command), newRequests(command)]
  return {
    commandId: id,
    ...OutputWindow.read(output, fromOffset),
    ended,
    ...(ports.length === 0 ? {} : { ports }),
    ...(requests.length === 0 ? {} : { requests })
  }
}

const portsOf = ({ member }: BackgroundCommand) => (member === null ? [] : PortHub.portsOf(member))

/** The requests since the last report, with the bytes since then. */
const newRequests = ({ requests, reportedBytes }: BackgroundCommand): ReadonlyArray<Execution.CommandRequest> =>
  requests().flatMap((request) => {
    const key = `${request.method} ${request.url} ${request.refused ?? ""}`
    const before = reportedBytes.get(key)
    reportedBytes.set(key, request.bytes)
    return before === request.bytes ? [] : [{ ...request, bytes: request.bytes - (before ?? 0) }]
  })

export const describe = (command: BackgroundCommand): Described => {
  const { ended, id, sessionId, startedAtMillis, text, treeId } = command
  return { sessionId, treeId, commandId: id, command: text, startedAtMillis, ports: portsOf(command), ended }
}

/** Formats a command for display. */
export const textOf = (invoke: Execution.Invoke | string): string => {
  if (typeof invoke === "string") return invoke
  return "command" in invoke ? invoke.command : invoke.argv.join(" ")
}
