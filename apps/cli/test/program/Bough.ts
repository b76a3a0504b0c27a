/**
 * The built `bough` as a child process with a home, a workspace and a configuration of its own, and no other
 * environment.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** The bundle that `build` makes. */
export const binary = fileURLToPath(new URL("../../dist/bough.js", import.meta.url))

if (!existsSync(binary)) throw new Error(`${binary} is not built: run the build first`)

export interface TestFolder {
  readonly root: string
  readonly home: string
  readonly data: string
  readonly config: string
  readonly workspace: string
  readonly env: Readonly<Record<string, string>>
}

const { NODE_COMPILE_CACHE: compileCache } = process.env
/** Otherwise each place would start with an empty cache of its own. */
const compiled: Readonly<Record<string, string>> =
  compileCache === undefined ? {} : { NODE_COMPILE_CACHE: compileCache }

/** Empty, on a disk, and removed when `use` ends. */
export const withTestFolder = async <A>(use: (place: TestFolder) => Promise<A>): Promise<A> => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "bough-cli-")))
  const home = join(root, "home")
  const workspace = join(root, "workspace")
  mkdirSync(home)
  mkdirSync(workspace)
  const place = {
    root,
    home,
    workspace,
    data: join(home, ".local/share/bough"),
    config: join(home, ".config/bough/config.jsonc"),
    // Most tests need an approval for the deletion of a file, which an undo could restore.
    env: { PATH: process.env["PATH"] ?? "", HOME: home, LANG: "C.UTF-8", BOUGH_UNDO: "off", ...compiled }
  }
  try {
    return await use(place)
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Writes a file below the workspace, with its parents. */
export const put = (place: TestFolder, path: string, text: string): string => {
  const file = join(place.workspace, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

export const configure = (place: TestFolder, text: string): void => {
  mkdirSync(dirname(place.config), { recursive: true })
  writeFileSync(place.config, text)
}

export interface Options {
  readonly stdin?: string
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

export interface Ended {
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

export interface Started {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** The output so far. */
  readonly stdout: () => string
  readonly stderr: () => string
}

/** Stdin stays open unless text for it is given. */
export const start = (place: TestFolder, args: ReadonlyArray<string>, options: Options = {}): Started => {
  const child = spawn(process.execPath, [binary, ...args], {
    cwd: options.cwd ?? place.workspace,
    env: { ...place.env, ...options.env },
    stdio: ["pipe", "pipe", "pipe"]
  })
  let stdout = ""
  let stderr = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text
  })
  child.stdin.on("error", () => {})
  if (options.stdin !== undefined) child.stdin.end(options.stdin)
  const ended = new Promise<Ended>((resolve) => {
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
  return { child, ended, stdout: () => stdout, stderr: () => stderr }
}

/** Runs to the end; stdin is empty unless given. */
export const bough = (place: TestFolder, args: ReadonlyArray<string>, options: Options = {}): Promise<Ended> =>
  start(place, args, { stdin: "", ...options }).ended

/** Waits until `condition` is true; otherwise the time limit of the test ends it. */
export const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10))
}

export const lines = (text: string): ReadonlyArray<string> => text.split("\n").filter((line) => line !== "")
