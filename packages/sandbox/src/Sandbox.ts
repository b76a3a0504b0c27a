/** Commands for sessions: the operator's backend as a capability, with a report of the tests of the sandbox. */
import { Canonical, type Session as SessionData, ToolError } from "@bough/protocol"
import { type Execution, type Grant, PausableTimeout, type ToolContext } from "@bough/tool"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { BackgroundCommands } from "./BackgroundCommands.ts"
import * as CommandExclusion from "./CommandExclusion.ts"
import * as CommandVault from "./CommandVault.ts"
import type * as BubblewrapExecution from "./BubblewrapExecution.ts"
import type * as SandboxSetup from "./SandboxSetup.ts"
import type * as SeatbeltExecution from "./SeatbeltExecution.ts"
import * as Environment from "./Environment.ts"
import * as Proxy from "./Proxy.ts"
import type { OpenedDoors, SandboxPlace } from "./SandboxPlace.ts"
import * as ServiceProgram from "./ServiceProgram.ts"
import * as SearchPath from "./SearchPath.ts"
import * as ShellSlots from "./ShellSlots.ts"
import * as TimeLimit from "./internal/TimeLimit.ts"
import * as SandboxReport from "./SandboxReport.ts"
import type { Running } from "./internal/BackgroundCommand.ts"
import { type Settings, withDefaults } from "./Settings.ts"
import type { TriedBefore } from "./TriedBefore.ts"

const execution = Effect.promise(() => import("./CommandExecution.ts"))

type Service = Execution.Execution["Service"]
type Provided = ToolContext.Provided<Service>
/** `unconfined`: a user approved that this command runs outside of the sandbox. */
type Run = (
  request: BubblewrapExecution.Request & {
    readonly unconfined?: boolean
    /** The session in whose shell the command runs; absent: the command has its own sandbox. */
    readonly inShellOf?: SessionData.SessionId
  }
) => Effect.Effect<Execution.RunResult, ToolError.ToolError>

/** `writable`: the session may write its workspace. */
export interface Session extends SandboxSetup.SessionPlace {
  readonly writable: boolean
  /** Absent: commands get no entries of a vault. */
  readonly vault?: CommandVault.CommandVault
}

export interface Sandbox {
  /** Tests the properties of the sandbox. A result without faults is cached; otherwise the next use tests again. */
  readonly report: Effect.Effect<SandboxReport.SandboxReport>
  /** Makes the Execution of one session. Nothing is tested before the first command is announced. */
  readonly provided: (session: Session) => Provided
  /** Runs a program that serves a session, in the place where the session's commands run. */
  readonly service: (session: Session) => ServiceProgram.RunService<ToolError.ToolError>
}

/** The parts of a sandbox that are not the operator's settings. */
export interface Outside {
  /** The network for commands of sessions that may send; null: they have no network. */
  readonly proxy?: Proxy.Proxy | null
  /** The cache of earlier results; null: every property is tested again. */
  readonly tried?: TriedBefore | null
}

/** `environment` is the operator's own; commands see only its PATH, locale and the variables that the settings name. */
export const make = (
  settings: Partial<Settings>,
  environment: Environment.HostVariables,
  { proxy = null, tried = null }: Outside = {}
): Effect.Effect<Sandbox> => {
  const chosen = withDefaults(settings)
  switch (chosen.backend) {
    case "bubblewrap":
    case "session":
    case "seatbelt":
      return confined(chosen, environment, { proxy, tried })
    case "host":
      return Effect.succeed(host(chosen, environment))
    case "disabled":
      return Effect.succeed(disabled)
  }
}

/** The parts of a call's commands that do not depend on the session's directories. */
interface Ways {
  readonly proxy?: Proxy.Proxy | null
  readonly variablesOf?: Session["variablesOf"]
  readonly background?: BackgroundCommands
  readonly vault?: CommandVault.CommandVault
  /** True if the commands of a session share a shell. */
  readonly sharesShell?: boolean
}

/** Reuses one service for all calls of a session without withheld paths and without network. */
const service = (
  runPlain: Run,
  { background, proxy = null, sharesShell = false, variablesOf, vault }: Ways = {}
): Provided["make"] => {
  const withVault =
    (grants: ReadonlyArray<Grant.Grant>): Run =>
    (request) =>
      vault === undefined && request.options.vault === undefined
        ? runPlain(request)
        : Effect.flatMap(CommandVault.partsOf(vault, grants, request.options.vault), (parts) =>
            runPlain({ ...request, ...parts })
          )
  const runUsual = withVault([])
  const made: Service = { run: (invoke, options = {}) => runUsual({ invoke, options }) }
  // oxlint-disable-next-line typescript/no-useless-default-assignment -- a program without types may leave it out
  return ({ grants = [], isByUser = false, sessionId, sessionPath }, mark, { admitHost, withheld } = {}) => {
    const network = proxy === null || admitHost === undefined ? null : { proxy, admit: marking(admitHost, mark) }
    const runGranted = withVault(grants)
    const run: Run =
      background === undefined
        ? runGranted
        : (request) =>
            // A command that the user types runs at once, as in a terminal.
            isByUser && request.unconfined === true
              ? runGranted(request)
              : CommandExclusion.whileApart(
                  background.exclusion,
                  {
                    tree: sessionPath[0] ?? sessionId,
                    invoke: request.invoke,
                    isConfined: request.unconfined !== true
                  },
                  runGranted(request)
                )
    const isGranted = (tag: Grant.Grant["_tag"]) => grants.some(({ _tag }) => _tag === tag)
    const [opened, unconfined] = [openedBy(grants), isGranted("Unconfined")]
    const isUsual = withheld === undefined && network === null && grants.length === 0
    if (isUsual && variablesOf === undefined && background === undefined) return made
    const bounds = {
      opened,
      unconfined,
      ...(withheld === undefined ? {} : { withheld }),
      ...(network === null ? {} : { network })
    }
    const variables = () => (variablesOf === undefined ? {} : { variables: variablesOf(sessionId) })
    // A user's grant only lasts for its call.
    const lasting = { opened: null, unconfined: false, ...(withheld === undefined ? {} : { withheld }) }
    const call = { sessionId, sessionPath, mark, admit: network?.admit ?? null }
    const runTied = (
      { admit, joining, ...running }: Running & { readonly inShellOf?: SessionData.SessionId },
      pauses?: PausableTimeout.Pauses
    ) =>
      run({
        ...running,
        ...lasting,
        ...variables(),
        ...(pauses === undefined ? {} : { pauses }),
        ...(joining === null ? {} : { joining }),
        ...(admit === null || proxy === null ? {} : { network: { proxy, admit } })
      })
    // A user's grant is for one command, so a command with a grant does not run in the shell.
    const shells = sharesShell && grants.length === 0 ? (background?.shells ?? null) : null
    const shared = shells === null ? {} : { inShellOf: sessionId }
    const runAlone: Service["run"] = (invoke, options = {}) =>
      run({ invoke, options, ...bounds, ...shared, ...variables() })
    return {
      run:
        background === undefined || grants.length > 0
          ? runAlone
          : (invoke, options = {}) => {
              if (options.atTimeLimit === undefined) return runAlone(invoke, options)
              const pauses = PausableTimeout.make()
              const awaited = background.whileAwaited(call, {
                invoke,
                options,
                pauses,
                run: (running) => runTied({ ...running, ...shared }, pauses),
                ...(shells === null ? {} : { onLeft: () => ShellSlots.vacate(shells, sessionId) })
              })
              return shells === null
                ? awaited
                : Effect.mapError(awaited, (error) => {
                    const note = ShellSlots.takeNote(ShellSlots.slotOf(shells, sessionId))
                    return note === "" ? error : TimeLimit.alsoSaying(error, note.trimEnd())
                  })
            },
      ...(background === undefined
        ? {}
        : {
            background: background.forCall(call, (running) => runTied(running))
          })
    }
  }
}

const openedBy = (grants: ReadonlyArray<Grant.Grant>): OpenedDoors | null => {
  const opening = grants.filter((grant) => grant._tag === "Write")
  if (opening.length === 0) return null
  return opening.some(({ repositories }) => repositories === true) ? "repositories" : "files"
}

/** Marks the call as untrusted once it contacts a host, because a command may print or store the response. */
const marking =
  (admit: ToolContext.AdmitHost, mark: ToolContext.Mark): ToolContext.AdmitHost =>
  (host) =>
    Effect.tap(admit(host), (reason) => Effect.sync(() => (reason === null ? mark("untrusted") : undefined)))

const refused = (reason: string) => Effect.fail(new ToolError.PermissionDenied({ tier: "System", reason }))

const confinedOnly = "commands run in the sandbox alone here: no approval changes that"
const off = "commands are switched off by the operator's configuration"
const disabled: Sandbox = {
  report: Effect.succeed({ available: false, backend: "disabled", checks: [], missing: ["commands"], hint: off }),
  provided: () => ({ make: service(() => refused(off)), reach: "Confined", preconditions: [] }),
  service: () => () => refused(off)
}

const host = (settings: Settings, environment: Environment.HostVariables): Sandbox => {
  const variables = Environment.unconfined(environment, settings.environmentKeys)
  const options = { variables, maxOutputBytes: settings.maxOutputBytes }
  return {
    report: Effect.succeed(SandboxReport.fromChecks("host", [], "")),
    provided: (session) => ({
      make: service(
        Effect.fnUntraced(function* (request) {
          const { HostExecution, SandboxSetup } = yield* execution
          const { roots, start } = yield* SandboxSetup.rootsOf(session)
          return yield* HostExecution.run(options, { start, roots: roots.map(({ path }) => path) }, request)
        }),
        session.vault === undefined ? {} : { vault: session.vault }
      ),
      reach: "Host",
      preconditions: preconditions({ backend: "host", root: session.root }, variables)
    }),
    service: (session) => serveOutside(options, session)
  }
}

type HostOptions = Pick<Settings, "maxOutputBytes"> & { readonly variables: Environment.Variables }

const serveOutside = (options: HostOptions, session: Session): ServiceProgram.RunService<ToolError.ToolError> =>
  Effect.fnUntraced(function* ({ argv, cwd, input, onOutput, variables }) {
    const { HostExecution, SandboxSetup } = yield* execution
    const { roots, start } = yield* SandboxSetup.rootsOf(session)
    return yield* HostExecution.run(
      { ...options, variables: { ...options.variables, ...variables } },
      { start, roots: roots.map(({ path }) => path) },
      { invoke: { argv }, options: { ...(cwd === undefined ? {} : { cwd }), onOutput }, input }
    )
  })

interface Built extends SandboxSetup.Built {
  /** Null: the machine is not macOS. */
  readonly seatbelt: SeatbeltExecution.SeatbeltWorkshop | null
}

const confined = Effect.fnUntraced(function* (
  settings: Settings,
  environment: Environment.HostVariables,
  { proxy, tried }: { readonly proxy: Proxy.Proxy | null; readonly tried: TriedBefore | null }
) {
  const { path, toolchains } = yield* SearchPath.find(environment)
  const variables = {
    ...Environment.confined(environment, path, settings.environmentKeys),
    ...toolchains.variables
  }
  const outside = {
    variables: Environment.unconfined(environment, settings.environmentKeys),
    maxOutputBytes: settings.maxOutputBytes
  }
  const shown = [...toolchains.directories, ...settings.readOnlyPaths]
  const built = yield* Effect.cachedWithTTL(
    Effect.flatMap(execution, ({ SandboxSetup, SeatbeltSetup }): Effect.Effect<Built> =>
      settings.backend === "seatbelt"
        ? Effect.map(SeatbeltSetup.build(settings, variables, environment), ({ report, workshop }) => ({
            report,
            workshop: null,
            seatbelt: workshop
          }))
        : Effect.map(SandboxSetup.build(settings, variables, { host: environment, tried }), (built) => ({
            ...built,
            seatbelt: null
          }))
    ),
    (exit) => (exit._tag === "Success" && exit.value.report.available ? Duration.infinity : Duration.zero)
  )
  const made: Sandbox = {
    report: Effect.map(built, ({ report }) => report),
    service: (session) => (program) =>
      Effect.gen(function* () {
        const { isUnconfined } = program
        if (isUnconfined && settings.confinedOnly) return yield* refused(confinedOnly)
        if (isUnconfined) return yield* serveOutside(outside, session)(program)
        const { BubblewrapExecution, SandboxSetup, SeatbeltExecution } = yield* execution
        const { report, seatbelt, workshop } = yield* built
        if (!report.available) return yield* refused(SandboxReport.refusal(report))
        const { admit, argv, cwd, input, limits, onOutput, variables, withheld } = program
        const place = yield* SandboxSetup.place(session, { settings, shown, home: environment["HOME"] })
        const request = {
          options: { ...(cwd === undefined ? {} : { cwd }), onOutput },
          input,
          ...(withheld === undefined ? {} : { withheld }),
          ...(proxy === null || admit === null ? {} : { network: { proxy, admit } })
        }
        if (seatbelt !== null) {
          const limited = { ...seatbelt, limits: ServiceProgram.lower(seatbelt.limits, limits) }
          return yield* SeatbeltExecution.run(limited, place, { ...request, invoke: { argv }, variables })
        }
        if (workshop === null) return yield* refused(SandboxReport.refusal(report))
        const machine = { ...workshop.machine, limits: ServiceProgram.lower(workshop.machine.limits, limits) }
        return yield* BubblewrapExecution.run({ ...workshop, machine }, place, {
          ...request,
          invoke: { argv: ServiceProgram.unpacking(argv) },
          environment: ServiceProgram.carried(variables)
        })
      }),
    provided: (session) => {
      let place: SandboxPlace | null = null
      const placed = Effect.fnUntraced(function* () {
        const { SandboxSetup } = yield* execution
        return (place ??= yield* SandboxSetup.place(session, { settings, shown, home: environment["HOME"] }))
      })
      const run: Run = Effect.fnUntraced(function* ({ inShellOf, unconfined, ...request }) {
        const { AheadOfCommand, BubblewrapExecution, HostExecution, SandboxSetup, SeatbeltExecution, ShellExecution } =
          yield* execution
        if (unconfined === true && settings.confinedOnly) return yield* refused(confinedOnly)
        if (unconfined === true) {
          const { roots, start } = yield* SandboxSetup.rootsOf(session)
          // Excludes the session's variables: the user approved only the command, not settings that could change it.
          return yield* HostExecution.run(outside, { start, roots: roots.map(({ path }) => path) }, request)
        }
        const { report, seatbelt, workshop } = yield* built
        if (!report.available) return yield* refused(SandboxReport.refusal(report))
        const place = yield* placed()
        if (seatbelt !== null) return yield* SeatbeltExecution.run(seatbelt, place, request)
        if (workshop === null) return yield* refused(SandboxReport.refusal(report))
        const shells = session.background?.shells
        if (inShellOf === undefined || shells === undefined) {
          const standby = session.background?.standby
          if (standby === undefined) return yield* BubblewrapExecution.run(workshop, place, request)
          const { network, options, withheld } = request
          const shape = {
            merged: options.merged === true,
            proxied: network !== undefined && workshop.canProxy,
            withheld
          }
          return yield* Effect.ensuring(
            BubblewrapExecution.run(workshop, place, { ...request, standby }),
            AheadOfCommand.prepareSoon(standby, place, { ...shape, workshop })
          )
        }
        const slot = ShellSlots.slotOf(shells, inShellOf)
        return yield* ShellExecution.run({ workshop, place, shells, slot, hasProxy: proxy !== null }, request)
      })
      const { background, variablesOf, vault, ...where } = session
      const profile = { settings, shown, ...where, network: proxy !== null }
      return {
        make: service(run, {
          proxy,
          sharesShell: settings.backend === "session",
          ...(variablesOf === undefined ? {} : { variablesOf }),
          ...(background === undefined ? {} : { background }),
          ...(vault === undefined ? {} : { vault })
        }),
        reach: "Confined",
        preconditions: preconditions(profile, proxy === null ? variables : Proxy.variablesOver(variables)),
        ...(background === undefined
          ? {}
          : {
              whyNotNow: ({ grants, isByUser, sessionId, sessionPath }) =>
                isByUser !== true && (grants ?? []).some(({ _tag }) => _tag === "Unconfined")
                  ? CommandExclusion.whyConfined(background.exclusion, sessionPath[0] ?? sessionId)
                  : null
            }),
        // If a path cannot be used, the command that needs it reports this.
        prepare: Effect.flatMap(execution, ({ AheadOfCommand, Pipes }) =>
          Effect.gen(function* () {
            const [[{ report, workshop }, place]] = yield* Effect.all([Effect.all([built, placed()]), Pipes.prepare], {
              concurrency: 2
            })
            if (!report.available || workshop === null || background === undefined) return
            if (settings.backend !== "bubblewrap") return
            const proxied = proxy !== null && workshop.canProxy
            yield* AheadOfCommand.prepare(background.standby, place, { ...firstShape, proxied, workshop })
          }).pipe(Effect.ignore)
        )
      }
    }
  }
  return made
})

/** The shape of the commands of most calls. */
const firstShape = { merged: true, withheld: undefined }

const preconditions = (profile: unknown, variables: Environment.Variables): Provided["preconditions"] => [
  { _tag: "SandboxProfile", profile: Canonical.digestOf(profile) },
  { _tag: "EnvironmentKeys", keys: Environment.keysOf(variables) }
]
