/** The composition root: the process, the adapters, the commands. */
import { SystemError } from "@bough/disk"
import * as ModelChoice from "@bough/host/model/ModelChoice"
import { LocalServers, Ollama, Registry } from "@bough/models"
import { QuickCheck, SessionStoreSql, StoreTime } from "@bough/store-sqlite"
import type { Capability } from "@bough/tool"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { homedir, userInfo } from "node:os"
import { join } from "node:path"
import { isatty } from "node:tty"
import * as Call from "./commands/Call.ts"
import type { Handlers } from "./command-line/CommandLine.ts"
import * as Converse from "./commands/Converse.ts"
import * as Doctor from "./commands/Doctor.ts"
import * as ErrorLine from "./command-line/ErrorLine.ts"
import * as Parse from "./command-line/Parse.ts"
import * as Run from "./commands/Run.ts"
import * as Sessions from "./commands/Sessions.ts"
import * as ToolSchemas from "./commands/ToolSchemas.ts"
import * as Tools from "./commands/Tools.ts"
import * as ClockText from "./format/ClockText.ts"
import * as SettingsFile from "@bough/host/config/Settings"
import { unexpected } from "./Failures.ts"
import * as Home from "@bough/host/config/Home"
import * as Output from "./io/Output.ts"
import type { Packs, PrebuiltSchemas, Served } from "@bough/host/Packs"
import type { Adapters, Program } from "./Program.ts"
import * as SessionCapabilities from "@bough/host/session/SessionCapabilities"
import * as Signals from "./Signals.ts"
import { exitCode, type ExitCode, failed, CliFailure } from "./CliFailure.ts"
import * as Lineage from "./io/Lineage.ts"
import * as PipeTerminal from "./io/PipeTerminal.ts"
import * as TtyTerminal from "./io/TtyTerminal.ts"
import { version } from "./Version.ts"

export interface MainOptions {
  /** As people call it; default "bough". */
  readonly name?: string
  /** What `--version` prints; default: this package's. */
  readonly version?: string
  /** JSON Schemas of arguments by tool name, so that starting need not derive them. */
  readonly schemas?: PrebuiltSchemas
  /** Capabilities that the packs need and Bough does not bring, each made by `Capability.provide`. */
  readonly provide?: ReadonlyArray<Capability.Provision>
}

const adaptersOf = (name: string, { note }: Output.Output["Service"]): Adapters => ({
  store: (directory) =>
    SessionStoreSql.layer({ directory, onClockHeld: (deviation) => note(ClockText.held(deviation, name)) }),
  storeCheck: QuickCheck.check,
  storeTime: StoreTime,
  model: ModelChoice.fromSettings,
  configuredModels: Registry.configured,
  localServers: (variables) => LocalServers.running(variables),
  ollama: { address: Ollama.baseUrl, running: Ollama.running },
  sandboxReport: (settings) => Effect.flatMap(SessionCapabilities.sandbox(settings), ({ report }) => report)
})

/** The process that a command line runs in. */
export interface HostProcess {
  readonly environment: SettingsFile.HostEnvironment
  readonly stdin: () => NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  /** Called once, with what ends the program in good order. */
  readonly signals: (stop: () => void) => Signals.Signals
  readonly terminal: (signals: Signals.Signals) => Program["terminal"]
}

/** Runs one command line to its end; the process goes on. */
export const execute = (
  given: ReadonlyArray<string>,
  host: HostProcess,
  { options, packs }: { readonly packs: Packs; readonly options: MainOptions }
): Promise<{ readonly program: Program; readonly code: ExitCode }> => {
  const fiber: { interrupt: () => void } = { interrupt: () => {} }
  const { stderr, stdin, stdout, environment } = host
  const signals = host.signals(() => fiber.interrupt())
  const terminal = host.terminal(signals)
  const name = options.name ?? "bough"
  const output = Output.make({ stdout, stderr, variables: environment.variables }, isVerbose(given))
  const program: Program = {
    name,
    version: options.version ?? version,
    packs,
    provide: options.provide ?? [],
    schemas: options.schemas ?? {},
    environment,
    stdin,
    output,
    terminal,
    signals,
    adapters: adaptersOf(name, output)
  }
  const running = Effect.runFork(Parse.run({ ...program, handlers: handlersOf(program) }, given))
  fiber.interrupt = () => running.interruptUnsafe()
  return new Promise((resolve) => {
    running.addObserver((exit) => {
      const code = codeOf(program, exit)
      terminal.close()
      // What stdout refused of the last words is known a moment later.
      setImmediate(() => resolve({ program, code }))
    })
  })
}

/**
 * Runs the command line of this process with these tools, then ends the process.
 *
 * `main({ main: SessionKind.Main.tools(myPack), worker: SessionKind.Worker.tools(myReads) })`
 */
export const main = <const P extends Packs, const Provided extends ReadonlyArray<Capability.Provision> = readonly []>(
  packs: P & Served<P, NoInfer<Provided>>,
  options: MainOptions & { readonly provide?: Provided } = {}
): void => {
  void execute(process.argv.slice(2), thisProcess(), { packs, options }).then(({ code, program }) => end(program, code))
}

const thisProcess = (): HostProcess => {
  // LanceDB's own log: the errors of an index are reported by the memory.
  process.env["LANCEDB_LOG"] ??= "off"
  const around = environment()
  return {
    environment: around,
    stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    signals: (stop) => Signals.make(stop, (code) => process.exit(code)),
    terminal: (signals) => {
      const database = join(Home.dataDirectory(around), "bough.db")
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

const isVerbose = (given: ReadonlyArray<string>): boolean => {
  const separator = given.indexOf("--")
  return (separator === -1 ? given : given.slice(0, separator)).includes("--verbose")
}

/** What the streams still hold goes out first. */
const end = (program: Program, code: ExitCode): void => {
  process.exitCode = code
  const leave = (): never => process.exit(withLoss(program, code))
  const streams = [process.stdout, process.stderr].filter((stream) => stream.writableLength > 0 && !stream.destroyed)
  let left = streams.length
  if (left === 0) leave()
  for (const stream of streams) stream.write("", () => --left === 0 && leave())
}

/** An answer that did not arrive is a failure, whatever it was. */
const withLoss = (program: Program, code: ExitCode): ExitCode => {
  const lost = program.output.lost()
  if (lost === null || code !== exitCode.done) return code
  ErrorLine.print(program, failed(`cannot write the answer: ${SystemError.reason(lost)}`, "write it elsewhere", lost))
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
  const stop = error instanceof CliFailure ? error : unexpected(error)
  ErrorLine.print(program, stop)
  return stop.code
}

const environment = (): SettingsFile.HostEnvironment => ({
  variables: process.env,
  platform: process.platform,
  home: homedir(),
  currentDirectory: currentDirectory(),
  user: userName()
})

/** One that was removed is known by the shell's name for it: that nothing is there is said by whoever looks. */
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

// What configures, decides or looks back is loaded where it is asked for: every other start does without.
const config = Effect.promise(() => import("./commands/Config.ts"))
const approvals = Effect.promise(() => import("./commands/Approvals.ts"))
const policy = Effect.promise(() => import("./commands/Policy.ts"))
const policyCheck = Effect.promise(() => import("./commands/PolicyCheck.ts"))
const policyExplain = Effect.promise(() => import("./commands/PolicyExplain.ts"))
const policyTest = Effect.promise(() => import("./commands/PolicyTest.ts"))
const tree = Effect.promise(() => import("./commands/SessionTree.ts"))
const decide = Effect.promise(() => import("./commands/Decide.ts"))
const configEdit = Effect.promise(() => import("./commands/ConfigEdit.ts"))
const exportFiles = Effect.promise(() => import("./receipts/ExportFiles.ts"))
const skills = Effect.promise(() => import("./commands/Skills.ts"))
const verify = Effect.promise(() => import("./commands/Verify.ts"))
const replay = Effect.promise(() => import("./commands/Replay.ts"))
const calls = Effect.promise(() => import("./receipts/CallReports.ts"))

const memory = Effect.promise(() => import("./commands/Memory.ts"))
const embeddingModel = Effect.promise(() => import("./commands/EmbeddingModel.ts"))
const noteEdit = Effect.promise(() => import("./commands/NoteEdit.ts"))
const noteSave = Effect.promise(() => import("./commands/NoteSave.ts"))
const noteShow = Effect.promise(() => import("./commands/NoteShow.ts"))
const noteSummary = Effect.promise(() => import("./commands/NoteSummary.ts"))
const noteFolder = Effect.promise(() => import("./notes/NoteFolder.ts"))

const handlersOf = (program: Program): Handlers => ({
  begin: ({ cwd }) =>
    cwd === null ? Effect.void : Effect.asVoid(SettingsFile.workspaceRoot(program.environment, cwd)),
  converse: (common, options) => Converse.converse(program, common, options),
  run: (common, options) => Run.run(program, common, options),
  call: (common, options) => Call.call(program, common, options),
  listTools: (_, { format }) => Tools.list(program, format),
  showTool: (_, { format, name }) => Tools.show(program, name, format),
  toolSchemas: (_, { format, names }) => ToolSchemas.print(program, format, names),
  listSkills: (common, { format }) => Effect.flatMap(skills, ({ list }) => list(program, common, format)),
  showSkill: (common, options) => Effect.flatMap(skills, ({ show }) => show(program, common, options)),
  listSessions: (common, options) => Sessions.list(program, common, options),
  showSession: (_, { id }) => Sessions.show(program, id),
  forkSession: (_, { at, id }) => Sessions.fork(program, id, at),
  exportSession: (common, { id, to }) =>
    to === null
      ? Sessions.exportAll(program, id)
      : Effect.flatMap(exportFiles, ({ write }) => write(program, common, { id, to })),
  removeSession: (_, { id }) => Sessions.remove(program, id),
  listRules: (common, { format }) => Effect.flatMap(policy, ({ list }) => list(program, common, format)),
  revokeRule: (common, { id }) => Effect.flatMap(policy, ({ revoke }) => revoke(program, common, id)),
  checkRules: (common, options) => Effect.flatMap(policyCheck, ({ check }) => check(program, common, options)),
  testRules: (common, options) => Effect.flatMap(policyTest, ({ test }) => test(program, common, options)),
  explainRules: (common, options) => Effect.flatMap(policyExplain, ({ explain }) => explain(program, common, options)),
  showTree: (common, options) => Effect.flatMap(tree, ({ show }) => show(program, common, options)),
  listApprovals: (_, { format }) => Effect.flatMap(approvals, ({ list }) => list(program, format)),
  showApproval: (_, options) => Effect.flatMap(approvals, ({ show }) => show(program, options)),
  approve: (_, options) => Effect.flatMap(decide, ({ approve }) => approve(program, options)),
  deny: (_, options) => Effect.flatMap(decide, ({ deny }) => deny(program, options)),
  getConfig: (common, options) => Effect.flatMap(config, ({ get }) => get(program, common, options)),
  setConfig: (common, options) => Effect.flatMap(config, ({ set }) => set(program, common, options)),
  unsetConfig: (common, options) => Effect.flatMap(config, ({ unset }) => unset(program, common, options)),
  editConfig: (common, options) => Effect.flatMap(configEdit, ({ edit }) => edit(program, common, options)),
  configSchema: (_, options) => Effect.flatMap(config, ({ schema }) => schema(program, options)),
  configPath: (common, options) => Effect.flatMap(config, ({ path }) => path(program, common, options)),
  searchMemory: (common, options) => Effect.flatMap(memory, ({ search }) => search(program, common, options)),
  listMemory: (common, options) => Effect.flatMap(memory, ({ list }) => list(program, common, options)),
  summariseMemory: (common) => Effect.flatMap(noteSummary, ({ summary }) => summary(program, common)),
  showMemory: (common, options) => Effect.flatMap(noteShow, ({ showOne }) => showOne(program, common, options)),
  saveMemory: (common, options) => Effect.flatMap(noteSave, ({ save }) => save(program, common, options)),
  editMemory: (common, options) => Effect.flatMap(noteEdit, ({ edit }) => edit(program, common, options)),
  removeMemory: (common, options) => Effect.flatMap(memory, ({ remove }) => remove(program, common, options)),
  exportMemory: (common, options) => Effect.flatMap(noteFolder, ({ exportAll }) => exportAll(program, common, options)),
  importMemory: (common, options) => Effect.flatMap(noteFolder, ({ importAll }) => importAll(program, common, options)),
  showModel: (common) => Effect.flatMap(embeddingModel, ({ show }) => show(program, common)),
  installModel: (common, options) => Effect.flatMap(embeddingModel, ({ install }) => install(program, common, options)),
  reindexMemory: (common) => Effect.flatMap(memory, ({ reindex }) => reindex(program, common)),
  memoryStats: (common, options) => Effect.flatMap(memory, ({ stats }) => stats(program, common, options)),
  verify: (common, options) => Effect.flatMap(verify, ({ verify: run }) => run(program, common, options)),
  replay: (common, options) => Effect.flatMap(replay, ({ replay: run }) => run(program, common, options)),
  stats: (common, options) => Effect.flatMap(calls, ({ stats }) => stats(program, common, options)),
  log: (common, options) => Effect.flatMap(calls, ({ log }) => log(program, common, options)),
  doctor: (common, options) => Doctor.doctor(program, common, options)
})
