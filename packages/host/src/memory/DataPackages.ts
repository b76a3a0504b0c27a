/**
 * Installs packages of npm into a folder of the data directory, for features that most users do not need. The packages'
 * install scripts are not run.
 */
import { Directory } from "@bough/disk"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { HostEnvironment } from "../config/Settings.ts"
import { failed, type HostFailure } from "../HostFailure.ts"

export interface DataPackages {
  /** The package whose name the user sees. */
  readonly name: string
  /** The packages to install, as npm expects them: `name@range`. */
  readonly wanted: ReadonlyArray<string>
  /** True: the packages' own optional dependencies are left out. */
  readonly omitsOptional: boolean
  /** The folder in the data directory. */
  readonly folder: string
  /** The file in that folder that exports the packages, and its text. */
  readonly entry: readonly [file: string, text: string]
  /** The hint if the registry cannot be reached. */
  readonly offlineHint: string
}

/** npm reads its settings from the variables. */
export type NpmEnvironment = Pick<HostEnvironment, "platform" | "variables">

export const entryIn = (dataDirectory: string, { entry: [file], folder }: DataPackages): string =>
  join(dataDirectory, folder, file)

/** Installs the packages into a new folder, and renames the folder when it is complete. */
export const install = (
  dataDirectory: string,
  environment: NpmEnvironment,
  packages: DataPackages
): Effect.Effect<void, HostFailure> => {
  const { entry, folder, omitsOptional, wanted } = packages
  const building = join(dataDirectory, `.${folder}-${randomUUID()}`)
  const omitted = omitsOptional ? ["--omit=optional"] : []
  return Effect.sync(() => {
    Directory.make(building)
    writeFileSync(join(building, "package.json"), `${JSON.stringify({ private: true })}\n`)
  }).pipe(
    Effect.andThen(npm({ words: ["install", ...quiet, ...omitted, ...wanted], cwd: building }, environment, packages)),
    Effect.andThen(
      Effect.sync(() => {
        const [file, text] = entry
        writeFileSync(join(building, file), text)
        rmSync(join(dataDirectory, folder), { recursive: true, force: true })
        renameSync(building, join(dataDirectory, folder))
      })
    ),
    Effect.ensuring(Effect.sync(() => rmSync(building, { recursive: true, force: true })))
  )
}

const quiet = [
  "--ignore-scripts",
  "--no-audit",
  "--no-fund",
  "--no-progress",
  "--no-update-notifier",
  "--omit=dev",
  "--loglevel=error"
]

/** Runs npm to its end; an interruption ends it. */
const npm = (
  { cwd, words }: { readonly words: ReadonlyArray<string>; readonly cwd: string },
  { platform, variables }: NpmEnvironment,
  packages: DataPackages
): Effect.Effect<void, HostFailure> =>
  Effect.callback<void, HostFailure>((resume) => {
    // On Windows npm is a batch file, which needs a shell; all words are constants.
    const child = spawn("npm", words, {
      cwd,
      env: variables,
      stdio: ["ignore", "ignore", "pipe"],
      shell: platform === "win32"
    })
    let errorOutput = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errorOutput = (errorOutput + text).slice(-maxMessageLength)
    })
    child.on("error", (error) => resume(Effect.fail(notFound(error, packages))))
    child.on("close", (code) => resume(code === 0 ? Effect.void : Effect.fail(failureOf(errorOutput, code, packages))))
    return Effect.sync(() => void child.kill())
  })

const maxMessageLength = 16_000

const notFound = (error: Error, { name }: DataPackages): HostFailure =>
  failed(`npm cannot be started: ${error.message}`, `install npm, or install ${name} beside bough by hand`, error)

const unreachable = /\b(ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ENOTCACHED)\b/u

const failureOf = (errorOutput: string, code: number | null, { name, offlineHint }: DataPackages): HostFailure => {
  const [, reason] = unreachable.exec(errorOutput) ?? []
  if (reason !== undefined)
    return failed(`${name} was not installed: npm cannot reach its registry (${reason})`, offlineHint, errorOutput)
  const lines = errorOutput
    .split("\n")
    .flatMap((line) => /^npm (?:error|ERR!) (?!code )(?:[a-z0-9]+ (?=[A-Z]))?(.+)$/u.exec(line.trim())?.[1] ?? [])
  return failed(
    `${name} was not installed: ${lines[0] ?? `npm ended with exit code ${code}`}`,
    "--verbose shows the output of npm",
    errorOutput
  )
}
