/**
 * Stops all processes of a sandbox from outside of it: the session's shell is suspended and every process that commands
 * left running is killed, so that no process runs between two commands. It does not depend on the shell's cooperation.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { readdirSync, readFileSync } from "node:fs"
import { nextTurn } from "./WaitForQuiet.ts"

/** The ids, in this process's namespace, of the processes of a sandbox that are not killed. */
export interface SurvivingProcesses {
  readonly init: number
  readonly shell: number
  /** The ids of Bough's programs. */
  readonly programIds: ReadonlySet<number>
}

/**
 * The time after which a command that keeps starting new processes ends the shell. It is generous, for busy machines.
 */
const timeoutNanos = 5_000_000_000n
/** Most commands leave no processes: the first checks follow each other without a pause. */
const eagerTurns = 100
const pause = Effect.sleep("1 millis")

/** Returns an empty list for a process that has exited meanwhile. */
const orEmpty = <A>(look: () => ReadonlyArray<A>): ReadonlyArray<A> =>
  Result.getOrElse(Result.try(look), (): ReadonlyArray<A> => [])

/** The kernel lists children under the thread that made them. */
export const childrenOf = (pid: number): ReadonlyArray<number> =>
  orEmpty(() => readdirSync(`/proc/${pid}/task`)).flatMap((thread) =>
    orEmpty(() =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8")
        .split(" ")
        .filter((word) => word !== "")
        .map(Number)
    )
  )

/** Returns the descendants of a process; orphans become children of the init of their sandbox. */
export const descendantsOf = (pid: number): ReadonlyArray<number> =>
  childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)])

const statesOf = (pid: number): ReadonlyArray<string> =>
  orEmpty(() => readdirSync(`/proc/${pid}/task`)).flatMap((thread) =>
    orEmpty(() => {
      const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8")
      return [stat.slice(stat.lastIndexOf(")") + 2)[0] ?? "X"]
    })
  )

const isDead = (pid: number): boolean => statesOf(pid).every((state) => state === "Z" || state === "X")
const isStopped = (pid: number): boolean => statesOf(pid).every((state) => "TtZX".includes(state))

const signal = (pid: number, name: NodeJS.Signals): void => void Result.try(() => process.kill(pid, name))

/** Stops the sandbox; false: a process in the sandbox keeps starting others. */
export const stopProcesses = Effect.fnUntraced(function* ({ init, programIds, shell }: SurvivingProcesses) {
  // A process that was already a zombie cannot have new children, but a process that has just ended may have left a
  // child to the init.
  const dead = new Set<number>()
  const endNanos = (yield* Clock.monotonicTimeNanos) + timeoutNanos
  signal(shell, "SIGSTOP")
  for (let turn = 0; (yield* Clock.monotonicTimeNanos) < endNanos; turn++) {
    // Stopped before the others are listed, because the shell may start another process until then.
    const isShellStopped = isStopped(shell)
    const running = descendantsOf(init).filter((pid) => pid !== shell && !programIds.has(pid) && !dead.has(pid))
    if (isShellStopped && running.length === 0) return true
    for (const pid of running) {
      if (isDead(pid)) dead.add(pid)
      else signal(pid, "SIGKILL")
    }
    yield* turn < eagerTurns ? nextTurn : pause
  }
  return false
})

export const continueShell = ({ shell }: Pick<SurvivingProcesses, "shell">): Effect.Effect<void> =>
  Effect.sync(() => signal(shell, "SIGCONT"))
