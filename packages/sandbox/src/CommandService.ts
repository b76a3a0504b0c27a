/** The Execution of the calls of a session, over a backend that runs one command. */
import type { Session as SessionData, ToolError } from "@bough/protocol"
import { type Execution, type Grant, PausableTimeout, type ToolContext } from "@bough/tool"
import * as Effect from "effect/Effect"
import type { ProvidedExecution, Session } from "./Backend.ts"
import type { BackgroundCommands } from "./BackgroundCommands.ts"
import type * as BubblewrapExecution from "./BubblewrapExecution.ts"
import * as CommandExclusion from "./CommandExclusion.ts"
import * as CommandVault from "./CommandVault.ts"
import type { CommandRun } from "./internal/BackgroundCommand.ts"
import * as TimeLimit from "./internal/TimeLimit.ts"
import type * as Proxy from "./Proxy.ts"
import type { AllowedEntries } from "./SandboxDirectories.ts"
import * as ShellSlots from "./ShellSlots.ts"

type Service = Execution.Execution["Service"]

export interface Request extends BubblewrapExecution.Request {
  /** True: a user approved that this command runs outside of the sandbox. */
  readonly unconfined?: boolean
  /** The session in whose shell the command runs; absent: the command has its own sandbox. */
  readonly inShellOf?: SessionData.SessionId
}

export type Run = (request: Request) => Effect.Effect<Execution.RunResult, ToolError.ToolError>

/** The parts of a call's commands that do not depend on the session's directories. */
export interface Parts {
  readonly proxy?: Proxy.Proxy | null
  readonly variablesOf?: Session["variablesOf"]
  readonly background?: BackgroundCommands
  readonly vault?: CommandVault.CommandVault
  /** True if the commands of a session share a shell. */
  readonly sharesShell?: boolean
}

type Caller = Parameters<ProvidedExecution["make"]>[0]

/** Makes the Execution of a call. All calls of a session without withheld paths and without network share one. */
export const make = (
  runPlain: Run,
  { background, proxy = null, sharesShell = false, variablesOf, vault }: Parts = {}
): ProvidedExecution["make"] => {
  const runUsual = withVault(runPlain, vault, [])
  const usual: Service = { run: (invoke, options = {}) => runUsual({ invoke, options }) }
  return (caller, mark, { admitHost, withheld } = {}) => {
    // oxlint-disable-next-line typescript/no-useless-default-assignment -- a program without types may leave it out
    const { grants = [], sessionId, sessionPath } = caller
    const network = proxy === null || admitHost === undefined ? null : { proxy, admit: marking(admitHost, mark) }
    const isUsual = withheld === undefined && network === null && grants.length === 0
    if (isUsual && variablesOf === undefined && background === undefined) return usual
    const runGranted = withVault(runPlain, vault, grants)
    const run = background === undefined ? runGranted : exclusive(runGranted, background, caller)
    const variables = () => (variablesOf === undefined ? {} : { variables: variablesOf(sessionId) })
    const hidden = withheld === undefined ? {} : { withheld }
    const bounds = {
      opened: openedBy(grants),
      unconfined: grants.some(({ _tag }) => _tag === "Unconfined"),
      ...hidden,
      ...(network === null ? {} : { network })
    }
    // A user's grant is for one command, so a command with a grant does not run in the shell.
    const shells = sharesShell && grants.length === 0 ? (background?.shells ?? null) : null
    const inShell = shells === null ? {} : { inShellOf: sessionId }
    const runAlone: Service["run"] = (invoke, options = {}) =>
      run({ invoke, options, ...bounds, ...inShell, ...variables() })
    if (background === undefined) return { run: runAlone }
    const runLasting: RunInBackground = ({ admit, joining, ...running }, pauses) =>
      run({
        ...running,
        // A user's grant only lasts for its call.
        opened: null,
        unconfined: false,
        ...hidden,
        ...variables(),
        ...(pauses === undefined ? {} : { pauses }),
        ...(joining === null ? {} : { joining }),
        ...(admit === null || proxy === null ? {} : { network: { proxy, admit } })
      })
    const call = { sessionId, sessionPath, mark, admit: network?.admit ?? null }
    return {
      run:
        grants.length > 0
          ? runAlone
          : (invoke, options = {}) =>
              options.atTimeLimit === undefined
                ? runAlone(invoke, options)
                : runAwaited({ background, call, shells, runLasting }, invoke, options),
      background: background.forCall(call, (running) => runLasting(running))
    }
  }
}

const withVault =
  (run: Run, vault: CommandVault.CommandVault | undefined, grants: ReadonlyArray<Grant.Grant>): Run =>
  (request) =>
    vault === undefined && request.options.vault === undefined
      ? run(request)
      : Effect.flatMap(CommandVault.partsOf(vault, grants, request.options.vault), (parts) =>
          run({ ...request, ...parts })
        )

/** Keeps a command outside of the sandbox apart from the confined commands of its tree. */
const exclusive =
  (run: Run, { exclusion }: BackgroundCommands, { isByUser = false, sessionId, sessionPath }: Caller): Run =>
  (request) => {
    // A command that the user types runs at once, as in a terminal.
    if (isByUser && request.unconfined === true) return run(request)
    const { invoke, unconfined } = request
    const command = { tree: sessionPath[0] ?? sessionId, invoke, isConfined: unconfined !== true }
    return CommandExclusion.whileApart(exclusion, command, run(request))
  }

/** Runs a command that may outlast its call. */
type RunInBackground = (
  running: CommandRun & { readonly inShellOf?: SessionData.SessionId },
  pauses?: PausableTimeout.Pauses
) => ReturnType<Run>

interface CommandWait {
  readonly background: BackgroundCommands
  readonly call: Parameters<BackgroundCommands["whileAwaited"]>[0]
  /** The shells of the tree's sessions; null: the command does not run in one. */
  readonly shells: BackgroundCommands["shells"] | null
  readonly runLasting: RunInBackground
}

/** Runs a command whose call ends at its time limit, while the command continues in the background. */
const runAwaited = (
  { background, call, runLasting, shells }: CommandWait,
  invoke: Parameters<Service["run"]>[0],
  options: NonNullable<Parameters<Service["run"]>[1]>
): ReturnType<Service["run"]> => {
  const { sessionId } = call
  const pauses = PausableTimeout.make()
  const awaited = background.whileAwaited(call, {
    invoke,
    options,
    pauses,
    run: (running) => runLasting({ ...running, ...(shells === null ? {} : { inShellOf: sessionId }) }, pauses),
    ...(shells === null ? {} : { onLeft: () => ShellSlots.vacate(shells, sessionId) })
  })
  return shells === null
    ? awaited
    : Effect.mapError(awaited, (error) => {
        const note = ShellSlots.takeNote(ShellSlots.slotOf(shells, sessionId))
        return note === "" ? error : TimeLimit.withLongerHint(error, note.trimEnd())
      })
}

const openedBy = (grants: ReadonlyArray<Grant.Grant>): AllowedEntries | null => {
  const opening = grants.filter((grant) => grant._tag === "Write")
  if (opening.length === 0) return null
  return opening.some(({ repositories }) => repositories === true) ? "repositories" : "files"
}

/** Marks the call as untrusted once it contacts a host, because a command may print or store the response. */
const marking =
  (admit: ToolContext.AdmitHost, mark: ToolContext.Mark): ToolContext.AdmitHost =>
  (host) =>
    Effect.tap(admit(host), (reason) => Effect.sync(() => (reason === null ? mark("untrusted") : undefined)))
