/**
 * Commands as a newcomer types them: an empty home, no variables except those for the network, the machine's own Node.
 */
import { type SpawnSyncReturns, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"

export const repository = fileURLToPath(new URL("../..", import.meta.url))

/** The line in the README. */
export const pnpm = ["npx", "-y", "pnpm@12.21.0"] as const

export interface Machine {
  /** Removed with the machine. */
  readonly folder: string
  readonly path: string
}

// A package registry or proxy that this machine needs belongs to no home.
const network =
  /^(https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_(file|dir)|npm_config_(registry|cafile|.*proxy))$/i

const systemPath = (process.env["PATH"] ?? "")
  .split(delimiter)
  .filter((entry) => !entry.includes("node_modules"))
  .join(delimiter)

export const environment = ({ folder, path }: Machine): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => network.test(name))),
  HOME: join(folder, "home"),
  // The cache starts empty with the machine: each package is requested from the registry once.
  npm_config_prefer_offline: "true",
  PATH: path
})

/** Gives `use` a machine of its own and removes it afterwards, with everything in it. */
export const withMachine = async (use: (machine: Machine) => void | Promise<void>): Promise<void> => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "bough-machine-")))
  try {
    mkdirSync(join(folder, "home"))
    await use({ folder, path: systemPath })
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

export interface Run {
  readonly cwd: string
  readonly stdin?: string
  /** The expected exit code; default 0. */
  readonly exits?: number
}

/** Ends a command that hangs: a busy machine may take ten times as long as a quiet one. */
const longestMillis = 3_600_000

const run = (machine: Machine, command: ReadonlyArray<string>, { cwd, stdin = "" }: Run): SpawnSyncReturns<string> =>
  spawnSync(command[0] ?? "true", command.slice(1), {
    cwd,
    env: environment(machine),
    input: stdin,
    encoding: "utf8",
    timeout: longestMillis,
    killSignal: "SIGKILL",
    maxBuffer: 256 * 1024 * 1024
  })

/** Standard output of a run that must end as `exits` says; the error shows both streams. */
export const ends = (machine: Machine, command: ReadonlyArray<string>, options: Run): string => {
  const ended = run(machine, command, options)
  if (ended.status === (options.exits ?? 0)) return ended.stdout
  const how = ended.error?.message ?? `exit ${ended.status ?? ended.signal}`
  throw new Error(`${command.join(" ")}: ${how}\n${ended.stdout}\n${ended.stderr}`)
}

/** Standard output of a run with any exit code. */
export const outputOf = (machine: Machine, command: ReadonlyArray<string>, options: Run): string => {
  const ended = run(machine, command, options)
  if (ended.error !== undefined || ended.status === null)
    throw new Error(`${command.join(" ")}: ${ended.error?.message}`)
  return ended.stdout
}

/** A clone of the commits, without history that a newcomer would not have. */
export const clone = (machine: Machine, name: string): string => {
  const folder = join(machine.folder, name)
  const ended = spawnSync("git", ["clone", "--quiet", "--no-hardlinks", repository, folder], { encoding: "utf8" })
  if (ended.status !== 0) throw new Error(`git clone: ${ended.stderr}`)
  return folder
}
