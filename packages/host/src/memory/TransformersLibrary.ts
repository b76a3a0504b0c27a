/**
 * Finds or installs transformers.js, which runs embedding models and is not a dependency of this package. It is looked
 * for beside the program or in the data directory. npm installs it there as one package, without running its install
 * scripts.
 */
import { Directory } from "@bough/disk"
import * as TransformersModel from "@bough/memory/TransformersModel"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { HostEnvironment } from "../config/Settings.ts"
import { failed, type HostFailure } from "../HostFailure.ts"

export const packageName = "@huggingface/transformers"
/** The range of versions that `@bough/memory` accepts. */
export const range = "^4.3.1"

const folderIn = (dataDirectory: string): string => join(dataDirectory, "packages")

/** The path of the module that exports the library of the data directory. */
export const entryIn = (dataDirectory: string): string => join(folderIn(dataDirectory), "transformers.mjs")

export const isInstalled = (dataDirectory: string): boolean =>
  existsSync(entryIn(dataDirectory)) || TransformersModel.isInstalled()

/** Installs the library into a new folder, and renames the folder when it is complete. */
export const install = (dataDirectory: string, environment: NpmEnvironment): Effect.Effect<void, HostFailure> => {
  const building = join(dataDirectory, `.packages-${randomUUID()}`)
  return Effect.sync(() => {
    Directory.make(building)
    writeFileSync(join(building, "package.json"), `${JSON.stringify({ private: true })}\n`)
  }).pipe(
    Effect.andThen(npm(["install", ...quiet, `${packageName}@${range}`], building, environment)),
    Effect.andThen(
      Effect.sync(() => {
        writeFileSync(entryIn(dataDirectory).replace(folderIn(dataDirectory), building), entry)
        rmSync(folderIn(dataDirectory), { recursive: true, force: true })
        renameSync(building, folderIn(dataDirectory))
      })
    ),
    Effect.ensuring(Effect.sync(() => rmSync(building, { recursive: true, force: true })))
  )
}

/** npm reads its settings from the variables. */
type NpmEnvironment = Pick<HostEnvironment, "platform" | "variables">

const quiet = [
  "--ignore-scripts",
  "--no-audit",
  "--no-fund",
  "--no-progress",
  "--no-update-notifier",
  "--omit=dev",
  "--loglevel=error"
]
const entry = `export * from "${packageName}"\n`

/** Runs npm to its end; an interruption ends it. */
const npm = (
  words: ReadonlyArray<string>,
  cwd: string,
  { platform, variables }: NpmEnvironment
): Effect.Effect<void, HostFailure> =>
  Effect.callback<void, HostFailure>((resume) => {
    // On Windows npm is a batch file, which needs a shell; all words are constants.
    const child = spawn("npm", words, {
      cwd,
      env: variables,
      stdio: ["ignore", "ignore", "pipe"],
      shell: platform === "win32"
    })
    let said = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-longestSaid)
    })
    child.on("error", (error) => resume(Effect.fail(notFound(error))))
    child.on("close", (code) => resume(code === 0 ? Effect.void : Effect.fail(failureOf(said, code))))
    return Effect.sync(() => void child.kill())
  })

const longestSaid = 16_000

const notFound = (error: Error): HostFailure =>
  failed(
    `npm cannot be started: ${error.message}`,
    `install npm, or install ${packageName} beside bough by hand`,
    error
  )

const unreachable = /\b(ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ENOTCACHED)\b/u

const failureOf = (said: string, code: number | null): HostFailure => {
  const [, reason] = unreachable.exec(said) ?? []
  if (reason !== undefined) {
    return failed(
      `${packageName} was not installed: npm cannot reach its registry (${reason})`,
      "try again with a network connection; until then notes are compared as before",
      said
    )
  }
  const lines = said
    .split("\n")
    .flatMap((line) => /^npm (?:error|ERR!) (?!code )(?:[a-z0-9]+ (?=[A-Z]))?(.+)$/u.exec(line.trim())?.[1] ?? [])
  return failed(
    `${packageName} was not installed: ${lines[0] ?? `npm ended with exit code ${code}`}`,
    "--verbose shows the output of npm",
    said
  )
}
