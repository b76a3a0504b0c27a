/** The parts of this machine that a sandbox is built from, found once. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { existsSync, statSync } from "node:fs"
import type { HostVariables } from "./Environment.ts"
import * as GitSettings from "./GitSettings.ts"
import * as Arguments from "./internal/Arguments.ts"
import { kill, start } from "./internal/ChildProcess.ts"
import * as Disk from "./internal/Disk.ts"
import { attend } from "./internal/Supervise.ts"
import type { Limits } from "./Limits.ts"

/** The options of interest that a bubblewrap knows. */
export interface KnownOptions {
  /** Identifies the program's file; null: it cannot be determined. */
  readonly file: string | null
  readonly options: ReadonlyArray<string>
}

const optionsOfInterest = ["--disable-userns", "--size", "--perms"]

/** The facts from which the arguments of `bwrap` are made. */
export interface Machine {
  /** The absolute path of `bwrap`. */
  readonly program: string
  readonly known: KnownOptions
  /** True if bubblewrap knows `--disable-userns` (0.8); the system call filter refuses nested user namespaces too. */
  readonly disablesNamespaces: boolean
  /** True if bubblewrap knows `--size` (0.7); otherwise temporary files have the kernel's own bound. */
  readonly sizesTemporary: boolean
  /**
   * True if bubblewrap knows `--perms` (0.5); otherwise none of Bough's programs can be mounted, and commands have no
   * proxy.
   */
  readonly setsModes: boolean
  /** Top-level entries of the root: a link and its target, or a directory to show (`target` null). */
  readonly root: ReadonlyArray<{ readonly path: string; readonly target: string | null }>
  /** Files of /proc that describe keys of users or the kernel's memory; commands cannot read them. */
  readonly kernelFiles: ReadonlyArray<string>
  /** The file of the time zone below /usr; null: UTC. */
  readonly timeZone: string | null
  /** The shell that runs commands. */
  readonly shell: string
  /** The operator's git settings that commands get. */
  readonly gitSettings: GitSettings.GitSettings
  /** The operator's limits, lowered to the limits of this process itself. */
  readonly limits: Limits
}

const keyFiles = ["keys", "key-users"]
/** Only root reads these files, and a command in a workspace of root counts as root. */
const rootFiles = "kmsg kpagecgroup kpagecount kpageflags pagetypeinfo slabinfo timer_list vmallocinfo".split(" ")

const rootNames = ["usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32", "nix/store", "gnu/store"]
const programs = ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap", "/run/current-system/sw/bin/bwrap"]

/** Identifies a program's file until it is replaced or written. */
export const fileOf = (program: string): string => {
  const { ctimeNs, dev, ino, mtimeNs, size } = statSync(program, { bigint: true })
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`
}

/**
 * `program` null: it is looked for at the usual places, and never on PATH, which may contain a workspace. `before`:
 * options that were detected earlier, possibly for another program. Returns null if there is no `bwrap`.
 */
export const find = Effect.fnUntraced(function* (
  program: string | null,
  limits: Limits,
  { before, host }: { readonly host: HostVariables; readonly before: KnownOptions | null }
) {
  const [bwrap = null] = yield* Effect.filter(program === null ? programs : [program], Disk.isExecutable)
  if (bwrap === null) return null
  const found = yield* Effect.all(
    {
      entries: Effect.forEach(rootNames, (name) => rootEntry(`/${name}`), { concurrency: "unbounded" }),
      own: Disk.textAtOnce("/proc/self/limits"),
      known: knownOf(bwrap, before),
      gitSettings: GitSettings.find(host),
      timeZone: Disk.withoutLinks("/etc/localtime"),
      shell: Arguments.shell
    },
    { concurrency: "unbounded" }
  )
  const { entries, gitSettings, known, own, shell, timeZone } = found
  const machine: Machine = {
    program: bwrap,
    known,
    disablesNamespaces: known.options.includes("--disable-userns"),
    sizesTemporary: known.options.includes("--size"),
    setsModes: known.options.includes("--perms"),
    root: entries.flat(),
    kernelFiles: [...keyFiles, ...(process.getuid?.() === 0 ? rootFiles : [])]
      .map((name) => `/proc/${name}`)
      .filter((path) => existsSync(path)),
    timeZone: timeZone?.startsWith("/usr/") ? timeZone : null,
    gitSettings,
    shell,
    limits: lowerLimits(limits, own ?? "")
  }
  return machine
})

const knownOf = (program: string, before: KnownOptions | null): Effect.Effect<KnownOptions> =>
  Effect.suspend(() => {
    const file = Result.getOrNull(Result.try(() => fileOf(program)))
    if (before !== null && before.file === file) return Effect.succeed(before)
    return attend(start({ program, args: ["--help"], cwd: "/", env: {} }), {
      maxOutputBytes: 65_536,
      kill: ({ pid }) => kill(-pid),
      timeoutMillis: 5000
    }).pipe(
      Effect.map(({ stdout }): KnownOptions => ({
        file,
        options: optionsOfInterest.filter((option) => stdout.includes(option))
      })),
      Effect.orElseSucceed((): KnownOptions => ({ file, options: [] }))
    )
  })

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

/**
 * Lowers the limits to the hard limits in `procLimits`, the text of /proc/self/limits: a higher one could not be set,
 * and no command would run. The hard limit of processor time is one second above the soft one.
 */
export const lowerLimits = (limits: Limits, procLimits: string): Limits => {
  const result: { -readonly [K in keyof Limits]: Limits[K] } = { ...limits }
  for (const [name, pattern] of rows) {
    const hard = pattern.exec(procLimits)?.[1]
    const hardLimit = name === "cpuSeconds" ? Number(hard) - 1 : Number(hard)
    if (hard !== undefined && result[name] !== null) result[name] = Math.max(0, Math.min(result[name], hardLimit))
  }
  return result
}
