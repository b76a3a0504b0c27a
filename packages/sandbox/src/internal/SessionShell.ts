/** A shell in its own sandbox that runs a session's commands one after another, and is suspended between them. */
import type { ToolError } from "@bough/protocol"
import type { Execution, PausableTimeout } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { randomUUID } from "node:crypto"
import { chmodSync, chownSync, closeSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Bubblewrap from "../Bubblewrap.ts"
import type { VaultParts } from "../CommandVault.ts"
import type { Variables } from "../Environment.ts"
import * as ExitStatus from "../ExitStatus.ts"
import type { Connections } from "../Proxy.ts"
import type { Shell } from "../ShellSlots.ts"
import type { Workshop } from "../Workshop.ts"
import * as BubblewrapProcess from "./BubblewrapProcess.ts"
import { type ChildProcess, type ProcessEnd, next, type StartFailed, type User } from "./ChildProcess.ts"
import * as OwnerWatch from "./OwnerWatch.ts"
import * as Pipes from "./Pipes.ts"
import * as SandboxSockets from "./SandboxSockets.ts"
import * as ShellProgram from "./ShellProgram.ts"
import * as Standstill from "./Standstill.ts"
import { attend, type Outcome } from "./Supervise.ts"
import { nextTurn } from "./WaitForQuiet.ts"

/** The sandbox ended before its shell could take a command; `said` is the output of bubblewrap. */
export class ShellFailed extends Schema.TaggedError<ShellFailed>()("ShellFailed", { said: Schema.String }) {}

export interface SessionShell extends Shell {
  readonly child: ChildProcess
  /** Returns the report of bubblewrap so far. */
  readonly report: () => string
  readonly staying: Standstill.SurvivingProcesses
  /** Its files outside of the sandbox. */
  readonly directory: string
  readonly reports: ShellProgram.Reports
  /** The connections of the running command. */
  network: Connections | null
  /** The session's variables as they were last sent to the shell. */
  readonly sent: Map<string, string>
  /** Resolves once every process of the sandbox has ended. */
  readonly ended: Promise<ProcessEnd>
}

export interface Start {
  readonly workshop: Workshop
  readonly user: User | null
  readonly key: string
  readonly view: Bubblewrap.View
  readonly contents: ReadonlyArray<string>
  readonly folder: string
}

const maxReportBytes = 4096

const collectText = (stream: ChildProcess["third"], maxBytes: number): (() => string) => {
  let text = ""
  stream?.on("data", (piece: Buffer) => {
    if (text.length < maxBytes) text += piece.toString()
  })
  return () => text
}

/**
 * The directory with the files through which the shell gets commands and returns output; no command can write in it.
 */
const files = Effect.fnUntraced(function* (user: User | null) {
  const directory = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "bough-shell-"))),
    (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
  )
  const { command, stderr, stdout } = ShellProgram.fileNames
  if (!(yield* Pipes.makeAt([stdout, stderr].map((name) => join(directory, name))))) {
    return yield* new ShellFailed({ said: "the system has no mkfifo" })
  }
  writeFileSync(join(directory, command), "")
  chmodSync(join(directory, command), 0o644)
  if (user !== null) {
    for (const name of [".", command, stdout, stderr]) chownSync(join(directory, name), user.uid, user.gid)
  }
  return directory
})

/** Starts a shell; it runs until it is closed or ends by itself. */
export const start = Effect.fnUntraced(function* (
  options: Start,
  keepClosed: Effect.Effect<boolean, never, Scope.Scope>
): Effect.fn.Return<SessionShell, ShellFailed | StartFailed> {
  const scope = yield* Scope.make()
  return yield* Effect.onExit(Effect.provideService(started(options, keepClosed, scope), Scope.Scope, scope), (exit) =>
    Exit.isSuccess(exit) ? Effect.void : Scope.close(scope, Exit.void)
  )
})

const started = Effect.fnUntraced(function* (
  { contents, folder, key, user, view, workshop }: Start,
  keepClosed: Effect.Effect<boolean, never, Scope.Scope>,
  scope: Scope.Closeable
) {
  if (!(yield* keepClosed)) return yield* new ShellFailed({ said: "a repository changed meanwhile: try again" })
  const directory = yield* files(user)
  const { connected, proxied } = view
  const { hold, machine } = workshop
  const argv = ShellProgram.argv(machine.shell, Bubblewrap.gateDescriptor)
  const args = [
    ...Bubblewrap.args(machine, { ...view, shell: directory }, hold),
    "--chdir",
    folder,
    ...Bubblewrap.gateCommand(machine, argv, { connected, proxied, keepsGate: true })
  ]
  let network = (): Connections | null => null
  const connections: Connections = {
    connection: (socket) => {
      const current = network()
      if (current === null) socket.destroy()
      else current.connection(socket)
    },
    requests: () => []
  }
  let stderrText = () => ""
  let report = () => ""
  const child = yield* Effect.acquireRelease(
    BubblewrapProcess.begin(workshop, user, {
      args,
      connected,
      contents,
      input: null,
      joined: proxied ? { connections } : null,
      merged: true
    }).pipe(
      Effect.tap((child) =>
        Effect.sync(() => {
          ;[stderrText, report] = [collectText(child.stdout, maxReportBytes), collectText(child.third, maxReportBytes)]
        })
      )
    ),
    (child) =>
      BubblewrapProcess.killAll(child, report()).pipe(
        Effect.andThen(Effect.promise(() => child.ended)),
        Effect.andThen(Effect.suspend(() => BubblewrapProcess.settle(report()))),
        Effect.andThen(OwnerWatch.dismiss(child)),
        Effect.andThen(Effect.sync(() => child.release()))
      )
  )
  const { fourth } = child
  if (fourth === null || (yield* next(fourth)) === null) {
    yield* Effect.promise(() => child.ended)
    return yield* new ShellFailed({ said: stderrText().trim() || "the shell did not start" })
  }
  while (!(yield* BubblewrapProcess.isInitBound(hold)(report()))) yield* nextTurn
  const init = BubblewrapProcess.initOf(report()) ?? 0
  // The shell is the first child of its init. The other children are Bough's programs, because no other program runs
  // before the shell is admitted.
  const [shell, ...others] = Standstill.descendantsOf(init)
  if (shell === undefined)
    return yield* new ShellFailed({ said: "this kernel does not list the children of processes" })
  const reports = new ShellProgram.Reports()
  fourth.setEncoding("utf8").on("data", (text: string) => reports.push(text))
  fourth.write(Bubblewrap.go)
  const newShell: SessionShell = {
    key,
    close: Scope.close(scope, Exit.void),
    child,
    report,
    staying: { init, shell, programIds: new Set(others) },
    directory,
    reports,
    network: null,
    sent: new Map(),
    ended: endOf(child, report)
  }
  network = () => newShell.network
  return newShell
})

const endOf = (child: ChildProcess, report: () => string): Promise<ProcessEnd> =>
  Promise.all([
    child.ended,
    new Promise<void>((resolve) => {
      if (child.third === null || child.third.closed) resolve()
      else child.third.once("close", () => resolve())
    })
  ]).then(([ended]) => {
    const code = /"exit-code": (\d+)/u.exec(report())?.[1]
    return code === undefined ? ended : ExitStatus.fromCode(Number(code))
  })

/** Returns the current directory of the shell; null: the shell has ended, or the directory was deleted. */
export const folderOf = ({ staying }: SessionShell): string | null =>
  Result.getOrNull(Result.try(() => readlinkSync(`/proc/${staying.shell}/cwd`)))

export const isGone = ({ child }: SessionShell): boolean => child.isGone()

export interface Command
  extends Pick<Execution.RunOptions, "merged" | "onOutput" | "timeoutMillis">, Pick<VaultParts, "hiding"> {
  readonly text: string
  /** The directory; null: the shell's current one. */
  readonly directory: string | null
  readonly variables: Variables
  readonly maxOutputBytes: number
  readonly pauses: PausableTimeout.Pauses
  readonly joining: ((inside: SandboxSockets.SandboxSockets) => Effect.Effect<void>) | null
  readonly network: Connections | null
}

/**
 * Runs one command. If it is interrupted or exceeds its time, the shell is closed; if it ends the shell, the whole
 * sandbox is closed.
 */
export const run = (shell: SessionShell, command: Command): Effect.Effect<Outcome, ToolError.Timeout> =>
  Effect.suspend(() => {
    const { hiding, onOutput, timeoutMillis } = command
    const running = begin(shell, command)
    return attend(Effect.succeed(running.child), {
      maxOutputBytes: command.maxOutputBytes,
      pauses: command.pauses,
      ...(hiding === undefined ? {} : { hiding }),
      ...(onOutput === undefined ? {} : { onOutput }),
      ...(timeoutMillis === undefined ? {} : { timeoutMillis }),
      admit: () => carryOut(shell, command, running.finish),
      kill: ({ isGone }) =>
        isGone() ? Effect.void : Effect.map(shell.close, () => running.finish({ exitCode: null, signal: "SIGKILL" }))
    }).pipe(Effect.ensuring(Effect.sync(() => void (shell.network = null))))
  })

/** Starts the command as a process whose end `finish` reports. */
const begin = (shell: SessionShell, { text }: Command) => {
  const { command, stderr, stdout } = ShellProgram.fileNames
  writeFileSync(join(shell.directory, command), text)
  const [out, errors] = [Pipes.openAt(join(shell.directory, stdout)), Pipes.openAt(join(shell.directory, stderr))]
  let isGone = false
  let resolveEnded: (ended: ProcessEnd) => void
  const ended = new Promise<ProcessEnd>((resolve) => (resolveEnded = resolve))
  const finish = (processEnd: ProcessEnd): void => {
    if (isGone) return
    isGone = true
    for (const { writer } of [out, errors]) closeSync(writer)
    resolveEnded(processEnd)
  }
  const child: ChildProcess = {
    pid: shell.staying.shell,
    stdin: null,
    stdout: out.stream,
    stderr: errors.stream,
    third: null,
    fourth: null,
    watch: null,
    ended,
    isGone: () => isGone,
    kill: Effect.asVoid(shell.close),
    makeSocket: null,
    setReferenced: () => undefined,
    release: () => {
      for (const { stream } of [out, errors]) stream.destroy()
    }
  }
  return { child, finish }
}

const carryOut = Effect.fnUntraced(function* (
  shell: SessionShell,
  { directory, joining, merged = false, network, variables }: Command,
  finish: (ended: ProcessEnd) => void
) {
  const { child, reports, sent, staying } = shell
  shell.network = network
  if (joining !== null && child.makeSocket !== null) {
    yield* joining(SandboxSockets.make(staying.init, child.makeSocket))
  }
  const changed = Object.entries(variables).filter(([name, value]) => sent.get(name) !== value)
  for (const [name, value] of changed) sent.set(name, value)
  const token = randomUUID()
  const line = ShellProgram.line({
    token,
    directory,
    variables: Object.fromEntries(changed),
    merged,
    descriptor: Bubblewrap.gateDescriptor
  })
  const reported = Effect.callback<number | null>((resume) => {
    reports.expect(token, (exitCode) => resume(Effect.succeed(exitCode)))
    child.fourth?.write(line)
  })
  const answer = yield* Effect.raceFirst(
    Effect.andThen(Standstill.continueShell(staying), reported),
    Effect.promise(() => shell.ended)
  )
  if (typeof answer === "number") {
    if (!(yield* Standstill.stopProcesses(staying))) yield* shell.close
    return finish(ExitStatus.fromCode(answer))
  }
  yield* shell.close
  finish(answer ?? { exitCode: null, signal: "SIGKILL" })
})
