/**
 * Who a process is, so that a recycled process id or a restarted machine is not taken for an owner that lives on.
 * A process that was killed and not yet reaped counts as dead.
 */
import * as Effect from "effect/Effect"
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { hostname } from "node:os"

export interface ProcessIdentity {
  readonly pid: number
  /** Opaque: when it started, in the platform's own words. */
  readonly start: string
  /** Opaque: which start of the machine; "" where `start` is a date. */
  readonly boot: string
  readonly host: string
}

const read = (path: string) => Effect.try(() => readFileSync(path, "utf8"))

/** Null: no such process, or it is dead. */
const startOf = (pid: number): Effect.Effect<string | null> =>
  process.platform === "linux"
    ? Effect.orElseSucceed(Effect.map(read(`/proc/${pid}/stat`), startIn), () => null)
    : startByPs(pid)

/** `pid (name) state ppid …`: the name may hold anything, the start time is the 22nd field. */
const startIn = (stat: string): string | null => {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return fields[0] === "Z" || fields[0] === "X" ? null : fields[19]
}

/** Sends nothing, fails where there is no such process. */
const signal = (pid: number) => Effect.try(() => process.kill(pid, 0))

/** Two processes must spell one date alike. */
const plainWords = { env: { LC_ALL: "C", TZ: "UTC" } }

/** The same by way of `ps`, for platforms without /proc. Where there is no `ps` either, every living process is "". */
export const startByPs = (pid: number): Effect.Effect<string | null> =>
  Effect.callback((resume) => {
    execFile("/bin/ps", ["-o", "stat=,lstart=", "-p", String(pid)], plainWords, (error, text) => {
      const [state, ...start] = text.trim().split(/\s+/)
      if (error?.code === "ENOENT") resume(Effect.orElseSucceed(Effect.as(signal(pid), ""), () => null))
      else resume(Effect.succeed(error !== null || state === "" || state.startsWith("Z") ? null : start.join(" ")))
    })
  })

const bootId: Effect.Effect<string> =
  process.platform === "linux"
    ? read("/proc/sys/kernel/random/boot_id").pipe(
        Effect.map((text) => text.trim()),
        Effect.orElseSucceed(() => "")
      )
    : Effect.succeed("")

/** This process. */
export const own: Effect.Effect<ProcessIdentity> = Effect.gen(function* () {
  const start = (yield* startOf(process.pid)) ?? ""
  return { pid: process.pid, start, boot: yield* bootId, host: hostname() }
})

export const isAlive = Effect.fnUntraced(function* (identity: ProcessIdentity) {
  if (identity.boot !== (yield* bootId)) return false
  const start = yield* startOf(identity.pid)
  return start !== null && start === identity.start
})
