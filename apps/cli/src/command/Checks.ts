/** The checks of `doctor`. None of them asks anything of the network. */
import { spawnSync } from "node:child_process"
import { accessSync, constants, existsSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as SettingsFile from "../config/Settings.ts"
import type { Settings } from "../config/Settings.ts"
import * as Home from "../Home.ts"
import { isTooOld, oldest } from "../OldestNode.ts"
import type { Program } from "../Program.ts"
import type { Stop } from "../Stop.ts"
import type { Common } from "./Options.ts"

/** `mend` says what to do about a problem, "" where nothing can be said. */
export interface Check {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
  readonly mend: string
}

const fine = (name: string, detail: string): Check => ({ name, ok: true, detail, mend: "" })
const problem = (name: string, detail: string, mend: string): Check => ({ name, ok: false, detail, mend })

export const all = Effect.fnUntraced(function* (program: Program, common: Common) {
  const dataDirectory = Home.dataDirectory(program.surroundings)
  const loaded = yield* Effect.result(
    SettingsFile.load(program.surroundings, { ...SettingsFile.nothingGiven, cwd: common.cwd }, null)
  )
  const settings = Result.isSuccess(loaded) ? loaded.success : null
  return [
    node(),
    home(dataDirectory),
    yield* database(program, dataDirectory),
    configuration(loaded),
    ...(settings === null ? [] : [yield* model(program, settings), yield* sandbox(program, settings)]),
    yield* ripgrep,
    git()
  ]
})

const node = (): Check =>
  isTooOld(process.versions.node)
    ? problem("node", process.version, `use Node ${oldest} or newer`)
    : fine("node", process.version)

const home = (directory: string): Check => {
  const name = "home"
  if (!existsSync(directory)) {
    const parent = nearestParent(directory)
    return isWritable(parent)
      ? fine(name, `${directory} will be made at the first start`)
      : problem(name, `${directory} cannot be made in ${parent}`, "make it writable, or set BOUGH_HOME")
  }
  if (!statSync(directory).isDirectory()) return problem(name, `${directory} is no directory`, "set BOUGH_HOME")
  if (!isWritable(directory)) return problem(name, `${directory} is not writable`, "make it so, or set BOUGH_HOME")
  const others = statSync(directory).mode & 0o077
  return others === 0 || process.platform === "win32"
    ? fine(name, `${directory}, private`)
    : problem(name, `${directory} is open to others`, `chmod 700 ${directory}`)
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

const database = (program: Program, directory: string): Effect.Effect<Check> => {
  const name = "database"
  if (!existsSync(join(directory, "bough.db"))) return Effect.succeed(fine(name, "none yet"))
  return program.adapters.storeProblems(directory).pipe(
    Effect.map((problems) =>
      problems.length === 0 ? fine(name, "whole") : problem(name, problems.join("; "), "restore it from a backup")
    ),
    Effect.catch((error) => Effect.succeed(problem(name, error.message, error.hint)))
  )
}

const configuration = (loaded: Result.Result<Settings, Stop>): Check => {
  const name = "configuration"
  if (Result.isFailure(loaded)) return problem(name, loaded.failure.message ?? "", loaded.failure.hint)
  const { notices } = loaded.success
  return fine(name, notices.length === 0 ? "valid" : `valid; ${notices.join("; ")}`)
}

const model = (program: Program, settings: Settings): Effect.Effect<Check> =>
  program.adapters.model(settings).pipe(
    Effect.map(({ name, reason }) => fine("model", `${name}: ${reason}`)),
    Effect.catch((error) => Effect.succeed(problem("model", error.message, error.hint)))
  )

const sandbox = (program: Program, settings: Settings): Effect.Effect<Check> =>
  Effect.map(program.adapters.sandboxReport(settings), ({ available, backend, checks, hint, missing }) => {
    if (backend === "disabled") return fine("sandbox", "commands are switched off")
    if (backend === "host") return fine("sandbox", "none: commands run as you, and each is asked about")
    return available
      ? fine("sandbox", `${backend}, ${checks.length} properties tried`)
      : problem("sandbox", `${backend} is not whole: ${missing.join(", ")}`, hint ?? "")
  })

const ripgrep: Effect.Effect<Check> = Effect.tryPromise(() => import("@vscode/ripgrep")).pipe(
  Effect.map(({ rgPath }) => versionOf("ripgrep", rgPath, "install the optional dependencies of @vscode/ripgrep")),
  Effect.catch(() =>
    Effect.succeed(
      problem(
        "ripgrep",
        "it is not installed for this platform",
        "install the optional dependencies of @vscode/ripgrep"
      )
    )
  )
)

const git = (): Check => versionOf("git", "git", "install git")

const versionOf = (name: string, path: string, mend: string): Check => {
  const { error, status, stdout } = spawnSync(path, ["--version"], { encoding: "utf8", timeout: 10_000 })
  return error === undefined && status === 0
    ? fine(name, stdout.split("\n")[0].trim())
    : problem(name, error?.message ?? `it ended with exit code ${status}`, mend)
}
