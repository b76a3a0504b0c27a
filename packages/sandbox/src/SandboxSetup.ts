/** Makes a sandbox from the operator's settings, tests it, and determines the directories of a session in it. */
import { type Session, ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { dirname } from "node:path"
import type { BackgroundCommands } from "./BackgroundCommands.ts"
import type { HostVariables, Variables } from "./Environment.ts"
import type { User } from "./internal/ChildProcess.ts"
import * as Disk from "./internal/Disk.ts"
import * as Worktree from "./internal/Worktree.ts"
import { find, type Machine } from "./Machine.ts"
import { checks } from "./Probe.ts"
import type { SandboxDirectories } from "./SandboxDirectories.ts"
import * as SandboxReport from "./SandboxReport.ts"
import type { Settings } from "./Settings.ts"
import { contains } from "./Toolchains.ts"
import * as TrialCache from "./TrialCache.ts"
import { open, type Workshop } from "./Workshop.ts"

/** `workshop` null: the machine lacks the parts of a sandbox. */
export interface SandboxParts {
  readonly report: SandboxReport.SandboxReport
  readonly workshop: Workshop | null
}

const installHint = "install it, for example `apt-get install bubblewrap` or `dnf install bubblewrap`"
const hints: Readonly<Record<string, string>> = {
  "user namespaces":
    "the kernel must let ordinary users make user namespaces: sysctl user.max_user_namespaces, " +
    "kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0; in a container also its seccomp profile",
  "own /proc": "a container must be started with an unmasked /proc: docker run --security-opt systempaths=unconfined"
}
const anyHint = "`bough doctor` shows every check"

export interface TestedSandbox {
  readonly host: HostVariables
  /** Null: the sandbox is tested again. */
  readonly tried: TrialCache.TrialCache | null
}

/** Finds the parts of the sandbox and tests it. */
export const build = Effect.fnUntraced(function* (
  settings: Settings,
  variables: Variables,
  { host, tried: before }: TestedSandbox
): Effect.fn.Return<SandboxParts> {
  if (process.platform !== "linux")
    return unavailable(
      `${process.platform} has no bubblewrap`,
      'set "seatbelt" on macOS; elsewhere commands are confined on Linux only'
    )
  const earlierChecks = before === null ? null : TrialCache.read(before)
  const machine = yield* find(settings.program, settings.limits, { host, before: earlierChecks?.known ?? null })
  if (machine === null) return unavailable(`${settings.program ?? "bwrap"} not found`, installHint)
  const workshop = yield* open(machine, { variables, ...settings })
  const tryAll = checks(workshop)
  const confined = yield* before === null
    ? tryAll
    : TrialCache.checks(before, { workshop, settings, kept: earlierChecks }, tryAll)
  const tried = settings.backend === "session" ? [...confined, sessionShell(machine)] : confined
  const hint = tried.flatMap(({ name, ok }) => (ok ? [] : (hints[name] ?? [])))[0] ?? anyHint
  return { report: SandboxReport.fromChecks(settings.backend, tried, hint), workshop }
})

/** A long-lived shell has to be bash, and its sandbox has to be observable from outside. */
const sessionShell = ({ shell }: Machine): SandboxReport.Check => {
  const lists = existsSync(`/proc/self/task/${process.pid}/children`)
  const detail = `shell: ${shell}; the kernel ${lists ? "lists" : "does not list"} the children of processes`
  return { name: "session shell", ok: lists && shell.endsWith("/bash"), detail }
}

const unavailable = (detail: string, hint: string): SandboxParts => ({
  report: SandboxReport.fromChecks("bubblewrap", [{ name: "bwrap", ok: false, detail }], hint),
  workshop: null
})

const fixed = [".git", ".bough"]

export interface Surroundings {
  readonly settings: Settings
  readonly shown: ReadonlyArray<string>
  readonly home: string | undefined
}

export interface SessionDirectories {
  /** The working directory of commands that name none. */
  readonly root: string
  /** The repository around the root, all of which commands see; default: they see only the root. */
  readonly repository?: string
  /** Other directories that commands see. */
  readonly additionalDirectories?: ReadonlyArray<Root>
  /** The variables that a session set for its commands, which apply only in the sandbox. */
  readonly variablesOf?: (sessionId: Session.SessionId) => Variables
  /**
   * Runs the commands that continue after their calls, and the shells of sessions; absent: commands and shells end with
   * their call.
   */
  readonly background?: BackgroundCommands
}

export interface Root {
  readonly path: string
  readonly writable: boolean
}

/** The directories of a session, without links: the workspace first. */
export const rootsOf = Effect.fnUntraced(function* ({
  additionalDirectories = [],
  repository,
  root
}: SessionDirectories) {
  const start = yield* realRoot(root)
  const workspace = repository === undefined ? start : yield* realRoot(repository)
  const further = yield* Effect.forEach(additionalDirectories, ({ path, writable }) =>
    Effect.map(realRoot(path), (path): Root => ({ path, writable }))
  )
  const roots: readonly [Root, ...ReadonlyArray<Root>] = [{ path: workspace, writable: true }, ...further]
  return { start, workspace, roots }
})

/** The directories in which a session's commands run, and the parts of the host that they see. */
export const findDirectories = Effect.fnUntraced(function* (
  { writable, ...session }: SessionDirectories & { readonly writable: boolean },
  { home, settings, shown }: Surroundings
): Effect.fn.Return<SandboxDirectories, ToolError.ToolError> {
  const { roots: sessionRoots, start, workspace } = yield* rootsOf(session)
  const realHome = home === undefined ? null : yield* Disk.withoutLinks(home)
  const holdsHome = sessionRoots.find(
    ({ path }) => path === "/" || (realHome !== null && realHome !== "/" && contains(path, realHome))
  )
  if (holdsHome !== undefined) {
    return yield* unfit(`${holdsHome.path} holds your home directory; work in a directory below it`)
  }
  const roots = distinct(sessionRoots).map(({ path, writable: isWritable }) => ({
    path,
    writable: writable && isWritable
  }))
  const isSeen = (path: string): boolean => roots.some((root) => contains(root.path, path))
  const hidden = yield* Effect.forEach(settings.hiddenPaths, Disk.withoutLinks)
  const there = hidden.filter((path) => path !== null)
  const linked = settings.hiddenPaths.find((path, at) => isSeen(path) && ![path, null].includes(hidden[at]))
  if (linked !== undefined)
    return yield* unfit(`${linked} is behind a link of the workspace, which a command could change`)
  const unseen = roots.find((root) => there.some((path) => contains(path, root.path)))
  if (unseen !== undefined) return yield* unfit(`${unseen.path} is hidden from commands`)
  const repository = yield* Worktree.repositoryOf(workspace)
  const worksAs = yield* user(workspace)
  const otherDirectories = yield* Effect.filter(
    [...shown, ...repository].filter((path) => !isSeen(path)),
    (path) => (worksAs === null ? Effect.succeed(true) : isReachable(path, worksAs))
  )
  return {
    workspace,
    start,
    roots,
    protectedEntries: fixed,
    hiddenDirectories: there.filter((path) => isSeen(path) || otherDirectories.some((seen) => contains(seen, path))),
    readOnlyDirectories: otherDirectories,
    repositories: repository,
    user: worksAs
  }
})

/** Sorts parents before subdirectories. A directory inside another one with at least the same access is dropped. */
const distinct = (roots: ReadonlyArray<Root>): ReadonlyArray<Root> =>
  roots
    .filter(
      ({ path, writable }, at) =>
        !roots.some(
          (other, otherAt) =>
            otherAt !== at &&
            contains(other.path, path) &&
            (other.writable || !writable) &&
            (other.path !== path || other.writable !== writable || otherAt < at)
        )
    )
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))

const unfit = (detail: string) =>
  Effect.fail(new ToolError.PermissionDenied({ tier: "System", reason: `SandboxUnavailable: ${detail}` }))

/** Root runs commands as the owner of the workspace, so that their files belong to that account. */
const user = (workspace: string) =>
  Effect.map(Disk.entry(workspace), (found) =>
    process.getuid?.() === 0 && found !== null && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : null
  )

/**
 * True if another account may traverse a path. A path that the account cannot reach could not be mounted, so no command
 * would run.
 */
const isReachable = Effect.fnUntraced(function* (path: string, { gid, uid }: User) {
  for (let at = path; ; at = dirname(at)) {
    const found = yield* Disk.entry(at)
    // The sandbox itself skips missing paths.
    if (found === null) return true
    const bits = found.uid === uid ? found.mode >> 6 : found.gid === gid ? found.mode >> 3 : found.mode
    if (found.isDirectory() && (bits & 1) === 0) return false
    if (at === dirname(at)) return true
  }
})

/** The workspace root without links. */
export const realRoot = Effect.fnUntraced(function* (root: string): Effect.fn.Return<string, ToolError.ExecutionError> {
  const found = yield* Disk.withoutLinks(root)
  if (found === null) return yield* new ToolError.ExecutionError({ message: `the workspace ${root} does not exist` })
  return found
})
