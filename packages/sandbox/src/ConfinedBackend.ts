/** Runs commands in the sandbox of the machine: bubblewrap on Linux, Seatbelt on macOS. */
import type { ToolError } from "@bough/protocol"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { type ProvidedExecution, refused, type Sandbox, type Session } from "./Backend.ts"
import * as CommandExclusion from "./CommandExclusion.ts"
import * as CommandService from "./CommandService.ts"
import * as Environment from "./Environment.ts"
import * as HostBackend from "./HostBackend.ts"
import { execution } from "./internal/execution.ts"
import { preconditions } from "./preconditions.ts"
import * as Proxy from "./Proxy.ts"
import type { SandboxDirectories } from "./SandboxDirectories.ts"
import * as SandboxReport from "./SandboxReport.ts"
import type * as SandboxSetup from "./SandboxSetup.ts"
import * as SearchPath from "./SearchPath.ts"
import type * as SeatbeltExecution from "./SeatbeltExecution.ts"
import * as ServiceProgram from "./ServiceProgram.ts"
import type { Settings } from "./Settings.ts"
import * as ShellSlots from "./ShellSlots.ts"
import type { TrialCache } from "./TrialCache.ts"

interface BuiltSandbox extends SandboxSetup.SandboxParts {
  /** Null: the machine is not macOS. */
  readonly seatbelt: SeatbeltExecution.SeatbeltWorkshop | null
}

/** The parts of the backend that all sessions share. */
interface Backend {
  readonly settings: Settings
  readonly environment: Environment.HostVariables
  /** The variables of confined commands. */
  readonly variables: Environment.Variables
  /** The options of commands outside of the sandbox. */
  readonly outside: HostBackend.HostOptions
  /** The directories of tools that commands may read. */
  readonly shown: ReadonlyArray<string>
  /** Null: commands have no network. */
  readonly proxy: Proxy.Proxy | null
  /** Tests the sandbox. A result without faults is cached. */
  readonly built: Effect.Effect<BuiltSandbox>
}

export const make = Effect.fnUntraced(function* (
  settings: Settings,
  environment: Environment.HostVariables,
  { proxy, tried }: { readonly proxy: Proxy.Proxy | null; readonly tried: TrialCache | null }
): Effect.fn.Return<Sandbox> {
  const { path, toolchains } = yield* SearchPath.find(environment)
  const variables = {
    ...Environment.confinedVariables(environment, path, settings.environmentKeys),
    ...toolchains.variables
  }
  const outside = {
    variables: Environment.unconfinedVariables(environment, settings.environmentKeys),
    maxOutputBytes: settings.maxOutputBytes
  }
  const shown = [...toolchains.directories, ...settings.readOnlyPaths]
  const built = yield* Effect.cachedWithTTL(
    Effect.flatMap(execution, ({ SandboxSetup, SeatbeltSetup }): Effect.Effect<BuiltSandbox> =>
      settings.backend === "seatbelt"
        ? Effect.map(SeatbeltSetup.build(settings, variables, environment), ({ report, workshop }) => ({
            report,
            workshop: null,
            seatbelt: workshop
          }))
        : Effect.map(SandboxSetup.build(settings, variables, { host: environment, tried }), (setup) => ({
            ...setup,
            seatbelt: null
          }))
    ),
    (exit) => (exit._tag === "Success" && exit.value.report.available ? Duration.infinity : Duration.zero)
  )
  const backend: Backend = { settings, environment, variables, outside, shown, proxy, built }
  return {
    report: Effect.map(built, ({ report }) => report),
    service: (session) => (program) => serve(backend, session, program),
    provided: (session) => provide(backend, session)
  }
})

const confinedOnly = "commands run in the sandbox alone here: no approval changes that"

const findPlace = Effect.fnUntraced(function* ({ environment, settings, shown }: Backend, session: Session) {
  const { SandboxSetup } = yield* execution
  return yield* SandboxSetup.findDirectories(session, { settings, shown, home: environment["HOME"] })
})

/** Runs a program that serves a session. */
const serve = Effect.fnUntraced(function* (
  backend: Backend,
  session: Session,
  program: ServiceProgram.ServiceProgram
): Effect.fn.Return<Effect.Success<ReturnType<CommandService.Run>>, ToolError.ToolError> {
  const { built, outside, proxy, settings } = backend
  const { admit, argv, cwd, input, isUnconfined, limits, onOutput, variables, withheld } = program
  if (isUnconfined && settings.confinedOnly) return yield* refused(confinedOnly)
  if (isUnconfined) return yield* HostBackend.serve(outside, session)(program)
  const { BubblewrapExecution, SeatbeltExecution } = yield* execution
  const { report, seatbelt, workshop } = yield* built
  if (!report.available) return yield* refused(SandboxReport.refusal(report))
  const directories = yield* findPlace(backend, session)
  const request = {
    options: { ...(cwd === undefined ? {} : { cwd }), onOutput },
    input,
    ...(withheld === undefined ? {} : { withheld }),
    ...(proxy === null || admit === null ? {} : { network: { proxy, admit } })
  }
  if (seatbelt !== null) {
    const limited = { ...seatbelt, limits: ServiceProgram.lower(seatbelt.limits, limits) }
    return yield* SeatbeltExecution.run(limited, directories, { ...request, invoke: { argv }, variables })
  }
  if (workshop === null) return yield* refused(SandboxReport.refusal(report))
  const machine = { ...workshop.machine, limits: ServiceProgram.lower(workshop.machine.limits, limits) }
  return yield* BubblewrapExecution.run({ ...workshop, machine }, directories, {
    ...request,
    invoke: { argv: ServiceProgram.decodingCommand(argv) },
    environment: ServiceProgram.encodeVariables(variables)
  })
})

const provide = (backend: Backend, session: Session): ProvidedExecution => {
  const { proxy, settings, shown } = backend
  const { background, variablesOf, vault, ...where } = session
  let known: SandboxDirectories | null = null
  const directories = Effect.suspend(() =>
    known === null ? Effect.map(findPlace(backend, session), (found) => (known = found)) : Effect.succeed(known)
  )
  const variables = proxy === null ? backend.variables : Proxy.variablesOver(backend.variables)
  return {
    make: CommandService.make((request) => run(backend, { session, directories }, request), {
      proxy,
      sharesShell: settings.backend === "session",
      ...(variablesOf === undefined ? {} : { variablesOf }),
      ...(background === undefined ? {} : { background }),
      ...(vault === undefined ? {} : { vault })
    }),
    reach: "Confined",
    preconditions: preconditions({ settings, shown, ...where, network: proxy !== null }, variables),
    ...(background === undefined
      ? {}
      : {
          whyNotNow: ({ grants, isByUser, sessionId, sessionPath }) =>
            isByUser !== true && (grants ?? []).some(({ _tag }) => _tag === "Unconfined")
              ? CommandExclusion.whyConfined(background.exclusion, sessionPath[0] ?? sessionId)
              : null
        }),
    prepare: prepare(backend, { session, directories })
  }
}

interface PlacedSandbox {
  readonly session: Session
  /** The directories of the session as the sandbox shows them; found with the first command. */
  readonly directories: Effect.Effect<SandboxDirectories, ToolError.ToolError>
}

/** Runs a command outside of the sandbox if it was approved, else in the shell of its session or in its own sandbox. */
const run = Effect.fnUntraced(function* (
  { built, outside, proxy, settings }: Backend,
  { directories, session }: PlacedSandbox,
  { inShellOf, unconfined, ...request }: CommandService.Request
): Effect.fn.Return<Effect.Success<ReturnType<CommandService.Run>>, ToolError.ToolError> {
  const { HostExecution, SandboxSetup, SeatbeltExecution, ShellExecution } = yield* execution
  if (unconfined === true && settings.confinedOnly) return yield* refused(confinedOnly)
  if (unconfined === true) {
    const { roots, start } = yield* SandboxSetup.rootsOf(session)
    // Excludes the session's variables: the user approved only the command, not settings that could change it.
    return yield* HostExecution.run(outside, { start, roots: roots.map(({ path }) => path) }, request)
  }
  const { report, seatbelt, workshop } = yield* built
  if (!report.available) return yield* refused(SandboxReport.refusal(report))
  const found = yield* directories
  if (seatbelt !== null) return yield* SeatbeltExecution.run(seatbelt, found, request)
  if (workshop === null) return yield* refused(SandboxReport.refusal(report))
  const shells = session.background?.shells
  if (inShellOf === undefined || shells === undefined) {
    return yield* runInSandbox({ workshop, directories: found, standby: session.background?.standby }, request)
  }
  const slot = ShellSlots.slotOf(shells, inShellOf)
  return yield* ShellExecution.run({ workshop, directories: found, shells, slot, hasProxy: proxy !== null }, request)
})

interface OwnSandbox {
  readonly workshop: NonNullable<BuiltSandbox["workshop"]>
  readonly directories: SandboxDirectories
  /** The sandbox that was prepared for the next command; absent: none is prepared. */
  readonly standby: NonNullable<Session["background"]>["standby"] | undefined
}

/** Runs a command in a sandbox of its own, and prepares one of the same shape for the next command. */
const runInSandbox = Effect.fnUntraced(function* (
  { directories, standby, workshop }: OwnSandbox,
  request: Omit<CommandService.Request, "inShellOf" | "unconfined">
): Effect.fn.Return<Effect.Success<ReturnType<CommandService.Run>>, ToolError.ToolError> {
  const { PreparedStart, BubblewrapExecution } = yield* execution
  if (standby === undefined) return yield* BubblewrapExecution.run(workshop, directories, request)
  const { network, options, withheld } = request
  const shape = { merged: options.merged === true, proxied: network !== undefined && workshop.canProxy, withheld }
  return yield* Effect.ensuring(
    BubblewrapExecution.run(workshop, directories, { ...request, standby }),
    PreparedStart.prepareSoon(standby, directories, { ...shape, workshop })
  )
})

/** The shape of the commands of most calls. */
const firstShape = { merged: true, withheld: undefined }

/** Prepares the sandbox of the first command. If a path cannot be used, the command that needs it reports this. */
const prepare = ({ built, proxy, settings }: Backend, { directories, session: { background } }: PlacedSandbox) =>
  Effect.flatMap(execution, ({ PreparedStart, Pipes }) =>
    Effect.gen(function* () {
      const [[{ report, workshop }, found]] = yield* Effect.all([Effect.all([built, directories]), Pipes.prepare], {
        concurrency: 2
      })
      if (!report.available || workshop === null || background === undefined) return
      if (settings.backend !== "bubblewrap") return
      const proxied = proxy !== null && workshop.canProxy
      yield* PreparedStart.prepare(background.standby, found, { ...firstShape, proxied, workshop })
    }).pipe(Effect.ignore)
  )
