/** Execution in a sandbox that bubblewrap builds for each command and that ends with the command. */
import { ToolError } from "@bough/protocol"
import { type Execution, PausableTimeout, type ToolContext } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Bubblewrap from "./Bubblewrap.ts"
import type * as CommandInput from "./CommandInput.ts"
import type { VaultParts } from "./CommandVault.ts"
import type { Variables } from "./Environment.ts"
import * as ExitStatus from "./ExitStatus.ts"
import * as Arguments from "./internal/Arguments.ts"
import { admit, begin, isInitBound, killAll, settle } from "./internal/BubblewrapProcess.ts"
import type { StartFailed } from "./internal/ChildProcess.ts"
import type * as CommandNetwork from "./internal/CommandNetwork.ts"
import * as CommandView from "./internal/CommandView.ts"
import { type Checks, runGuarded } from "./internal/guarded.ts"
import * as MountWatch from "./internal/MountWatch.ts"
import type * as SandboxSockets from "./internal/SandboxSockets.ts"
import { attend, type Outcome } from "./internal/Supervise.ts"
import * as PreparedStart from "./PreparedStart.ts"
import { forCommand, type AllowedEntries, type SandboxDirectories } from "./SandboxDirectories.ts"
import * as ServiceProgram from "./ServiceProgram.ts"
import type { StandbySlot } from "./StandbySlot.ts"
import * as Withheld from "./Withheld.ts"
import type { Workshop } from "./Workshop.ts"

export interface Request extends VaultParts {
  readonly invoke: Execution.Invoke | string
  readonly options: Execution.RunOptions
  /** The paths that rules withhold from the command. */
  readonly withheld?: ToolContext.WithheldLocations
  /** The changes that a user allowed to entries that are otherwise protected; absent or null: none. */
  readonly opened?: AllowedEntries | null
  /** Called before the command starts, with a function that reports its requests. */
  readonly onRequests?: (requests: () => ReadonlyArray<Execution.CommandRequest>) => void
  /** Called before the start with the checks that may run meanwhile. */
  readonly onCheck?: (checks: Checks) => void
  /** Called with its sockets before it starts; absent: its ports are private. */
  readonly joining?: (inside: SandboxSockets.SandboxSockets) => Effect.Effect<void>
  /** The command's access to the network; absent: it has none. */
  readonly network?: CommandNetwork.Network
  /**
   * Variables that the session set only for the command: neither bubblewrap nor the shell that guards its start sees
   * them.
   */
  readonly variables?: Variables
  /**
   * Variables that bubblewrap and the shell that guards the start also see, so their names must have no meaning for
   * these programs.
   */
  readonly environment?: Variables
  /** The command's standard input; absent or null: it is empty. */
  readonly input?: CommandInput.CommandInput | null
  /** Pauses: the command's time limit is paused while one is open. */
  readonly pauses?: PausableTimeout.Pauses
  /** The slot of the sandbox that is prepared for the next command; absent: each command makes its own sandbox. */
  readonly standby?: StandbySlot
  /** True for Bough's command that tests the sandbox: it also starts in a sandbox that may be ineffective. */
  readonly isTrial?: boolean
}

/** Runs one command in its own sandbox. */
export const run = (workshop: Workshop, usual: SandboxDirectories, request: Request) =>
  request.network === undefined || !workshop.canProxy
    ? runJoined(workshop, usual, { ...request, joined: null })
    : Effect.scoped(withNetwork(workshop, usual, { ...request, network: request.network }))

/** Runs a command with network. The time of a user's decision about a host does not count as time of the command. */
const withNetwork = Effect.fnUntraced(function* (
  workshop: Workshop,
  usual: SandboxDirectories,
  request: Request & { readonly network: CommandNetwork.Network }
) {
  const { admit, proxy } = request.network
  const { pauses = PausableTimeout.make() } = request
  const connections = yield* proxy.open((host) => PausableTimeout.pauseDuring(pauses, admit(host)))
  request.onRequests?.(connections.requests)
  const ran = yield* runJoined(workshop, usual, { ...request, pauses, joined: { connections } })
  return { ...ran, requests: connections.requests() }
})

const runJoined = Effect.fnUntraced(function* (
  workshop: Workshop,
  usual: SandboxDirectories,
  { joined, ...request }: Request & { readonly joined: CommandNetwork.ConnectedNetwork | null }
) {
  const withheld = yield* Withheld.resolveWithheld(usual, request.withheld)
  const directories = forCommand(usual, request.opened ?? null, withheld.directories)
  const plain = withVariables(request.variables ?? {}, yield* Arguments.argv(request.invoke, workshop.machine.shell))
  // Every user of the machine can see arguments, so secrets are not passed as arguments.
  const argv = request.secrets === undefined ? plain : ServiceProgram.decodingCommand(plain)
  const roots = directories.roots.map(({ path }) => path)
  const cwd = yield* Arguments.directory({ start: directories.start, roots }, request.options.cwd)
  const proxied = joined !== null
  const joining = workshop.canConnect ? (request.joining ?? null) : null
  const connected = joining !== null
  const standby = isPlain({ ...request, joining }) ? (request.standby ?? null) : null
  const guarding = { devices: workshop.devices, releasing: standby?.scope ?? null }
  const { held, value: outcome } = yield* runGuarded(guarding, directories, (standings, around) => {
    request.onCheck?.(around)
    const { repositories, shown } = around
    return Effect.flatMap(
      CommandView.make(directories, standings, { connected, repositories, proxied, shown, withheld }),
      (view) => {
        const contents = CommandView.contents({ repositories, shown, withheld })
        const merged = request.options.merged === true
        const { hiding, input = null, secrets } = request
        const environment = {
          ...request.environment,
          ...(secrets === undefined ? {} : ServiceProgram.encodeVariables(secrets))
        }
        const started = Effect.suspend(() => {
          const command = ["--chdir", cwd, ...Bubblewrap.gateCommand(workshop.machine, argv, { connected, proxied })]
          const args = [...Bubblewrap.args(workshop.machine, view, workshop.hold), ...command]
          return begin(workshop, directories.user, { args, connected, contents, environment, input, joined, merged })
        })
        const ahead =
          standby &&
          PreparedStart.forCommand(standby, { argv, contents, cwd, joined, merged, directories, view, workshop })
        const attended = (starting: typeof started) =>
          attend(starting, {
            ...request.options,
            ...(request.pauses === undefined ? {} : { pauses: request.pauses }),
            ...(hiding === undefined ? {} : { hiding }),
            maxOutputBytes: workshop.maxOutputBytes,
            admit: admit(
              request.isTrial === true ? () => Effect.succeed(true) : isInitBound(workshop.hold),
              joining,
              ahead
            ),
            kill: killAll,
            settle: (report, child) => Effect.andThen(settle(report), ahead?.settle(child) ?? Effect.void)
          })
        const inOne =
          ahead === null
            ? attended(started)
            : Effect.flatMap(attended(ahead.orElse(started)), (outcome) =>
                ahead.endedUnused() ? attended(started) : Effect.succeed(outcome)
              )
        return MountWatch.whileMounted(view, inOne)
      }
    )
  }).pipe(Effect.catchTag("StartFailed", (failed) => notStarted(failed, request)))
  return yield* result({ ...outcome, stderr: outcome.stderr + held }, request)
})

/** True for a command without extra streams, variables, secrets or connections. */
const isPlain = ({
  environment,
  input = null,
  isTrial = false,
  joining,
  opened = null,
  secrets
}: Omit<Request, "joining"> & { readonly joining: Request["joining"] | null }): boolean =>
  environment === undefined &&
  secrets === undefined &&
  input === null &&
  !isTrial &&
  joining === null &&
  opened === null

const withVariables = (variables: Variables, argv: ReadonlyArray<string>): ReadonlyArray<string> => {
  const set = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
  return set.length === 0 ? argv : ["/usr/bin/env", "--", ...set, ...argv]
}

const result = (
  outcome: Outcome,
  { invoke, options }: Request
): Effect.Effect<Execution.RunResult, ToolError.ToolError> => {
  const { exitCode, report, signal, ...rest } = outcome
  const code = /"exit-code": (\d+)/.exec(report)?.[1]
  if (code !== undefined) return Effect.succeed({ ...ExitStatus.fromCode(Number(code)), ...rest })
  const output = `${outcome.stdout}${outcome.stderr}`
  if (output.includes("Can't chdir to")) return Arguments.noDirectory(options.cwd)
  if (output.includes("Argument list too long")) return Arguments.tooLongError(invoke)
  return refuse(output.trim() || `bwrap ended with ${signal ?? exitCode}`)
}

/** The error of a sandbox that did not start. */
export const notStarted = (
  failed: StartFailed,
  { invoke }: Pick<Request, "invoke">
): Effect.Effect<never, ToolError.ToolError> =>
  failed.code === "E2BIG" ? Arguments.tooLongError(invoke) : refuse(failed.message)

const refuse = (detail: string) =>
  Effect.fail(new ToolError.PermissionDenied({ tier: "System", reason: `SandboxUnavailable: ${detail}` }))
