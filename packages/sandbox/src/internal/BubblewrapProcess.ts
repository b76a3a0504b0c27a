/**
 * A sandbox as a process: started with its descriptors, admitted once it cannot outlive this program, and killed with
 * everything in it.
 */
import * as Effect from "effect/Effect"
import * as Bubblewrap from "../Bubblewrap.ts"
import * as CommandInput from "../CommandInput.ts"
import type { Variables } from "../Environment.ts"
import * as Proxy from "../Proxy.ts"
import type { Workshop } from "../Workshop.ts"
import { type ChildProcess, kill, next, type User } from "./ChildProcess.ts"
import * as CommandNetwork from "./CommandNetwork.ts"
import * as Descriptors from "./Descriptors.ts"
import * as Disk from "./Disk.ts"
import * as OwnerWatch from "./OwnerWatch.ts"
import { start } from "./Pipes.ts"
import * as SandboxSockets from "./SandboxSockets.ts"
import { nextTurn } from "./WaitForQuiet.ts"

export interface BubblewrapStart {
  readonly args: ReadonlyArray<string>
  /** True if the sandbox provides sockets. */
  readonly connected: boolean
  /** The contents of the files whose content is replaced. */
  readonly contents: ReadonlyArray<string>
  readonly joined: CommandNetwork.ConnectedNetwork | null
  /** True if both streams use one pipe. */
  readonly merged: boolean
  readonly input: CommandInput.CommandInput | null
  /** Variables in addition to the usual ones; bubblewrap sees them too. */
  readonly environment?: Variables
}

/** Starts bubblewrap with the descriptors that its arguments name. */
export const begin = (
  { files, hold, machine, variables }: Workshop,
  user: User | null,
  { args, connected, contents, environment = {}, input, joined, merged }: BubblewrapStart
) =>
  Effect.flatMap(Effect.forEach(contents, Descriptors.nameless), (replacements) =>
    Descriptors.withReopened([...files, ...replacements], (opened) => {
      // Without a proxy a command does not get the program that opens the port, and without ports it does not get the
      // connector.
      const unused = new Set([
        ...(joined === null ? [Bubblewrap.files.length] : []),
        ...(connected ? [] : [Bubblewrap.files.length + 1])
      ])
      const shared = opened.slice(0, files.length).map((file, at) => (unused.has(at) ? "ignore" : file))
      const streams = CommandNetwork.streams(joined !== null || connected)
      const descriptors = Descriptors.fillGaps([...streams, ...shared], hold.plugged)
      const watched = OwnerWatch.asChild({
        program: machine.program,
        args,
        cwd: "/",
        env: { ...(joined === null ? variables : Proxy.variablesOver(variables)), ...environment },
        makesSockets: connected,
        ...(joined === null ? {} : { onListener: CommandNetwork.serveConnections(joined) }),
        descriptors: Descriptors.descriptorOf(
          descriptors,
          Bubblewrap.replacementDescriptor(hold),
          opened.slice(files.length)
        ),
        ...(user === null ? {} : { user })
      })
      return start({ ...watched, merged, ...(input === null ? {} : { input: "pipe" as const }) }).pipe(
        Effect.tap((child) => Effect.sync(() => OwnerWatch.endWith(child))),
        Effect.tap(({ stdin }) => Effect.sync(() => (input === null ? undefined : CommandInput.attach(input, stdin))))
      )
    })
  )

/** The process id of the sandbox's init in this process's namespace; null: it is not reported yet. */
export const initOf = (report: string): number | null => {
  const pid = /"child-pid": (\d+)/.exec(report)?.[1]
  return pid === undefined ? null : Number(pid)
}

/**
 * Admits the command once its sandbox can no longer outlive this process: bubblewrap ends with this process even before
 * it reports its init, and the init arranges to end with bubblewrap just before it applies the filter. A command that
 * is not admitted reads the end of its gate and exits. `prepared`: the command's words and the receiver of their
 * acknowledgement, for a prepared sandbox.
 */
export const admit = (
  isBound: (report: string) => Effect.Effect<boolean>,
  joining: ((inside: SandboxSockets.SandboxSockets) => Effect.Effect<void>) | null,
  prepared: { readonly words: () => string; readonly acknowledged: () => void } | null = null
) =>
  Effect.fnUntraced(function* ({ fourth, makeSocket }: ChildProcess, report: () => string) {
    if (fourth === null || (yield* next(fourth)) === null) return
    while (!(yield* isBound(report()))) yield* nextTurn
    const init = initOf(report())
    if (joining && makeSocket !== null && init !== null) yield* joining(SandboxSockets.make(init, makeSocket))
    const words = prepared?.words() ?? ""
    if (prepared !== null && words !== "") fourth.on("data", prepared.acknowledged)
    fourth.end(words + Bubblewrap.go)
  })

/** Waits for a report by the init itself if there is no filter, or if the init cannot be observed. */
export const isInitBound =
  ({ filtered }: Bubblewrap.SandboxTraits) =>
  (report: string): Effect.Effect<boolean> => {
    const init = initOf(report)
    return init === null
      ? Effect.succeed(false)
      : Effect.map(
          Disk.textAtOnce(`/proc/${init}/status`),
          (status) => !filtered || status === null || /^Seccomp:\t2$/m.test(status)
        )
  }

/**
 * Kills the init of the pid namespace, which ends all its processes. As long as the init is unknown, it is either in
 * its parent's group, which is killed, or the command still waits at its gate: the command then reads the gate's end
 * and exits together with its init.
 */
export const killAll = (child: ChildProcess, report: string): Effect.Effect<void> =>
  child.isGone()
    ? Effect.void
    : Effect.sync(() => child.fourth?.destroy()).pipe(
        Effect.andThen(kill(initOf(report) ?? -child.pid)),
        Effect.andThen(Effect.promise(() => child.ended)),
        Effect.timeoutOrElse({ duration: killMillis, orElse: () => kill(-child.pid) }),
        Effect.asVoid
      )

const killMillis = 2000

/**
 * Waits until the sandbox has ended. bubblewrap ends with the command, and the kernel then kills the init. The init
 * becomes a zombie only after everything else in its namespace has ended.
 */
export const settle = Effect.fnUntraced(function* (report: string) {
  const init = initOf(report)
  if (init === null) return
  for (let looks = 0; looks < settleTurns + settleMillis; looks++) {
    const stat = yield* Disk.textAtOnce(`/proc/${init}/stat`)
    if (stat === null || !/^\d+ \(bwrap\) [^ZX]/.test(stat)) return
    yield* looks < settleTurns ? nextTurn : Effect.sleep(1)
  }
})

/** The kernel usually removes the mounts within these turns of the event loop; a timer would take longer. */
const settleTurns = 32
const settleMillis = 5000
