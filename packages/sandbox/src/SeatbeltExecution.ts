/** Execution on macOS: each command runs under `sandbox-exec`, with a profile generated from the survey of the workspace. */
import { ToolError } from "@bough/protocol"
import { type Execution, PausableTimeout } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import { chownSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { createServer, type Server } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Request } from "./BubblewrapExecution.ts"
import * as CommandInput from "./CommandInput.ts"
import type { Variables } from "./Environment.ts"
import * as Arguments from "./internal/Arguments.ts"
import { type ChildProcess, kill, type User } from "./internal/ChildProcess.ts"
import * as Doors from "./internal/GitDoors.ts"
import { type Findings, runChecked } from "./internal/guarded.ts"
import * as OwnerWatch from "./internal/OwnerWatch.ts"
import { start } from "./internal/Pipes.ts"
import { attend } from "./internal/Supervise.ts"
import { type Limits, lenientScript } from "./Limits.ts"
import * as Proxy from "./Proxy.ts"
import { type CommandDirectories, forCommand, type SandboxDirectories } from "./SandboxDirectories.ts"
import { profile, type Specification } from "./SeatbeltProfile.ts"
import { contains } from "./Toolchains.ts"
import * as Withheld from "./Withheld.ts"

/** The parts that all commands of this process share. */
export interface SeatbeltWorkshop {
  /** `sandbox-exec`. */
  readonly program: string
  readonly shell: string
  readonly variables: Variables
  readonly limits: Limits
  readonly maxOutputBytes: number
  /** The operator's home, which is hidden from commands. */
  readonly home: string
}

/**
 * The parts of the system that programs read, without preferences and users' directories. `/System/Volumes/Data` would
 * contain all of these under other names.
 */
const system = [
  "/usr",
  "/bin",
  "/sbin",
  "/System/Library",
  "/System/Cryptexes",
  "/System/iOSSupport",
  "/System/Volumes/Preboot/Cryptexes",
  "/Library/Apple",
  "/Library/Developer/CommandLineTools",
  "/Applications/Xcode.app/Contents/Developer",
  "/opt/homebrew",
  "/private/etc/ssl",
  "/private/etc/localtime",
  "/private/var/db/timezone",
  "/private/var/db/dyld"
]

/** The data of services that the user installed, such as databases. */
const dataOfServices = ["/opt/homebrew/var", "/usr/local/var"]

/** Runs one command. Its process group is killed at the end; a process that left the group survives, and stays confined. */
export const run = (workshop: SeatbeltWorkshop, usual: SandboxDirectories, request: Request) =>
  Effect.scoped(runScoped(workshop, usual, request))

const runScoped = Effect.fnUntraced(function* (
  { limits, maxOutputBytes, program, shell, variables }: SeatbeltWorkshop,
  usual: SandboxDirectories,
  request: Request
): Effect.fn.Return<Execution.RunResult, ToolError.ToolError, Scope.Scope> {
  const { input = null, invoke, network, options, pauses = PausableTimeout.make() } = request
  const withheld = yield* Withheld.resolveWithheld(usual, request.withheld)
  const directories = forCommand(usual, request.opened ?? null, withheld.directories)
  const argv = yield* Arguments.argv(invoke, shell)
  const cwd = yield* Arguments.directory(
    { start: directories.start, roots: directories.roots.map(({ path }) => path) },
    options.cwd
  )
  const temporary = yield* temporaryDirectory(directories.user)
  const connections =
    network === undefined
      ? null
      : yield* network.proxy.open((host) => PausableTimeout.pauseDuring(pauses, network.admit(host)))
  if (connections !== null) request.onRequests?.(connections.requests)
  const proxyPort = connections === null ? null : yield* listening(connections)
  const environment = {
    ...variables,
    HOME: join(temporary, "home"),
    TMPDIR: temporary,
    ...request.variables,
    ...request.secrets
  }
  const merged = options.merged === true
  const { held, value: outcome } = yield* runChecked(directories, (around) => {
    request.onCheck?.(around)
    const text = profile(specificationOf({ around, directories, proxyPort, temporary, withheld }))
    const script = `${merged ? "exec 2>&1; " : ""}${lenientScript(limits)}`
    const begin = Effect.flatMap(
      OwnerWatch.asOrphan({
        program,
        args: ["-p", text, "/bin/sh", "-c", script, "sh", ...argv],
        cwd,
        env: proxyPort === null ? environment : Proxy.variablesOver(environment, proxyPort),
        ...(directories.user === null ? {} : { user: directories.user })
      }),
      (watched) => start({ ...watched, merged, ...(input === null ? {} : { input: "pipe" as const }) })
    ).pipe(
      Effect.tap(({ stdin }) => Effect.sync(() => (input === null ? undefined : CommandInput.attach(input, stdin))))
    )
    const { hiding } = request
    return attend(begin, {
      ...options,
      ...(hiding === undefined ? {} : { hiding }),
      pauses,
      maxOutputBytes,
      kill: killGroup
    })
  }).pipe(
    Effect.catchTag("StartFailed", ({ code, message }): Effect.Effect<never, ToolError.ToolError> => {
      if (code === "E2BIG") return Arguments.tooLongError(invoke)
      const reason = `SandboxUnavailable: ${message}`
      return Effect.fail(new ToolError.PermissionDenied({ tier: "System", reason }))
    })
  )
  const { report: _report, ...ran } = outcome
  const requests = connections === null ? {} : { requests: connections.requests() }
  return { ...ran, stderr: ran.stderr + held, ...requests }
})

// The group may outlive its leader.
const killGroup = ({ pid }: ChildProcess): Effect.Effect<void> => kill(-pid)

/** The command's own directory, which is deleted after the command. */
const temporaryDirectory = (user: User | null) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const directory = realpathSync(mkdtempSync(join(tmpdir(), "bough-command-")))
      mkdirSync(join(directory, "home"))
      if (user !== null) for (const name of [".", "home"]) chownSync(join(directory, name), user.uid, user.gid)
      return directory
    }),
    (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
  )

/** Serves the proxy of one command on this machine's loopback; returns the port. */
const listening = (connections: Proxy.Connections): Effect.Effect<number, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<Server>((resume) => {
      const server = createServer({ allowHalfOpen: true }, connections.connection)
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => server.close())
  ).pipe(
    Effect.map((server) => {
      const address = server.address()
      return typeof address === "object" && address !== null ? address.port : 0
    })
  )

interface ProfileInput {
  readonly around: Findings
  readonly directories: CommandDirectories
  readonly proxyPort: number | null
  readonly temporary: string
  readonly withheld: Withheld.WithheldEntries
}

/** The specification of one command. On macOS contents cannot be replaced, so a file with a secret is unreadable. */
const specificationOf = ({ around, directories, proxyPort, temporary, withheld }: ProfileInput): Specification => {
  const { repositories, shown } = around
  const opened = new Set(repositories.map(({ path }) => path))
  const doors = repositories.flatMap(({ doors, path }) =>
    doors.flatMap(({ name }) => (name === Doors.alternates ? [] : [join(path, name)]))
  )
  const writable = directories.roots.filter((root) => root.writable)
  const fixed = writable.flatMap(({ path }) => directories.protectedEntries.map((name) => join(path, name)))
  const isPlain = ({ content, path }: (typeof shown.replaced)[number]): boolean =>
    Result.getOrNull(Result.try(() => readFileSync(path, "utf8"))) === content
  return {
    readable: [...system, ...directories.readOnlyDirectories],
    roots: directories.roots,
    closed: [
      ...[...fixed, ...shown.readOnly].filter((path) => !opened.has(path)),
      ...doors,
      ...shown.replaced.filter(isPlain).map(({ path }) => path)
    ],
    growing: repositories
      .filter(({ doors }) => doors.some(({ name }) => name === Doors.alternates))
      .map(({ path }) => join(path, "objects")),
    hidden: [
      ...dataOfServices.filter((path) => !directories.roots.some((root) => contains(path, root.path))),
      ...directories.hiddenDirectories,
      ...shown.hidden,
      ...withheld.files,
      ...shown.replaced.filter((one) => !isPlain(one)).map(({ path }) => path)
    ],
    temporary,
    proxyPort
  }
}
