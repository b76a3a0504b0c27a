/** The checks of `doctor`. None of them contacts another machine. */
import * as Home from "@bough/host/config/Home"
import * as SettingsFile from "@bough/host/config/Settings"
import type { Settings } from "@bough/host/config/Settings"
import * as Timeouts from "@bough/host/config/Timeouts"
import type { HostFailure } from "@bough/host/HostFailure"
import * as IndexLibrary from "@bough/host/memory/IndexLibrary"
import * as ConfiguredRules from "@bough/host/rules/ConfiguredRules"
import * as KindTools from "@bough/host/session/KindTools"
import { NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { spawnSync } from "node:child_process"
import { accessSync, constants, existsSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Common } from "../command-line/flags/CommonFlags.ts"
import { toCliFailure } from "../Failures.ts"
import * as ClockText from "../format/ClockText.ts"
import { isTooOld, oldest } from "../OldestNode.ts"
import type { Program } from "../Program.ts"
import { type Check, pass, problem } from "./Check.ts"
import * as DiskCheck from "./DiskCheck.ts"
import * as EmbeddingCheck from "./EmbeddingCheck.ts"
import * as IndexCheck from "./IndexCheck.ts"
import * as LanguageServersCheck from "./LanguageServersCheck.ts"
import * as McpCheck from "./McpCheck.ts"
import * as ModelChecks from "./ModelChecks.ts"
import * as SearchCheck from "./SearchCheck.ts"
import * as TrustCheck from "./TrustCheck.ts"

/** `full`: reads the whole store, however large it is. */
export const all = Effect.fnUntraced(function* (program: Program, common: Common, full: boolean) {
  const dataDirectory = Home.dataDirectory(program.environment)
  const loaded = yield* Effect.result(
    SettingsFile.load(program.environment, { ...SettingsFile.noOverrides, cwd: common.cwd }, null)
  )
  const settings = Result.isSuccess(loaded) ? loaded.success : null
  const root = yield* Effect.option(SettingsFile.workspaceRoot(program.environment, common.cwd))
  return [
    node(),
    home(dataDirectory),
    DiskCheck.checkDisk(nearestParent(dataDirectory)),
    yield* database(program, dataDirectory, full),
    ...(yield* clock(program, dataDirectory)),
    yield* configuration(program, loaded),
    ...(Option.isNone(root) ? [] : [TrustCheck.checkTrust(root.value, dataDirectory)]),
    ...(settings === null
      ? []
      : [
          ...(yield* ModelChecks.all(program, settings)),
          ...(yield* noteChecks(program, settings)),
          yield* SearchCheck.checkSearch(program, settings),
          yield* sandbox(program, settings),
          McpCheck.checkMcp(program.name, settings),
          LanguageServersCheck.checkLanguageServers(program.name, settings)
        ]),
    yield* ripgrep,
    git()
  ]
})

const node = (): Check =>
  isTooOld(process.versions.node)
    ? problem("node", process.version, `use Node ${oldest} or newer`)
    : pass("node", process.version)

const home = (directory: string): Check => {
  const name = "home"
  if (!existsSync(directory)) {
    const parent = nearestParent(directory)
    return isWritable(parent) && statSync(parent).isDirectory()
      ? pass(name, `${directory} will be created at the first start`)
      : problem(name, `${directory} cannot be created in ${parent}`, "make it writable, or set BOUGH_HOME")
  }
  if (!statSync(directory).isDirectory()) return problem(name, `${directory} is not a directory`, "set BOUGH_HOME")
  if (!isWritable(directory))
    return problem(name, `${directory} is not writable`, "make it writable, or set BOUGH_HOME")
  const otherUsersMode = statSync(directory).mode & 0o077
  return otherUsersMode === 0 || process.platform === "win32"
    ? pass(name, `${directory}, private`)
    : problem(name, `${directory} is accessible to other users`, `chmod 700 ${directory}`)
}

const nearestParent = (path: string): string => (existsSync(path) ? path : nearestParent(dirname(path)))

const isWritable = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

const database = (program: Program, directory: string, full: boolean): Effect.Effect<Check> => {
  const name = "database"
  const path = join(directory, "bough.db")
  if (!existsSync(path)) {
    return Effect.succeed(
      existsSync(`${path}-wal`)
        ? problem(
            name,
            `${path} is missing, but its write-ahead log exists`,
            "stop the processes that use it, and restore it from a backup"
          )
        : pass(name, "none yet")
    )
  }
  return program.adapters.storeCheck({ directory, full }).pipe(
    Effect.map(({ problems, skipped }) => {
      if (problems.length > 0) return problem(name, problems.join("; "), "restore it from a backup")
      return pass(
        name,
        skipped === null ? "ok" : `no damage found in ${skipped}; "${program.name} doctor --full" reads all of it`
      )
    }),
    Effect.catch((error) => Effect.succeed(problem(name, error.message, error.hint)))
  )
}

/** Returns no checks if there is no store or it does not open: the check `database` reports that. */
const clock = (program: Program, directory: string): Effect.Effect<ReadonlyArray<Check>> => {
  if (!existsSync(join(directory, "bough.db"))) return Effect.succeed([])
  return program.adapters.storeTime.inspect({ directory }).pipe(
    Effect.map((deviation) => [ClockText.check(deviation, program.name)]),
    Effect.orElseSucceed(() => [])
  )
}

const configuration = Effect.fnUntraced(function* (program: Program, loaded: Result.Result<Settings, HostFailure>) {
  const name = "configuration"
  const fix = `${program.name} config edit`
  if (Result.isFailure(loaded)) {
    const { details, hint, message } = toCliFailure(loaded.failure)
    // The details of an invalid file contain all of its problems, one per line.
    const isFile = /\.jsonc:\d+: /u.test(message)
    const sentence = isFile ? [message, ...details.split("\n")].filter(Boolean).join("; ") : message
    return problem(name, sentence, isFile ? fix : hint)
  }
  const { timeouts } = loaded.success
  const registry = KindTools.ruledTools(program.packs)
  const named = yield* Effect.result(
    Effect.andThen(
      ConfiguredRules.configuredRules(loaded.success, registry),
      Timeouts.applyTimeouts(registry, timeouts)
    )
  )
  return Result.isFailure(named) ? problem(name, named.failure.message ?? "", fix) : pass(name, "valid")
})

interface NoteCounts {
  /** The notes of the user. */
  readonly own: number
  readonly all: number
}

/** Counts the notes; 0 if the store does not open, which the check `database` reports. */
const noteCounts = (
  { adapters }: Program,
  { dataDirectory, environment: { user } }: Settings
): Effect.Effect<NoteCounts> =>
  existsSync(join(dataDirectory, "bough.db"))
    ? Effect.flatMap(NoteStore.NoteStore, ({ users }) => users).pipe(
        Effect.map((found) => ({
          own: found.find((one) => one.user === user)?.notes ?? 0,
          all: found.reduce((sum, { notes }) => sum + notes, 0)
        })),
        Effect.provide(adapters.store(dataDirectory)),
        Effect.orElseSucceed(() => noNotes)
      )
    : Effect.succeed(noNotes)
const noNotes: NoteCounts = { own: 0, all: 0 }

/** Checks the model, and the index if the memory is large enough for one. */
const noteChecks = (program: Program, settings: Settings): Effect.Effect<ReadonlyArray<Check>> =>
  Effect.map(noteCounts(program, settings), ({ all: count, own }) => [
    EmbeddingCheck.checkEmbedding(program, settings, own),
    ...(count > IndexLibrary.worthAnIndex
      ? [IndexCheck.checkIndex(program.name, IndexCheck.factsOf(settings, count))]
      : [])
  ])

const sandbox = (program: Program, settings: Settings): Effect.Effect<Check> =>
  Effect.map(program.adapters.sandboxReport(settings), ({ available, backend, checks, hint, missing }) => {
    if (backend === "disabled") return pass("sandbox", "commands are switched off")
    if (backend === "host") return pass("sandbox", "none: commands run as you, and each needs an approval")
    return available
      ? pass("sandbox", `${backend}, ${checks.length} checks passed`)
      : problem("sandbox", `${backend} sandbox failed checks: ${missing.join(", ")}`, hint ?? "")
  })

const ripgrep: Effect.Effect<Check> = Effect.tryPromise(() => import("@vscode/ripgrep")).pipe(
  Effect.map(({ rgPath }) => versionOf("ripgrep", rgPath, "install the optional dependencies of @vscode/ripgrep")),
  Effect.catch(() =>
    Effect.succeed(
      problem(
        "ripgrep",
        "ripgrep is not installed for this platform",
        "install the optional dependencies of @vscode/ripgrep"
      )
    )
  )
)

const git = (): Check => versionOf("git", "git", "install git")

const versionOf = (name: string, path: string, fix: string): Check => {
  const { error, status, stdout } = spawnSync(path, ["--version"], { encoding: "utf8", timeout: 10_000 })
  return error === undefined && status === 0
    ? pass(name, stdout.split("\n")[0].trim())
    : problem(name, error?.message ?? `${path} ended with exit code ${status}`, fix)
}
