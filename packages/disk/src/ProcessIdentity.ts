/**
 * Identity of a process beyond its number: the boot of the machine, the namespaces and the start time for which the
 * number is valid. It can prove that a process has ended only if the number can be looked up:
 * adr/0041-leases-with-a-deadline.md.
 */
import * as Effect from "effect/Effect"
import { execFile } from "node:child_process"
import { readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"
import * as SystemError from "./SystemError.ts"

export interface ProcessIdentity {
  readonly pid: number
  /** The start time in the platform's own format, opaque; "" if the platform does not report it. */
  readonly start: string
  /** One boot of one kernel, opaque; "" if the platform does not report it. */
  readonly boot: string
  /** The PID and time namespaces in which `pid` and `start` are valid, opaque; "" if the platform has none. */
  readonly namespace: string
  /** An opaque id of the operating system's installation; "" if there is none, as in many containers. */
  readonly machine: string
  /** The host's name, also for messages. */
  readonly host: string
}

/** `Unknown`: the process cannot be looked up from here, and may be alive. */
export type Life = "Alive" | "Dead" | "Unknown"

const isLinux = process.platform === "linux"

const orEmpty = (body: () => string): string => Effect.runSync(Effect.orElseSucceed(Effect.try(body), () => "")).trim()

const text = (path: string): string => orEmpty(() => readFileSync(path, "utf8"))

/** Parses `pid (name) state ppid …`: the name may contain any character, and the start time is the 22nd field. */
const startIn = (stat: string): { readonly pid: number; readonly start: string | null } => {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  const isDead = fields[0] === "Z" || fields[0] === "X"
  return { pid: Number.parseInt(stat, 10), start: isDead ? null : (fields[19] ?? null) }
}

/**
 * True if /proc belongs to this process's PID namespace: a process in a new namespace may see the /proc of another one,
 * in which numbers refer to other processes.
 */
const procIsOurs = (): boolean => startIn(text("/proc/self/stat")).pid === process.pid

/**
 * Checks for a process without sending a signal. Every result except ESRCH, such as EPERM, means that the process
 * exists.
 */
const answers = (pid: number): boolean =>
  Effect.runSync(
    SystemError.attempt(() => process.kill(pid, 0)).pipe(
      Effect.as(true),
      Effect.catch(({ code }) => Effect.succeed(code !== "ESRCH"))
    )
  )

/** Makes all processes spell a date alike. */
const plainWords = { env: { LC_ALL: "C", TZ: "UTC" } }

/** Returns the output of a system program; null: it failed; "": there is no such program. */
const output = (file: string, args: ReadonlyArray<string>): Effect.Effect<string | null> =>
  Effect.callback((resume) => {
    execFile(file, args, plainWords, (error, stdout) => {
      resume(Effect.succeed(error === null ? stdout.trim() : error.code === "ENOENT" ? "" : null))
    })
  })

/**
 * Returns the start time of a process by `ps`; null: there is no such process; "": the process is alive, but there is
 * no `ps`.
 */
export const startByPs = (pid: number): Effect.Effect<string | null> =>
  Effect.map(output("/bin/ps", ["-o", "stat=,lstart=", "-p", String(pid)]), (found) => {
    if (found === "") return answers(pid) ? "" : null
    const [state, ...start] = (found ?? "").split(/\s+/)
    return state === "" || state.startsWith("Z") ? null : start.join(" ")
  })

/** The kernel's first PID namespace: its processes are in no container. */
const initialNamespace = "pid:[4026531836]"

const linuxIdentity = (): ProcessIdentity => ({
  pid: process.pid,
  start: startIn(text("/proc/self/stat")).start ?? "",
  boot: text("/proc/sys/kernel/random/boot_id"),
  namespace: ["pid", "time"].map((kind) => orEmpty(() => readlinkSync(`/proc/self/ns/${kind}`))).join(" "),
  machine: text("/etc/machine-id"),
  host: hostname()
})

/** The identity on platforms without /proc, by `ps` and `sysctl`. */
const identityBySystem = Effect.gen(function* () {
  const start = (yield* startByPs(process.pid)) ?? ""
  const boot = (yield* output("/usr/sbin/sysctl", ["-n", "kern.bootsessionuuid"])) ?? ""
  return { pid: process.pid, start, boot, namespace: "", machine: "", host: hostname() }
})

/** The identity of this process, which never changes and so is determined once. */
let known: ProcessIdentity | null = null

/** The identity of this process. */
export const own: Effect.Effect<ProcessIdentity> = Effect.suspend(() =>
  known === null
    ? Effect.tap(isLinux ? Effect.sync(linuxIdentity) : identityBySystem, (identity) =>
        Effect.sync(() => (known = identity))
      )
    : Effect.succeed(known)
)

/**
 * Returns whether process numbers of one identity are valid for the other, or whether the other one's kernel has ended.
 *
 * - Another boot proves an end only if both processes run outside of containers and on the same installation: a
 *   container may have another boot id, and cloned hosts share an installation id.
 */
export const reach = (identity: ProcessIdentity, self: ProcessIdentity): "Same" | "Gone" | "Unknown" => {
  if (identity.boot === "" || self.boot === "") return "Unknown"
  if (identity.host !== self.host || identity.machine !== self.machine) return "Unknown"
  if (identity.boot !== self.boot)
    return self.machine !== "" && [identity, self].every(isUncontained) ? "Gone" : "Unknown"
  return identity.namespace === self.namespace && (!isLinux || isNamed(self)) ? "Same" : "Unknown"
}

const isUncontained = ({ namespace }: ProcessIdentity): boolean => namespace.startsWith(initialNamespace)

const isNamed = ({ namespace }: ProcessIdentity): boolean => namespace.startsWith("pid:")

/** Formats the identity as one line that `parse` reads. */
export const format = ({ boot, host, machine, namespace, pid, start }: ProcessIdentity): string =>
  JSON.stringify([pid, start, boot, namespace, machine, host])

/** Parses an identity; null: the line is not an identity. */
export const parse = (line: string): ProcessIdentity | null => {
  const found: unknown = Effect.runSync(
    Effect.orElseSucceed(
      Effect.try(() => JSON.parse(line) as unknown),
      () => null
    )
  )
  if (!Array.isArray(found) || found.length !== 6 || typeof found[0] !== "number") return null
  const [start, boot, namespace, machine, host] = found.slice(1).map(String)
  return { pid: found[0], start, boot, namespace, machine, host }
}

/** Returns whether a process is alive. A process that was killed and not yet reaped counts as dead. */
export const lifeOf = Effect.fnUntraced(function* (identity: ProcessIdentity): Effect.fn.Return<Life> {
  const self = yield* own
  const found = reach(identity, self)
  if (found !== "Same") return found === "Gone" ? "Dead" : "Unknown"
  if (identity.start === "") return answers(identity.pid) ? "Unknown" : "Dead"
  return isLinux ? lifeByProc(identity) : lifeByStart(identity, yield* startByPs(identity.pid))
})

/** Checks by /proc. A /proc that hides processes of other users, or belongs to another namespace, proves nothing. */
const lifeByProc = ({ pid, start }: ProcessIdentity): Life => {
  if (!answers(pid)) return "Dead"
  if (!procIsOurs()) return "Unknown"
  const stat = text(`/proc/${pid}/stat`)
  if (stat === "") return answers(pid) ? "Unknown" : "Dead"
  return startIn(stat).start === start ? "Alive" : "Dead"
}

const lifeByStart = ({ start }: ProcessIdentity, found: string | null): Life => {
  if (found === null) return "Dead"
  return found === "" ? "Unknown" : found === start ? "Alive" : "Dead"
}
