/** The composition root: the arguments and the environment of the process. */
import { HomeDirectory } from "@bough/disk"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as CliError from "effect/cli/CliError"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import { join } from "node:path"
import * as Commands from "./commands/Commands.ts"

const dataDirectory = (): string =>
  process.env["BOUGH_GATEWAY_DATA"] ?? join(HomeDirectory.find(), ".local", "share", "bough-gateway")

const printError = (error: unknown): void => {
  process.exitCode = 1
  // The usage and its errors are printed already.
  if (CliError.isCliError(error)) return
  process.stderr.write(`bough-gateway: ${error instanceof Error ? error.message : String(error)}\n`)
}

/** The exit code of a process that SIGTERM ended, as shells report it. */
const terminated = 143

/** Exits as `NodeRuntime` does, but does not report SIGINT for a process that SIGTERM interrupted. */
const exitCodeBySignal = (): Runtime.Teardown => {
  let isTerminated = false
  process.once("SIGTERM", () => (isTerminated = true))
  return (exit, onExit) =>
    Runtime.defaultTeardown(exit, (code) => onExit(code === 130 && isTerminated ? terminated : code))
}

/** Runs the arguments of this process. */
export const main = (): void => {
  // Silences LanceDB's own log: the memory reports the errors of an index.
  process.env["LANCEDB_LOG"] ??= "off"
  const run = Commands.run({
    dataDirectory: dataDirectory(),
    // The server's modules are only loaded to serve.
    serve: (options) =>
      Effect.flatMap(
        Effect.promise(() => import("./commands/Start.ts")),
        (Start) =>
          Start.start({
            ...options,
            environment: { variables: process.env, platform: process.platform },
            writeLog: (line) => void process.stderr.write(`${line}\n`),
            print: (line) => void process.stdout.write(`${line}\n`)
          })
      )
  })
  run(process.argv.slice(2)).pipe(
    Effect.catch((error) => Effect.sync(() => printError(error))),
    Effect.provide(NodeServices.layer),
    NodeRuntime.runMain({ teardown: exitCodeBySignal() })
  )
}
