/** Runs ripgrep, which lists files and the positions of matches; the shown text is read separately. */
import { ToolError } from "@bough/protocol"
import { ProcessRunner } from "@bough/tool"
import * as Effect from "effect/Effect"
import { Buffer } from "node:buffer"
import { pathOf, relative, segmentsOf } from "./pathText.ts"
import type { Root } from "./root.ts"

export interface Ripgrep {
  readonly runner: ProcessRunner.ProcessRunner["Service"]
  readonly program: Effect.Effect<string, ToolError.ToolError>
  readonly root: Root
}

export interface Output {
  readonly bytes: Buffer
  readonly stderr: string
  readonly exitCode: number | null
  readonly truncated: boolean
}

/** The program from the package `@vscode/ripgrep`, located when it is first needed. */
export const bundled: Effect.Effect<string, ToolError.ToolError> = Effect.tryPromise({
  try: () => import("@vscode/ripgrep"),
  catch: (cause) =>
    new ToolError.ExecutionError({
      message: `ripgrep is not available for this platform: ${String(cause)}`,
      hint: "install the optional dependencies of @vscode/ripgrep"
    })
}).pipe(Effect.map(({ rgPath }) => rgPath))

// The common flags: no configuration file, no ignore rules of the user, links never followed.
const always = ["--no-config", "--no-require-git", "--no-ignore-global", "--no-follow", "--glob=!.git"]

/** Makes the order of results constant, for which ripgrep uses a single thread. */
export const sorted = "--sort=path"

const maxOutputBytes = 16 * 1024 ** 2

export interface Run {
  readonly flags: ReadonlyArray<string>
  /** The names of the directory or file below the base of relative paths, without links. */
  readonly segments: ReadonlyArray<string>
  /** Called with each piece of the output as it arrives. */
  readonly onOutput?: (piece: Uint8Array) => void
}

/** Runs ripgrep in the base directory of relative paths. Files and directories that may not be read are skipped. */
export const run = (
  { program, root, runner }: Ripgrep,
  { flags, onOutput, segments }: Run
): Effect.Effect<Output, ToolError.ToolError> =>
  program.pipe(
    Effect.flatMap((found) =>
      runner.run({
        program: found,
        args: [...always, ...flags, "--", argument(root, segments)],
        cwd: [root.path, ...root.start].join("/"),
        env: {},
        maxOutputBytes,
        startsNoProcess: true,
        ...(onOutput === undefined ? {} : { onOutput })
      })
    ),
    Effect.map(({ exitCode, stderr, stdout, truncated }) => ({
      bytes: Buffer.from(stdout.buffer, stdout.byteOffset, stdout.byteLength),
      stderr,
      exitCode,
      truncated
    })),
    Effect.catchTag("SpawnFailed", ({ message }) =>
      Effect.fail(new ToolError.ExecutionError({ message: `ripgrep could not be started: ${message}` }))
    ),
    Effect.filterOrFail(
      ({ exitCode, truncated }) => exitCode !== null || truncated,
      () => new ToolError.ExecutionError({ message: "another process ended ripgrep before it had finished" })
    )
  )

/** Formats a path as an argument that ripgrep cannot interpret as a flag. */
const argument = (root: Root, segments: ReadonlyArray<string>): string => {
  const place = relative(root.start, segments)
  // Given a path below "./.", ripgrep does not find the ignore rules of parent directories.
  return place === "." ? "./" : place.startsWith("../") || place === ".." ? place : `./${place}`
}

/** Returns the path of a result, relative to the directory in which ripgrep ran. */
export const resultPath = (text: string): string => text.replace(/^(?:\.\/)+/, "")

/** Lists the files below a path, sorted. */
export const files = (
  ripgrep: Ripgrep,
  segments: ReadonlyArray<string>,
  flags: ReadonlyArray<string>
): Effect.Effect<{ readonly paths: ReadonlyArray<string>; readonly truncated: boolean }, ToolError.ToolError> =>
  run(ripgrep, { flags: [sorted, "--files", "--null", ...flags], segments }).pipe(
    Effect.map(({ bytes, truncated }) => ({
      // The text after the last NUL is a truncated name.
      paths: bytes
        .toString("utf8")
        .split("\0")
        .slice(0, -1)
        .map((found) => pathOf(ripgrep.root, segmentsOf(ripgrep.root, resultPath(found)))),
      truncated
    }))
  )
