/**
 * Execution in the shell of a session: each command continues with the state of the shell after the previous one, in
 * the same sandbox.
 */
import { ToolError } from "@bough/protocol"
import { type Execution, PausableTimeout } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import * as Bubblewrap from "./Bubblewrap.ts"
import { notStarted, type Request } from "./BubblewrapExecution.ts"
import * as Arguments from "./internal/Arguments.ts"
import * as CommandView from "./internal/CommandView.ts"
import * as Disk from "./internal/Disk.ts"
import { type Findings, runGuarded, keepClosed } from "./internal/guarded.ts"
import * as MountIdentity from "./internal/MountIdentity.ts"
import * as MountWatch from "./internal/MountWatch.ts"
import type { NameState } from "./internal/Reserved.ts"
import * as SessionShell from "./internal/SessionShell.ts"
import * as ShellProgram from "./internal/ShellProgram.ts"
import type { Connections } from "./Proxy.ts"
import { type CommandDirectories, forCommand, type SandboxDirectories } from "./SandboxDirectories.ts"
import * as ShellSlots from "./ShellSlots.ts"
import * as Withheld from "./Withheld.ts"
import type { Workshop } from "./Workshop.ts"

type Slot = ShellSlots.Slot<SessionShell.SessionShell>

export interface InShell {
  readonly workshop: Workshop
  readonly directories: SandboxDirectories
  readonly shells: ShellSlots.ShellSlots<SessionShell.SessionShell>
  readonly slot: Slot
  /** True if commands of the session may have access to the network. */
  readonly hasProxy: boolean
}

/** Runs a command in the session's shell, after earlier commands. */
export const run = (inShell: InShell, request: Request): Effect.Effect<Execution.RunResult, ToolError.ToolError> => {
  const { network, pauses = PausableTimeout.make() } = request
  const once = Semaphore.withPermit(inShell.slot.lock)
  if (network === undefined || !inShell.workshop.canProxy)
    return once(runConnected(inShell, { ...request, pauses }, null))
  return once(
    Effect.scoped(
      Effect.gen(function* () {
        const { admit, proxy } = network
        const connections = yield* proxy.open((host) => PausableTimeout.pauseDuring(pauses, admit(host)))
        request.onRequests?.(connections.requests)
        const ran = yield* runConnected(inShell, { ...request, pauses }, connections)
        return { ...ran, requests: connections.requests() }
      })
    )
  )
}

type PausableRequest = Request & { readonly pauses: PausableTimeout.Pauses }

const runConnected = Effect.fnUntraced(function* (
  inShell: InShell,
  request: PausableRequest,
  connections: Connections | null
): Effect.fn.Return<Execution.RunResult, ToolError.ToolError> {
  const { directories: usual, shells, slot, workshop } = inShell
  const withheld = yield* Withheld.resolveWithheld(usual, request.withheld)
  const directories = forCommand(usual, null, withheld.directories)
  const text = textOf(request.invoke, yield* Arguments.argv(request.invoke, workshop.machine.shell))
  const directory = yield* directoryOf(directories, request.options.cwd)
  const { held, value } = yield* Effect.acquireUseRelease(
    Effect.sync(() => void (slot.isBusy = true)),
    () =>
      runGuarded({ devices: workshop.devices, releasing: null }, directories, (standings, around) =>
        Effect.gen(function* () {
          request.onCheck?.(around)
          const before = slot.shell
          const { shell, view } = yield* shellFor(inShell, directories, { around, standings, withheld })
          const { merged, onOutput, timeoutMillis } = request.options
          const attended = SessionShell.run(shell, {
            text,
            directory: directory ?? (shell === before ? null : slot.folder),
            variables: request.variables ?? {},
            merged: merged === true,
            ...(onOutput === undefined ? {} : { onOutput }),
            ...(request.hiding === undefined ? {} : { hiding: request.hiding }),
            ...(timeoutMillis === undefined ? {} : { timeoutMillis }),
            maxOutputBytes: workshop.maxOutputBytes,
            pauses: request.pauses,
            joining: request.joining ?? null,
            network: connections
          })
          return yield* MountWatch.whileMounted(view, attended)
        }).pipe(
          Effect.ensuring(prepareNext(slot)),
          Effect.catchTag("ShellFailed", ({ said }) => refuse(said)),
          Effect.catchTag("StartFailed", (failed) => notStarted(failed, request))
        )
      ),
    () =>
      Effect.andThen(
        Effect.sync(() => void (slot.isBusy = false)),
        ShellSlots.closeIdle(shells)
      )
  )
  const { report: _report, ...ran } = value
  return { ...ran, stderr: ran.stderr + held + ShellSlots.takeNote(slot) }
})

/** Makes the text that the shell evaluates. */
const textOf = (invoke: Request["invoke"], vector: ReadonlyArray<string>): string => {
  if (typeof invoke === "string") return invoke
  return "command" in invoke ? invoke.command : ShellProgram.withoutShell(vector)
}

/** The directory; null: the shell's current one. */
const directoryOf = Effect.fnUntraced(function* (directories: CommandDirectories, cwd: string | undefined) {
  if (cwd === undefined || cwd === ".") return null
  const roots = directories.roots.map(({ path }) => path)
  const path = yield* Arguments.directory({ start: directories.start, roots }, cwd)
  const real = yield* Disk.withoutLinks(path)
  if (real === null || !(yield* Disk.entry(real))?.isDirectory()) return yield* Arguments.noDirectory(cwd)
  return path
})

const refuse = (detail: string) =>
  Effect.fail(new ToolError.PermissionDenied({ tier: "System", reason: `SandboxUnavailable: ${detail}` }))

interface SandboxFindings {
  readonly standings: ReadonlyArray<NameState>
  readonly around: Findings
  readonly withheld: Withheld.WithheldEntries
}

/** Returns the session's shell, or a new one if there is none or its sandbox no longer has the right view. */
const shellFor = Effect.fnUntraced(function* (
  { hasProxy, slot, workshop }: InShell,
  directories: CommandDirectories,
  { around, standings, withheld }: SandboxFindings
) {
  const view = yield* CommandView.make(directories, standings, {
    ...around,
    withheld,
    connected: workshop.canConnect,
    proxied: hasProxy && workshop.canProxy
  })
  const contents = CommandView.contents({ ...around, withheld })
  const key = JSON.stringify([
    Bubblewrap.args(workshop.machine, view, workshop.hold),
    contents,
    MountIdentity.identitiesIn(view),
    directories.user
  ])
  const { shell } = slot
  if (shell !== null && shell.key === key && !SessionShell.isGone(shell)) return { shell, view }
  if (shell !== null) {
    slot.shell = null
    yield* shell.close
    slot.note += freshNote
  }
  const { start } = directories
  const started = yield* SessionShell.start(
    { workshop, user: directories.user, key, view, contents, folder: start },
    keepClosed(directories, around)
  )
  slot.shell = started
  return { shell: started, view }
})

const freshNote =
  "[bough: what commands may see has changed, so this command ran in a fresh shell: variables and functions that commands set are lost]\n"

/** Checks the shell after a command, regardless of how the command ended. */
const prepareNext = (slot: Slot): Effect.Effect<void> =>
  Effect.suspend(() => {
    const { shell } = slot
    if (shell === null) return Effect.void
    if (slot.isLeft) {
      slot.shell = null
      return shell.close
    }
    if (SessionShell.isGone(shell)) {
      slot.shell = null
      slot.note += ShellSlots.freshShellNote("the session's shell ended with this command")
      return shell.close
    }
    slot.folder = SessionShell.folderOf(shell) ?? slot.folder
    return Effect.void
  })
