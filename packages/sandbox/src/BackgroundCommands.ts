/** Commands that go on after the call that started them, by session, until they end, are stopped or the scope closes. */
import { type Session, ToolError } from "@bough/protocol"
import type { Execution } from "@bough/tool"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as CommandInput from "./CommandInput.ts"
import * as OutputWindow from "./internal/OutputWindow.ts"

const maxRunning = 16
const maxKept = 64
const maxWaitMillis = 600_000

/** What of a run the caller decides; the rest is the sandbox's. */
export interface Running {
  readonly invoke: Execution.Invoke | string
  readonly options: Execution.RunOptions
  readonly input: CommandInput.CommandInput
}

type Run = (running: Running) => Effect.Effect<Execution.RunResult, ToolError.ToolError>

interface Command {
  readonly id: string
  readonly output: OutputWindow.OutputWindow
  readonly input: CommandInput.CommandInput
  fiber: Fiber.Fiber<unknown, unknown> | null
  ended: Execution.CommandEnd | null
}

/** One session's. */
interface Own {
  readonly commands: Map<string, Command>
  started: number
}

export type BackgroundCommands = (sessionId: Session.SessionId, run: Run) => Execution.Background

/** One for all sessions of a sandbox. */
export const make = (scope: Scope.Scope): BackgroundCommands => {
  const sessions = new Map<Session.SessionId, Own>()
  return (sessionId, run) => {
    const own = sessions.get(sessionId) ?? { commands: new Map<string, Command>(), started: 0 }
    sessions.set(sessionId, own)
    return service(own, run, scope)
  }
}

const service = (own: Own, run: Run, scope: Scope.Scope): Execution.Background => {
  const known = (id: string): Effect.Effect<Command, ToolError.ValidationError> => {
    const command = own.commands.get(id)
    return command === undefined ? Effect.fail(unknown(own, id)) : Effect.succeed(command)
  }
  return {
    start: (invoke, options) => start(own, { invoke, options, run, scope }),
    read: (id, options) => Effect.flatMap(known(id), (command) => read(command, options)),
    write: (id, text, end) =>
      Effect.flatMap(known(id), (command) => {
        if (command.ended !== null) return Effect.fail(failed(`${id} has ended: it reads nothing any more`))
        return CommandInput.write(command.input, text, end)
          ? Effect.void
          : Effect.fail(failed(`the input of ${id} was closed before`))
      }),
    stop: (id) =>
      Effect.flatMap(known(id), (command) =>
        Effect.map(command.fiber === null ? Effect.void : Fiber.interrupt(command.fiber), () => stateOf(command, null))
      )
  }
}

interface Starting {
  readonly invoke: Execution.Invoke | string
  readonly options: Pick<Execution.RunOptions, "cwd">
  readonly run: Run
  readonly scope: Scope.Scope
}

const start = Effect.fnUntraced(function* (own: Own, { invoke, options, run, scope }: Starting) {
  const running = [...own.commands.values()].filter(({ ended }) => ended === null)
  if (running.length >= maxRunning) {
    return yield* failed(`${maxRunning} commands are running: stop one (${running.map(({ id }) => id).join(", ")})`)
  }
  own.started += 1
  const command: Command = {
    id: `cmd-${own.started}`,
    output: OutputWindow.make(),
    input: CommandInput.make(),
    fiber: null,
    ended: null
  }
  const onOutput = (_stream: string, text: string) => Effect.sync(() => OutputWindow.add(command.output, text))
  const whole = run({ invoke, options: { ...options, onOutput, merged: true }, input: command.input })
  own.commands.set(command.id, command)
  forgetOldest(own)
  command.fiber = yield* Effect.forkIn(
    Effect.onExit(whole, (exit) => Effect.sync(() => end(command, exit))),
    scope
  )
  return { commandId: command.id }
})

const end = (command: Command, exit: Exit.Exit<Execution.RunResult, ToolError.ToolError>): void => {
  if (Exit.isSuccess(exit)) {
    OutputWindow.add(command.output, exit.value.stderr)
    command.ended = { exitCode: exit.value.exitCode, signal: exit.value.signal, reason: null }
  } else {
    const isStopped = Cause.hasInterruptsOnly(exit.cause)
    const reason = isStopped ? "stopped" : Cause.pretty(exit.cause).split("\n")[0]
    command.ended = { exitCode: null, signal: null, reason }
  }
  OutputWindow.close(command.output)
}

const read = (command: Command, { fromOffset, waitMillis }: Execution.ReadOptions) =>
  OutputWindow.waitBeyond(command.output, fromOffset).pipe(
    Effect.timeoutOrElse({ duration: Math.min(waitMillis, maxWaitMillis), orElse: () => Effect.void }),
    Effect.map(() => stateOf(command, fromOffset))
  )

/** `fromOffset` null: the end of what it said. */
const stateOf = ({ ended, id, output }: Command, fromOffset: number | null): Execution.CommandOutput => ({
  commandId: id,
  ...OutputWindow.read(output, fromOffset),
  ended
})

/** Of those that ended; what they said is forgotten with them. */
const forgetOldest = ({ commands }: Own): void => {
  for (const [id, { ended }] of commands) {
    if (commands.size <= maxKept) return
    if (ended !== null) commands.delete(id)
  }
}

const failed = (message: string): ToolError.ExecutionError => new ToolError.ExecutionError({ message })

const unknown = ({ commands }: Own, id: string): ToolError.ValidationError => {
  const message = `there is no command ${JSON.stringify(id)}; there are ${[...commands.keys()].join(", ") || "none"}`
  return new ToolError.ValidationError({ field: "commandId", message, issues: [{ path: "commandId", message }] })
}
