/** Commands that continue after the call that started them, by session, until they end, are stopped or the scope closes. */
import { type Session, ToolError } from "@bough/protocol"
import type {
  BackgroundCommand as Described,
  BackgroundCommands as Port,
  Execution,
  Invocation,
  ToolContext
} from "@bough/tool"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as CommandExclusion from "./CommandExclusion.ts"
import * as CommandInput from "./CommandInput.ts"
import * as BackgroundCommand from "./internal/BackgroundCommand.ts"
import * as ForegroundCommand from "./internal/ForegroundCommand.ts"
import * as OutputWindow from "./internal/OutputWindow.ts"
import * as PortHub from "./internal/PortHub.ts"
import type { SessionShell } from "./internal/SessionShell.ts"
import * as ShellSlots from "./ShellSlots.ts"
import * as StandbySlot from "./StandbySlot.ts"

const maxRunning = 16
const maxKept = 64
const maxWaitMillis = 600_000

/** A call of a session. */
interface CallOfCommand extends Pick<Invocation.Invocation["Service"], "sessionId" | "sessionPath"> {
  /** The access to the network; null: commands have no network. */
  readonly admit: ToolContext.AdmitHost | null
  readonly mark: ToolContext.Mark
}
type Run = (running: BackgroundCommand.CommandRun) => Effect.Effect<Execution.RunResult, ToolError.ToolError>

/** The port, and the functions that a call of a session uses. */
export interface BackgroundCommands extends Port {
  readonly forCall: (call: CallOfCommand, run: Run) => Execution.Background
  /** Runs a command while its call waits, until the command ends or is left running. */
  readonly whileAwaited: (
    call: CallOfCommand,
    awaited: AwaitedCommand
  ) => Effect.Effect<Execution.RunResult, ToolError.ToolError>
  /** The shells of sessions that run their commands in one shell. */
  readonly shells: ShellSlots.ShellSlots<SessionShell>
  /** The sandbox that is prepared for the next command. */
  readonly standby: StandbySlot.StandbySlot
  /** Commands in the sandbox and outside of it, which do not run at the same time. */
  readonly exclusion: CommandExclusion.CommandExclusion
}

type AwaitedCommand = Omit<ForegroundCommand.ForegroundRun, "command" | "run"> & {
  readonly run: Run
  /** Called when the command is left running. */
  readonly onLeft?: () => void
}

interface Registry {
  readonly scope: Scope.Scope
  readonly sessions: Map<Session.SessionId, Map<string, BackgroundCommand.BackgroundCommand>>
  /** The number of the newest command, by tree. */
  readonly numbers: Map<Session.SessionId, number>
  readonly listeners: Set<(command: Described) => void>
  /** Commands that calls wait for. */
  readonly awaited: Set<ForegroundCommand.ForegroundCommand>
  /** The port hub of each tree, which shares the ports of its commands. */
  readonly hubs: Map<Session.SessionId, PortHub.PortHub>
  readonly shells: ShellSlots.ShellSlots<SessionShell>
}

/** The shells, shared by all sessions of a sandbox. */
export const make: Effect.Effect<BackgroundCommands, never, Scope.Scope> = Effect.gen(function* () {
  // Closed first, so that the next process that opens the session finds how its commands ended.
  const scope = yield* Effect.acquireRelease(Scope.make(), Scope.close)
  const registry: Registry = {
    scope,
    sessions: new Map(),
    numbers: new Map(),
    listeners: new Set(),
    awaited: new Set(),
    hubs: new Map(),
    shells: ShellSlots.make()
  }
  yield* Scope.addFinalizer(scope, ShellSlots.closeAll(registry.shells))
  return {
    ...portOf(registry),
    shells: registry.shells,
    standby: StandbySlot.make(scope),
    exclusion: CommandExclusion.make(),
    forCall: (call, run) => service(registry, call, run),
    whileAwaited: (call, awaited) => whileAwaited(registry, call, awaited)
  }
})

const portOf = (registry: Registry): Port => {
  const commandsOf = (treeId: Session.SessionId) =>
    [...registry.sessions.values()].flatMap((commands) =>
      [...commands.values()].filter((command) => command.treeId === treeId)
    )
  const known = (treeId: Session.SessionId, commandId: string) => {
    const commands = commandsOf(treeId)
    const command = commands.find(({ id }) => id === commandId)
    return command === undefined
      ? Effect.fail(
          unknownCommand(
            commands.map(({ id }) => id),
            commandId
          )
        )
      : Effect.succeed(command)
  }
  return {
    onEnded: (listener) => {
      registry.listeners.add(listener)
      return Effect.sync(() => void registry.listeners.delete(listener))
    },
    reserveIds: (treeId, lastNumber) =>
      void registry.numbers.set(treeId, Math.max(lastNumber, registry.numbers.get(treeId) ?? 0)),
    list: (treeId) =>
      commandsOf(treeId)
        .map(BackgroundCommand.describe)
        .toSorted((one, other) => one.startedAtMillis - other.startedAtMillis),
    output: (treeId, id) =>
      Effect.flatMap(known(treeId, id), (command) =>
        Effect.map(BackgroundCommand.checkMade(command), () => BackgroundCommand.stateOf(command, null))
      ),
    stop: (treeId, id, reason) => Effect.flatMap(known(treeId, id), (command) => stop(command, reason)),
    refreshPorts: (treeId) => registry.hubs.get(treeId)?.refresh ?? Effect.void,
    leave: (treeId) => {
      const waiting = [...registry.awaited].filter(({ command }) => command.treeId === treeId)
      for (const one of waiting) ForegroundCommand.stopWaiting(one)
      return waiting.length
    },
    stopSession: (sessionId, reason) =>
      Effect.forEach(registry.sessions.get(sessionId)?.values() ?? [], (command) => stop(command, reason), {
        concurrency: "unbounded",
        discard: true
      }).pipe(Effect.andThen(ShellSlots.closeSession(registry.shells, sessionId)))
  }
}

const service = (registry: Registry, call: CallOfCommand, run: Run): Execution.Background => {
  const { admit, mark, sessionId } = call
  const known = (id: string) => {
    const sessionCommands = registry.sessions.get(sessionId)
    const command = sessionCommands?.get(id)
    if (command === undefined) return Effect.fail(unknownCommand([...(sessionCommands?.keys() ?? [])], id))
    command.admit = admit
    // The output may contain a host's response.
    if (command.requests().length > 0) mark("untrusted")
    return Effect.succeed(command)
  }
  const ports = Effect.suspend(() => registry.hubs.get(treeOf(call))?.refresh ?? Effect.void)
  return {
    start: (invoke, options) => start(registry, call, { invoke, options, run }),
    read: (id, options) =>
      Effect.flatMap(known(id), (command) =>
        Effect.andThen(
          waitBeyond(command, options),
          Effect.map(Effect.andThen(ports, BackgroundCommand.checkMade(command)), () =>
            BackgroundCommand.stateOf(command, options.fromOffset)
          )
        )
      ),
    write: (id, text, end) =>
      Effect.flatMap(known(id), (command) => {
        if (command.ended !== null) return Effect.fail(failed(`${id} has ended: it reads nothing any more`))
        return command.input !== null && CommandInput.write(command.input, text, end)
          ? Effect.void
          : Effect.fail(failed(`the input of ${id} was closed before`))
      }),
    stop: (id) => Effect.flatMap(known(id), (command) => stop(command, ""))
  }
}

const treeOf = ({ sessionId, sessionPath }: CallOfCommand): Session.SessionId => sessionPath[0] ?? sessionId

interface BackgroundStart {
  readonly invoke: Execution.Invoke | string
  readonly options: Pick<Execution.RunOptions, "cwd" | "vault">
  readonly run: Run
}

const start = Effect.fnUntraced(function* (
  registry: Registry,
  call: CallOfCommand,
  { invoke, options, run }: BackgroundStart
) {
  const { sessionId } = call
  const others = [...(registry.sessions.get(sessionId)?.values() ?? [])].filter(({ ended }) => ended === null)
  if (others.length >= maxRunning) {
    return yield* failed(`${maxRunning} commands are running: stop one (${others.map(({ id }) => id).join(", ")})`)
  }
  const startedAtMillis = yield* Clock.currentTimeMillis
  const text = BackgroundCommand.textOf(invoke)
  const input = CommandInput.make()
  const command = BackgroundCommand.make({ id: "", sessionId, treeId: treeOf(call), text, startedAtMillis }, input)
  command.admit = call.admit
  keep(registry, command)
  const hub = hubOf(registry, command)
  const onOutput = (_stream: string, text: string) => {
    OutputWindow.add(command.output, text)
    // Checks for ports after output, because servers usually print when they listen.
    return hub.refresh
  }
  const running = { invoke, options: { ...options, onOutput, merged: true }, input }
  yield* begin(registry, command, run({ ...running, ...tiesOf(command, hub, true) }))
  return { commandId: command.id }
})

const hubOf = (
  { hubs }: Registry,
  { treeId }: Pick<BackgroundCommand.BackgroundCommand, "treeId">
): PortHub.PortHub => {
  const hub = hubs.get(treeId) ?? PortHub.make()
  hubs.set(treeId, hub)
  return hub
}

/** Connects a command with its calls and with the ports of its tree. */
const tiesOf = (
  command: BackgroundCommand.BackgroundCommand,
  hub: PortHub.PortHub,
  serves: boolean
): Pick<BackgroundCommand.CommandRun, "admit" | "joining" | "onCheck" | "onRequests"> => ({
  admit: command.admit === null ? null : (host) => command.admit?.(host) ?? Effect.succeed("it has no network"),
  joining: (inside) => Effect.map(hub.join(inside, serves), (member) => void (command.member = member)),
  onRequests: (requests) => {
    command.requests = requests
  },
  onCheck: (checks) => {
    command.checks = checks
    BackgroundCommand.noteLeft(command)
  }
})

/** Runs the command in the registry's scope. Its end is reported if the command was kept. */
const begin = (
  { hubs, listeners, scope }: Registry,
  command: BackgroundCommand.BackgroundCommand,
  commandRun: Effect.Effect<Execution.RunResult, ToolError.ToolError>
) =>
  Effect.map(
    Effect.forkIn(
      Effect.onExit(BackgroundCommand.runWatched(command, commandRun), (exit) => {
        const { member, treeId } = command
        command.member = null
        const leaveHub = (member === null ? null : hubs.get(treeId)?.leave(member)) ?? Effect.void
        return Effect.map(leaveHub, () => {
          BackgroundCommand.end(command, exit)
          if (command.id === "") return
          for (const listener of listeners) listener(BackgroundCommand.describe(command))
        })
      }),
      scope
    ),
    (fiber) => (command.fiber = fiber)
  )

/** Gives the command an id for its session. */
const keep = ({ numbers, sessions }: Registry, command: BackgroundCommand.BackgroundCommand): void => {
  const { sessionId, treeId } = command
  const number = (numbers.get(treeId) ?? 0) + 1
  numbers.set(treeId, number)
  command.id = `cmd-${number}`
  const sessionCommands = sessions.get(sessionId) ?? new Map<string, BackgroundCommand.BackgroundCommand>()
  sessions.set(sessionId, sessionCommands)
  sessionCommands.set(command.id, command)
  forgetOldest(sessionCommands)
  BackgroundCommand.noteLeft(command)
}

const whileAwaited = Effect.fnUntraced(function* (
  registry: Registry,
  call: CallOfCommand,
  { onLeft, run, ...awaited }: AwaitedCommand
) {
  const { sessionId } = call
  const treeId = treeOf(call)
  const startedAtMillis = yield* Clock.currentTimeMillis
  const text = BackgroundCommand.textOf(awaited.invoke)
  const command = BackgroundCommand.make({ id: "", sessionId, treeId, text, startedAtMillis }, null)
  command.admit = call.admit
  const isLasting = awaited.options.atTimeLimit === "leave"
  const ties = tiesOf(command, hubOf(registry, command), isLasting)
  // Sharing ports needs a process, so it is set up only for a command that can share a port.
  const joining = isLasting || hasBackground(registry, treeId) ? ties.joining : null
  const foreground = ForegroundCommand.make({
    ...awaited,
    command,
    run: (running) => run({ ...running, ...ties, joining })
  })
  return yield* Effect.acquireUseRelease(
    Effect.sync(() => registry.awaited.add(foreground)),
    () =>
      ForegroundCommand.run(foreground, {
        begin: (commandRun) => begin(registry, command, commandRun),
        keep: () => {
          keep(registry, command)
          onLeft?.()
        }
      }),
    () => Effect.sync(() => registry.awaited.delete(foreground))
  )
})

/** `by` completes "stopped". */
const stop = (command: BackgroundCommand.BackgroundCommand, by: string): Effect.Effect<Execution.CommandOutput> =>
  Effect.suspend(() => {
    command.stopping ??= `stopped ${by}`.trim()
    return Effect.map(command.fiber === null ? Effect.void : Fiber.interrupt(command.fiber), () =>
      BackgroundCommand.stateOf(command, null)
    )
  })

const waitBeyond = (
  { output }: BackgroundCommand.BackgroundCommand,
  { fromOffset, waitMillis }: Execution.ReadOptions
): Effect.Effect<void> =>
  OutputWindow.waitBeyond(output, fromOffset).pipe(
    Effect.timeoutOrElse({ duration: Math.min(waitMillis, maxWaitMillis), orElse: () => Effect.void })
  )

const hasBackground = ({ sessions }: Registry, treeId: Session.SessionId): boolean =>
  [...sessions.values()].some((commands) =>
    [...commands.values()].some((one) => one.treeId === treeId && one.ended === null)
  )

/** Evicts the oldest ended commands with their output. */
const forgetOldest = (commands: Map<string, BackgroundCommand.BackgroundCommand>): void => {
  for (const [id, { ended }] of commands) {
    if (commands.size <= maxKept) return
    if (ended !== null) commands.delete(id)
  }
}

const failed = (message: string): ToolError.ExecutionError => new ToolError.ExecutionError({ message })

const unknownCommand = (ids: ReadonlyArray<string>, id: string): ToolError.ValidationError => {
  const message = `there is no command ${JSON.stringify(id)}; there are ${ids.join(", ") || "none"}`
  return new ToolError.ValidationError({ field: "commandId", message, issues: [{ path: "commandId", message }] })
}
