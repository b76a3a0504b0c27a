/** The composition root: the process, the adapters, the commands. */
import { HomeDirectory, SystemError } from "@bough/disk"
import type * as ConfigSchema from "@bough/host/config/ConfigSchema"
import * as Home from "@bough/host/config/Home"
import * as SettingsFile from "@bough/host/config/Settings"
import * as ModelChoice from "@bough/host/model/ModelChoice"
import type { Packs, MissingCapabilityMessage } from "@bough/host/Packs"
import * as SessionCapabilities from "@bough/host/session/SessionCapabilities"
import * as SpanExport from "@bough/host/telemetry/SpanExport"
import { LocalServers, Ollama, Registry } from "@bough/models"
import { QuickCheck, SessionStoreSql, StoreTime } from "@bough/store-sqlite"
import type { Capability } from "@bough/tool"
import * as AnswerGuard from "@bough/tui/keys/AnswerGuard"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { userInfo } from "node:os"
import { join } from "node:path"
import { isatty } from "node:tty"
import { exitCode, type ExitCode, failure, CliFailure } from "./CliFailure.ts"
import * as ErrorLine from "./command-line/ErrorLine.ts"
import * as Parse from "./command-line/Parse.ts"
import { unexpectedFailure } from "./Failures.ts"
import * as ClockText from "./format/ClockText.ts"
import * as Lineage from "./io/Lineage.ts"
import * as Output from "./io/Output.ts"
import * as PipeTerminal from "./io/PipeTerminal.ts"
import { reserveStdout } from "./io/reserveStdout.ts"
import * as TtyTerminal from "./io/TtyTerminal.ts"
import type { MainOptions } from "./MainOptions.ts"
import type { Adapters, Program } from "./Program.ts"
import * as Signals from "./Signals.ts"
import * as ToolErrors from "./ToolErrors.ts"
import { version } from "./Version.ts"

const adaptersOf = (name: string, { note }: Output.Output["Service"]): Adapters => ({
  store: (directory) =>
    SessionStoreSql.layer({ directory, onClockHeld: (deviation) => note(ClockText.clockAheadText(deviation, name)) }),
  storeCheck: QuickCheck.check,
  storeTime: StoreTime,
  model: ModelChoice.fromSettings,
  configuredModels: Registry.listConfigured,
  localServers: (variables) => LocalServers.findRunning(variables),
  ollama: { address: Ollama.baseUrl, running: Ollama.running },
  sandboxReport: (settings) =>
    Effect.flatMap(SessionCapabilities.sandbox(settings, { retest: true }), ({ report }) => report)
})

/** The process that a command line runs in. */
export interface HostProcess {
  readonly environment: SettingsFile.HostEnvironment
  readonly stdin: () => NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  /** Called once with the function that ends the program cleanly. */
  readonly signals: (stop: () => void) => Signals.Signals
  readonly terminal: (signals: Signals.Signals) => Program["terminal"]
  readonly silence: Program["silence"]
  /** Calls `report` for errors that tools throw outside of their calls; absent: the process ends with such an error. */
  readonly onToolError?: (report: (text: string) => void) => void
}

/** Runs one command line to its end; the process continues. */
export const execute = (
  args: ReadonlyArray<string>,
  host: HostProcess,
  { options, packs }: { readonly packs: Packs; readonly options: MainOptions }
): Promise<{ readonly program: Program; readonly code: ExitCode }> => {
  const fiber: { interrupt: () => void } = { interrupt: () => {} }
  const { stderr, silence, stdin, stdout } = host
  const environment = withAgents(host.environment, options.agents)
  const signals = host.signals(() => fiber.interrupt())
  const terminal = host.terminal(signals)
  const name = options.name ?? "bough"
  const output = Output.make({ stdout, stderr, variables: environment.variables }, isVerbose(args))
  host.onToolError?.(output.note)
  const program: Program = {
    name,
    version: options.version ?? version,
    packVersions: options.packVersions ?? [],
    packs,
    provide: options.provide ?? [],
    schemas: options.schemas ?? {},
    environment,
    stdin,
    stdout,
    silence,
    output,
    terminal,
    signals,
    adapters: adaptersOf(name, output),
    runCommand: Parse.run
  }
  const running = Effect.runFork(withTrace(program, Parse.run(program, args)))
  fiber.interrupt = () => running.interruptUnsafe()
  return new Promise((resolve) => {
    running.addObserver((exit) => {
      const code = codeOf(program, exit)
      terminal.close()
      // Errors of the last write to stdout only arrive a moment later.
      setImmediate(() => resolve({ program, code }))
    })
  })
}

const withAgents = (
  environment: SettingsFile.HostEnvironment,
  agents: MainOptions["agents"]
): SettingsFile.HostEnvironment => {
  if (agents === undefined) return environment
  const written = Object.entries(agents).map(([name, { pack, ...agent }]) => [
    name,
    { ...agent, tools: Object.keys(pack.tools) }
  ])
  return { ...environment, agents: Object.fromEntries(written) as ConfigSchema.Agents }
}

const withTrace = <A, E>(
  { environment: { variables }, name, output, version }: Program,
  command: Effect.Effect<A, E>
): Effect.Effect<A, E> =>
  SpanExport.isOn(variables)
    ? Effect.provide(command, SpanExport.layer({ variables, name, version, onNotice: output.note }))
    : command

/**
 * Runs the command line of this process with these tools, then ends the process.
 *
 * `main({ main: SessionKind.Main.tools(myPack), worker: SessionKind.Worker.tools(myReads) })`
 */
export const main = <const P extends Packs, const Provided extends ReadonlyArray<Capability.Provision> = readonly []>(
  packs: P & MissingCapabilityMessage<P, NoInfer<Provided>>,
  options: MainOptions & { readonly provide?: Provided } = {}
): void => runWords(process.argv.slice(2), packs, options)

/** Runs a command line with these tools in this process, then ends the process. */
export const runWords = (words: ReadonlyArray<string>, packs: Packs, options: MainOptions): void => {
  void execute(words, thisProcess(), { packs, options }).then(({ code, program }) => end(program, code))
}

const thisProcess = (): HostProcess => {
  // Silences LanceDB's own log: the memory reports the errors of an index.
  process.env["LANCEDB_LOG"] ??= "off"
  const hostEnvironment = environment()
  return {
    environment: hostEnvironment,
    stdin,
    stdout: reserveStdout(process),
    stderr: process.stderr,
    silence: AnswerGuard.afterReading,
    onToolError: ToolErrors.listen,
    signals: (stop) => {
      const signals = Signals.make(stop, (code) => process.exit(code))
      Signals.listen(signals)
      return signals
    },
    terminal: (signals) => {
      const database = join(Home.dataDirectory(hostEnvironment), "bough.db")
      return process.stderr.isTTY &&
        isatty(0) &&
        !Lineage.isRunByAgent({ parent: process.ppid, variables: process.env, database })
        ? TtyTerminal.make({
            stdin: process.stdin,
            stderr: process.stderr,
            isDumb: process.env["TERM"] === "dumb",
            onInterrupt: () => signals.interrupt("SIGINT")
          })
        : PipeTerminal.make(stdin)
    }
  }
}

const stdin = (): NodeJS.ReadStream => process.stdin

const isVerbose = (args: ReadonlyArray<string>): boolean => {
  const separator = args.indexOf("--")
  return (separator === -1 ? args : args.slice(0, separator)).includes("--verbose")
}

/** Flushes the output streams before the process ends. */
const end = (program: Program, code: ExitCode): void => {
  process.exitCode = code
  const leave = (): never => process.exit(withLoss(program, code))
  const streams = [program.stdout, process.stderr].filter((stream) => stream.writableLength > 0 && !stream.destroyed)
  let unclosed = streams.length
  if (unclosed === 0) leave()
  for (const stream of streams) stream.write("", () => --unclosed === 0 && leave())
}

/** An answer that was not delivered is a failure, even if the work succeeded. */
const withLoss = (program: Program, code: ExitCode): ExitCode => {
  const lost = program.output.lost()
  if (lost === null || code !== exitCode.done) return code
  ErrorLine.print(
    program,
    failure(`cannot write the answer: ${SystemError.reason(lost)}`, "check that the output can be written", lost)
  )
  return exitCode.failed
}

const codeOf = (program: Program, exit: Exit.Exit<void, CliFailure>): ExitCode => {
  if (Exit.isSuccess(exit)) return exitCode.done
  const ending = program.signals.ending()
  if (ending !== null && Cause.hasInterruptsOnly(exit.cause)) {
    if (ending === exitCode.interrupted) program.output.note(`${program.name}: interrupted`)
    return ending
  }
  const error = Cause.squash(exit.cause)
  const stop = error instanceof CliFailure ? error : unexpectedFailure(error)
  ErrorLine.print(program, stop)
  return stop.code
}

const environment = (): SettingsFile.HostEnvironment => ({
  variables: process.env,
  platform: process.platform,
  home: HomeDirectory.find(),
  currentDirectory: currentDirectory(),
  user: userName()
})

/** Falls back to the shell's name for a removed directory; the reader of the directory reports that it is missing. */
const currentDirectory = (): string => {
  try {
    return process.cwd()
  } catch {
    return process.env["PWD"] ?? "/"
  }
}

/** An account without an entry in the user database has no name. */
const userName = (): string | null => {
  try {
    return userInfo().username
  } catch {
    return null
  }
}
