/** Execution in a sandbox that bubblewrap builds for each command and that dies with it. */
import { ToolError } from "@bough/protocol"
import { type Execution, PausableTimeout, type ToolContext } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Bubblewrap from "./Bubblewrap.ts"
import * as CommandInput from "./CommandInput.ts"
import type { Variables } from "./Environment.ts"
import * as ExitStatus from "./ExitStatus.ts"
import * as Arguments from "./internal/Arguments.ts"
import { attend, type Outcome } from "./internal/Supervise.ts"
import {
  channelDescriptor,
  type ChildProcess,
  kill,
  next,
  type StartFailed,
  type User
} from "./internal/ChildProcess.ts"
import * as CommandNetwork from "./internal/CommandNetwork.ts"
import * as Descriptors from "./internal/Descriptors.ts"
import * as GitDirectory from "./internal/GitDirectory.ts"
import * as OwnerWatch from "./internal/OwnerWatch.ts"
import { start } from "./internal/Pipes.ts"
import * as Devices from "./internal/Devices.ts"
import * as Disk from "./internal/Disk.ts"
import { type Around, guarded } from "./internal/guarded.ts"
import type { Standing } from "./internal/Reserved.ts"
import { nextTurn } from "./internal/WaitForQuiet.ts"
import * as ConnectorProgram from "./ConnectorProgram.ts"
import * as SandboxSockets from "./internal/SandboxSockets.ts"
import * as ListenerProgram from "./ListenerProgram.ts"
import type { Machine } from "./Machine.ts"
import * as Proxy from "./Proxy.ts"
import { forCommand, type OpenedDoors, type SandboxPlace } from "./SandboxPlace.ts"
import * as Seccomp from "./Seccomp.ts"
import { contains } from "./Toolchains.ts"
import * as Withheld from "./Withheld.ts"

/** The parts that every sandbox of this process shares. */
export interface Workshop {
  readonly machine: Machine
  readonly hold: Bubblewrap.Hold
  readonly variables: Variables
  /** Nameless files: those of `Bubblewrap.files`, the program that opens the proxy's port, then the filter. */
  readonly files: ReadonlyArray<number>
  readonly maxOutputBytes: number
  /** As they were before the first command. */
  readonly devices: Devices.Modes
  /** True if a sandbox of this machine can hand out sockets. */
  readonly canConnect: boolean
  /** True if a sandbox of this machine can have a port that leads to a proxy. */
  readonly canProxy: boolean
}

/** The operator's decisions among them. */
export type Shared = Pick<Workshop, "variables" | "maxOutputBytes"> & { readonly unixSockets: boolean }

/** Gathers what the sandboxes of a process share. */
export const open = Effect.fnUntraced(function* (machine: Machine, { unixSockets, ...shared }: Shared) {
  const filter = Seccomp.program(process.arch, unixSockets)
  const inherited = yield* Descriptors.inherited
  const listener = ListenerProgram.program(process.arch, Proxy.port, channelDescriptor)
  const connector = ConnectorProgram.program(process.arch, channelDescriptor)
  const contents = [
    ...Bubblewrap.contents(machine),
    listener ?? "",
    connector ?? "",
    ...(filter === null ? [] : [filter])
  ]
  const workshop: Workshop = {
    ...shared,
    machine,
    hold: {
      filtered: filter !== null,
      plugged: inherited.filter((descriptor) => descriptor > Bubblewrap.filterDescriptor)
    },
    files: yield* Effect.forEach(contents, Descriptors.nameless),
    devices: Devices.modes(process.getuid?.() === 0),
    canConnect: connector !== null && machine.setsModes,
    canProxy: listener !== null && machine.setsModes
  }
  return workshop
})

export interface Request {
  readonly invoke: Execution.Invoke | string
  readonly options: Execution.RunOptions
  /** The places that rules withhold from the command. */
  readonly withheld?: ToolContext.Withheld
  /** A user let it change what the workspace otherwise keeps as it is. */
  readonly opened?: OpenedDoors | null
  /** Called with a view of its requests before it starts. */
  readonly onRequests?: (requests: () => ReadonlyArray<Execution.CommandRequest>) => void
  /** Called with its sockets before it starts; left out: its ports are its own. */
  readonly joining?: (inside: SandboxSockets.SandboxSockets) => Effect.Effect<void>
  /** Its way to the network; left out: it has none. */
  readonly network?: CommandNetwork.Network
  /** Set by the session, for the command alone: neither bubblewrap nor the shell that guards its start sees them. */
  readonly variables?: Variables
  /** The command's standard input; left out or null: it is empty. */
  readonly input?: CommandInput.CommandInput | null
  /** While these are open, its time does not pass. */
  readonly pauses?: PausableTimeout.Pauses
  /** True for our own command that tests the sandbox: it also starts in one that may not hold. */
  readonly isTrial?: boolean
}

/** Runs one command in a sandbox of its own. */
export const run = (workshop: Workshop, usual: SandboxPlace, request: Request) =>
  request.network === undefined || !workshop.canProxy
    ? runJoined(workshop, usual, { ...request, joined: null })
    : Effect.scoped(withNetwork(workshop, usual, { ...request, network: request.network }))

/** The time in which a user is asked about a host is none of the command's. */
const withNetwork = Effect.fnUntraced(function* (
  workshop: Workshop,
  usual: SandboxPlace,
  request: Request & { readonly network: CommandNetwork.Network }
) {
  const { admit, proxy } = request.network
  const { pauses = PausableTimeout.make() } = request
  const connections = yield* proxy.open((host) => PausableTimeout.during(pauses, admit(host)))
  request.onRequests?.(connections.requests)
  const ran = yield* runJoined(workshop, usual, { ...request, pauses, joined: { connections } })
  return { ...ran, requests: connections.requests() }
})

const runJoined = Effect.fnUntraced(function* (
  workshop: Workshop,
  usual: SandboxPlace,
  { joined, ...request }: Request & { readonly joined: CommandNetwork.Joined | null }
) {
  const withheld = yield* Withheld.resolved(usual, request.withheld)
  const place = forCommand(usual, request.opened ?? null, withheld.directories)
  const argv = withVariables(request.variables ?? {}, yield* Arguments.argv(request.invoke, workshop.machine.shell))
  const roots = place.roots.map(({ path }) => path)
  const cwd = yield* Arguments.directory({ start: place.start, roots }, request.options.cwd)
  const proxied = joined !== null
  const joining = workshop.canConnect ? (request.joining ?? null) : null
  const connected = joining !== null
  const command = ["--chdir", cwd, ...Bubblewrap.gated(workshop.machine, argv, { connected, proxied })]
  const { held, value: outcome } = yield* guarded(workshop.devices, place, (standings, { repositories, shown }) =>
    Effect.flatMap(view(place, standings, { connected, repositories, proxied, shown, withheld }), (view) => {
      const args = [...Bubblewrap.args(workshop.machine, view, workshop.hold), ...command]
      const contents = [
        ...GitDirectory.view(repositories).replaced.map(({ content }) => content),
        ...shown.replaced.map(({ content }) => content),
        ...withheld.files.map(() => "")
      ]
      const merged = request.options.merged === true
      const { input = null } = request
      return attend(begin(workshop, place.user, { args, connected, contents, input, joined, merged }), {
        ...request.options,
        ...(request.pauses === undefined ? {} : { pauses: request.pauses }),
        maxOutputBytes: workshop.maxOutputBytes,
        admit: admit(request.isTrial === true ? () => Effect.succeed(true) : isInitBound(workshop.hold), joining),
        kill: killAll,
        settle
      })
    })
  ).pipe(Effect.catchTag("StartFailed", (failed) => notStarted(failed, request)))
  return yield* result({ ...outcome, stderr: outcome.stderr + held }, request)
})

const withVariables = (variables: Variables, argv: ReadonlyArray<string>): ReadonlyArray<string> => {
  const set = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
  return set.length === 0 ? argv : ["/usr/bin/env", "--", ...set, ...argv]
}

const view = (
  place: SandboxPlace,
  standings: ReadonlyArray<Standing>,
  {
    connected,
    proxied,
    repositories,
    shown,
    withheld
  }: Around & Pick<Bubblewrap.View, "connected" | "proxied"> & { readonly withheld: Withheld.Withheld }
): Effect.Effect<Bubblewrap.View, ToolError.PermissionDenied> => {
  const { hidden, readOnly, replaced } = shown
  const link = standings.find((standing) => standing._tag === "Link")
  if (link !== undefined) return refuse(`${link.path} is a link and cannot be protected; put there what it names`)
  const fixed = standings.flatMap((standing) => (standing._tag === "Present" ? [standing.path] : []))
  const git = GitDirectory.view(repositories)
  const opened = new Set(repositories.map(({ path }) => path))
  const closed = [...fixed, ...readOnly].filter((path) => !opened.has(path))
  const mounts = [...closed.map((path) => ({ path, writable: false })), ...git.mounts]
  return Effect.succeed({
    roots: place.roots,
    mounts: GitDirectory.ordered(mounts.filter(({ path }) => !isReadOnly(place, path))),
    absent: standings.flatMap((standing) => (standing._tag === "Reserved" ? [standing.path] : [])),
    hidden: place.hidden,
    emptied: hidden,
    replaced: [...git.replaced.map(({ path }) => path), ...replaced.map(({ path }) => path), ...withheld.files],
    pinned: [...place.hidden, ...withheld.files, ...shown.pinned],
    shown: place.shown,
    proxied,
    connected
  })
}

/** True for a path in a read-only root: it needs no mount of its own. */
const isReadOnly = ({ roots }: SandboxPlace, path: string): boolean =>
  roots.findLast((root) => contains(root.path, path))?.writable === false

interface Beginning {
  readonly args: ReadonlyArray<string>
  /** True where it hands out sockets. */
  readonly connected: boolean
  /** The contents of the files that are shown with another content. */
  readonly contents: ReadonlyArray<string>
  readonly joined: CommandNetwork.Joined | null
  /** Both streams go through one pipe. */
  readonly merged: boolean
  readonly input: CommandInput.CommandInput | null
}

const begin = (
  { files, hold, machine, variables }: Workshop,
  user: User | null,
  { args, connected, contents, input, joined, merged }: Beginning
) =>
  Effect.flatMap(Effect.forEach(contents, Descriptors.nameless), (replacements) =>
    Descriptors.reopened([...files, ...replacements], (opened) => {
      // A command without a proxy does not get the program that opens the port, nor one without ports the other program.
      const unused = new Set([
        ...(joined === null ? [Bubblewrap.files.length] : []),
        ...(connected ? [] : [Bubblewrap.files.length + 1])
      ])
      const shared = opened.slice(0, files.length).map((file, at) => (unused.has(at) ? "ignore" : file))
      const streams = CommandNetwork.streams(joined !== null || connected)
      const descriptors = Descriptors.plug([...streams, ...shared], hold.plugged)
      const watched = OwnerWatch.asChild({
        program: machine.program,
        args,
        cwd: "/",
        env: joined === null ? variables : Proxy.variablesOver(variables),
        makesSockets: connected,
        ...(joined === null ? {} : { onListener: CommandNetwork.serving(joined) }),
        descriptors: Descriptors.from(descriptors, Bubblewrap.replacementDescriptor(hold), opened.slice(files.length)),
        ...(user === null ? {} : { user })
      })
      return start({ ...watched, merged, ...(input === null ? {} : { input: "pipe" as const }) }).pipe(
        Effect.tap(({ stdin }) => Effect.sync(() => (input === null ? undefined : CommandInput.attach(input, stdin)))),
        Effect.tap(({ pid }) => Disk.write(`/proc/${pid}/oom_score_adj`, expendable))
      )
    })
  )

/** When memory runs out, the kernel ends a command rather than this process. */
const expendable = "500"

const initOf = (report: string): number | null => {
  const pid = /"child-pid": (\d+)/.exec(report)?.[1]
  return pid === undefined ? null : Number(pid)
}

/**
 * Admits the command once its sandbox can no longer outlive this process: bubblewrap dies with this process from
 * before it reports its init; the init asks to die with bubblewrap just before it puts itself under the filter. A
 * command that is not admitted reads the end of its gate and exits.
 */
const admit = (isBound: (report: string) => Effect.Effect<boolean>, joining: Request["joining"] | null) =>
  Effect.fnUntraced(function* ({ fourth, makeSocket }: ChildProcess, report: () => string) {
    if (fourth === null || (yield* next(fourth)) === null) return
    while (!(yield* isBound(report()))) yield* nextTurn
    const init = initOf(report())
    if (joining && makeSocket !== null && init !== null) yield* joining(SandboxSockets.make(init, makeSocket))
    fourth.end(Bubblewrap.go)
  })

/** Where the filter is not known or the init cannot be seen, there is nothing better to wait for than its report. */
const isInitBound =
  ({ filtered }: Bubblewrap.Hold) =>
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
 * Killing the init of the pid namespace ends all in it. Before the init is known it is in the group of its parent, or the
 * command still waits behind its gate: without us it reads the end there, and its init ends with it.
 */
const killAll = (child: ChildProcess, report: string): Effect.Effect<void> =>
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
 * bubblewrap ends with the command, and the kernel then kills the init. That one becomes a zombie after everything else
 * in its namespace is dead, and not before.
 */
const settle = Effect.fnUntraced(function* (report: string) {
  const init = initOf(report)
  if (init === null) return
  for (let waitedMillis = 0; waitedMillis < settleMillis; waitedMillis++) {
    const stat = yield* Disk.textAtOnce(`/proc/${init}/stat`)
    if (stat === null || !/^\d+ \(bwrap\) [^ZX]/.test(stat)) return
    yield* Effect.sleep(1)
  }
})

const settleMillis = 5000

const result = (
  outcome: Outcome,
  { invoke, options }: Request
): Effect.Effect<Execution.RunResult, ToolError.ToolError> => {
  const { exitCode, report, signal, ...rest } = outcome
  const code = /"exit-code": (\d+)/.exec(report)?.[1]
  if (code !== undefined) return Effect.succeed({ ...ExitStatus.fromCode(Number(code)), ...rest })
  const said = `${outcome.stdout}${outcome.stderr}`
  if (said.includes("Can't chdir to")) return Arguments.noDirectory(options.cwd)
  if (said.includes("Argument list too long")) return Arguments.tooLong(invoke)
  return refuse(said.trim() || `bwrap ended with ${signal ?? exitCode}`)
}

const notStarted = (failed: StartFailed, { invoke }: Request): Effect.Effect<never, ToolError.ToolError> =>
  failed.code === "E2BIG" ? Arguments.tooLong(invoke) : refuse(failed.message)

const refuse = (detail: string) =>
  Effect.fail(new ToolError.PermissionDenied({ tier: "System", reason: `SandboxUnavailable: ${detail}` }))
