/** The parts of this machine that a sandbox is built from, found once. */
import * as Effect from "effect/Effect"
import type { HostVariables } from "./Environment.ts"
import * as Arguments from "./internal/Arguments.ts"
import { attend } from "./internal/Supervise.ts"
import { kill, start } from "./internal/ChildProcess.ts"
import * as Disk from "./internal/Disk.ts"
import type { Limits } from "./Limits.ts"
import * as GitSettings from "./GitSettings.ts"

/** The facts from which the arguments of `bwrap` are made. */
export interface Machine {
  /** Absolute path of `bwrap`. */
  readonly program: string
  /** True if bubblewrap knows `--disable-userns` (0.8); the system call filter refuses nested user namespaces too. */
  readonly disablesNamespaces: boolean
  /** True if bubblewrap knows `--size` (0.7); otherwise temporary files have the kernel's own bound. */
  readonly sizesTemporary: boolean
  /**
   * True if bubblewrap knows `--perms` (0.5); otherwise no program of our own can be shown, and commands have no
   * proxy.
   */
  readonly setsModes: boolean
  /** Top-level entries of the root: a link and its target, or a directory to show (`target` null). */
  readonly root: ReadonlyArray<{ readonly path: string; readonly target: string | null }>
  /** The file of the time zone below /usr; null: UTC. */
  readonly timeZone: string | null
  /** The shell that runs commands. */
  readonly shell: string
  /** The part of the operator's own git settings that commands get. */
  readonly gitSettings: GitSettings.GitSettings
  /** The operator's limits, lowered to what this process itself may have. */
  readonly limits: Limits
}

const rootNames = ["usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32", "nix/store", "gnu/store"]
const programs = ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap", "/run/current-system/sw/bin/bwrap"]

/** `program` null: looked for at the usual places, never on PATH, which a workspace may be part of. Null: no `bwrap`. */
export const find = Effect.fnUntraced(function* (program: string | null, limits: Limits, host: HostVariables) {
  const [bwrap = null] = yield* Effect.filter(program === null ? programs : [program], Disk.isExecutable)
  if (bwrap === null) return null
  const entries = yield* Effect.forEach(rootNames, (name) => rootEntry(`/${name}`), { concurrency: "unbounded" })
  const own = yield* Disk.text("/proc/self/limits")
  const help = yield* helpOf(bwrap)
  const gitSettings = yield* GitSettings.find(host)
  const timeZone = yield* Disk.withoutLinks("/etc/localtime")
  const machine: Machine = {
    program: bwrap,
    disablesNamespaces: help.includes("--disable-userns"),
    sizesTemporary: help.includes("--size"),
    setsModes: help.includes("--perms"),
    root: entries.flat(),
    timeZone: timeZone?.startsWith("/usr/") ? timeZone : null,
    gitSettings,
    shell: yield* Arguments.shell,
    limits: lowered(limits, own ?? "")
  }
  return machine
})

const helpOf = (program: string): Effect.Effect<string> =>
  attend(start({ program, args: ["--help"], cwd: "/", env: {} }), {
    maxOutputBytes: 65_536,
    kill: ({ pid }) => kill(-pid),
    timeoutMillis: 5000
  }).pipe(
    Effect.map(({ stdout }) => stdout),
    Effect.orElseSucceed(() => "")
  )

const rootEntry = Effect.fnUntraced(function* (path: string) {
  const found = yield* Disk.entry(path)
  if (found === null) return []
  return [{ path, target: found.isSymbolicLink() ? yield* Disk.linkTarget(path) : null }]
})

const rows: ReadonlyArray<readonly [keyof Limits, RegExp]> = [
  ["dataBytes", /^Max data size\s+\S+\s+(\d+)/m],
  ["processes", /^Max processes\s+\S+\s+(\d+)/m],
  ["fileBytes", /^Max file size\s+\S+\s+(\d+)/m],
  ["cpuSeconds", /^Max cpu time\s+\S+\s+(\d+)/m],
  ["openFiles", /^Max open files\s+\S+\s+(\d+)/m]
]

// A limit above the hard one of this process could not be set, and no command would run.
const lowered = (limits: Limits, own: string): Limits => {
  const result: { -readonly [K in keyof Limits]: Limits[K] } = { ...limits }
  for (const [name, pattern] of rows) {
    const hard = pattern.exec(own)?.[1]
    const most = name === "cpuSeconds" ? Number(hard) - 1 : Number(hard)
    if (hard !== undefined && result[name] !== null) result[name] = Math.max(0, Math.min(result[name], most))
  }
  return result
}
