/** Prepares sandboxes before their commands: decides how a sandbox is made, and whether a command can use it. */
import type { ToolContext } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import { statSync } from "node:fs"
import * as Bubblewrap from "./Bubblewrap.ts"
import { begin } from "./internal/BubblewrapProcess.ts"
import type { ChildProcess, StartFailed } from "./internal/ChildProcess.ts"
import type { ConnectedNetwork } from "./internal/CommandNetwork.ts"
import * as CommandView from "./internal/CommandView.ts"
import * as CommandWords from "./internal/CommandWords.ts"
import { surveyForStandby } from "./internal/guarded.ts"
import * as MountIdentity from "./internal/MountIdentity.ts"
import * as Standby from "./internal/Standby.ts"
import type { Connections } from "./Proxy.ts"
import { forCommand as directoriesFor, type CommandDirectories, type SandboxDirectories } from "./SandboxDirectories.ts"
import type { Standby as Waiting, StandbySlot } from "./StandbySlot.ts"
import * as Withheld from "./Withheld.ts"
import type { Workshop } from "./Workshop.ts"

/** The properties of a command that its successor is likely to have too. */
export interface Shape {
  /** True if both streams go through one pipe. */
  readonly merged: boolean
  /** True if it has network access. */
  readonly proxied: boolean
  readonly withheld: ToolContext.WithheldLocations | undefined
}

/** Starts a sandbox for the next command of a session. Only a command of the same shape can use it. */
export const prepare = (
  slot: StandbySlot,
  usual: SandboxDirectories,
  from: Shape & Pick<StartConditions, "workshop">
) => Standby.prepare(slot, make(usual, { ...from, releasing: slot.scope }))

/** Prepares a sandbox as `prepare` does, once the result of the previous command was sent. */
export const prepareSoon = (
  slot: StandbySlot,
  usual: SandboxDirectories,
  from: Shape & Pick<StartConditions, "workshop">
) => Standby.prepareSoon(slot, make(usual, { ...from, releasing: slot.scope }))

/** The view and the start conditions of a command, apart from its words and its connections. */
interface StartConditions {
  readonly workshop: Workshop
  readonly directories: CommandDirectories
  readonly view: Bubblewrap.View
  readonly contents: ReadonlyArray<string>
  readonly cwd: string
  readonly merged: boolean
}

/**
 * The view is compared instead of the arguments, which take longer to make and are equal for equal views in the same
 * workshop.
 */
const keyOf = ({ contents, cwd, merged, directories, view }: Omit<StartConditions, "workshop">): string =>
  JSON.stringify([view, contents, MountIdentity.identitiesIn(view), [cwd, identityOf(cwd)], directories.user, merged])

/** Identifies the directory at a path; null if there is none. */
const identityOf = (path: string): string | null =>
  Result.getOrNull(
    Result.try(() => {
      const { birthtimeNs, dev, ino } = statSync(path, { bigint: true })
      return `${dev}:${ino}:${birthtimeNs}`
    })
  )

export interface PreparedStart {
  /** Uses the prepared sandbox, or else runs the effect that starts a new one. */
  readonly orElse: (started: Effect.Effect<ChildProcess, StartFailed>) => Effect.Effect<ChildProcess, StartFailed>
  /** The lines that are sent to a prepared sandbox before it is admitted. */
  readonly words: () => string
  /** Called once the prepared sandbox has read its words: the command may have begun. */
  readonly acknowledged: () => void
  /** Waits until an acknowledgement can no longer arrive from the ended sandbox. */
  readonly settle: (child: ChildProcess) => Effect.Effect<void>
  /**
   * True if the prepared sandbox was taken and ended before its command began; the command can then be started in
   * another one.
   */
  readonly endedUnused: () => boolean
}

/** Null: the words of this command cannot be sent to a prepared sandbox. */
export const forCommand = (
  slot: StandbySlot,
  {
    argv,
    joined,
    workshop,
    ...look
  }: StartConditions & { readonly argv: ReadonlyArray<string>; readonly joined: ConnectedNetwork | null }
): PreparedStart | null => {
  const words = CommandWords.encode(argv)
  if (words === null) return null
  let isTaken = false
  let isUnused = false
  return {
    orElse: (started) =>
      Effect.flatMap(Standby.take(slot, { key: keyOf(look), workshop }), (standby) => {
        if (standby === null) return started
        isTaken = true
        isUnused = true
        standby.network = joined?.connections ?? null
        return Effect.succeed(standby.child)
      }),
    words: () => (isTaken ? words : ""),
    acknowledged: () => {
      isUnused = false
    },
    settle: ({ fourth }) =>
      !isUnused || fourth === null || fourth.readableEnded || fourth.destroyed
        ? Effect.void
        : Effect.callback<void>((resume) => {
            fourth.once("close", () => resume(Effect.void)).resume()
          }).pipe(
            Effect.timeoutOrElse({
              duration: settleMillis,
              orElse: () =>
                Effect.sync(() => {
                  isUnused = false
                })
            })
          ),
    endedUnused: () => {
      const isEnded = isTaken && isUnused
      isTaken = false
      return isEnded
    }
  }
}

/** The limit of the wait: only the ended sandbox had the other end of its gate open, so the gate closes soon. */
const settleMillis = 1000

const make = (
  usual: SandboxDirectories,
  {
    merged,
    proxied,
    releasing,
    withheld: withheldNow,
    workshop
  }: Shape & Pick<StartConditions, "workshop"> & { readonly releasing: Scope.Scope }
): Effect.Effect<Waiting | null, never, Scope.Scope> =>
  Effect.gen(function* () {
    const withheld = yield* Withheld.resolveWithheld(
      usual,
      withheldNow === undefined ? withheldNow : { ...withheldNow, report: () => undefined }
    )
    const directories = directoriesFor(usual, null, withheld.directories)
    const { around, standings } = yield* surveyForStandby(directories, releasing)
    const view = yield* CommandView.make(directories, standings, { ...around, withheld, connected: false, proxied })
    const contents = CommandView.contents({ ...around, withheld })
    const { machine } = workshop
    const cwd = directories.start
    const key = keyOf({ directories, view, contents, cwd, merged })
    const command = ["--chdir", cwd, ...Bubblewrap.waitingCommand(machine, { proxied })]
    return yield* Standby.acquire({ key, workshop }, (network) =>
      begin(workshop, directories.user, {
        args: [...Bubblewrap.args(machine, view, workshop.hold), ...command],
        connected: false,
        contents,
        input: null,
        joined: proxied ? { connections: forwarding(network) } : null,
        merged
      })
    )
  }).pipe(Effect.catch(() => Effect.succeed(null)))

/** Forwards connections to the command, and refuses them until the command has arrived. */
const forwarding = (network: () => Connections | null): Connections => ({
  connection: (socket) => {
    const current = network()
    if (current === null) socket.destroy()
    else current.connection(socket)
  },
  requests: () => []
})
