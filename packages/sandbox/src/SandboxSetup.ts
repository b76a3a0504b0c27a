/** From the operator's settings to a sandbox that was tried, and to one session's place in it. */
import { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import { dirname } from "node:path"
import { open, type SandboxPlace, type Workshop } from "./BubblewrapExecution.ts"
import type { HostVariables, Variables } from "./Environment.ts"
import * as Disk from "./internal/Disk.ts"
import * as Worktree from "./internal/Worktree.ts"
import type { User } from "./internal/ChildProcess.ts"
import { find } from "./Machine.ts"
import { checks } from "./Probe.ts"
import * as SandboxReport from "./SandboxReport.ts"
import type { Settings } from "./Settings.ts"
import { contains } from "./Toolchains.ts"

/** `workshop` null: there is nothing to build with. */
export interface Built {
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

/** Finds what is there and tries it. */
export const build = Effect.fnUntraced(function* (
  settings: Settings,
  variables: Variables,
  host: HostVariables
): Effect.fn.Return<Built> {
  if (process.platform !== "linux")
    return unavailable(`${process.platform} has no bubblewrap`, "commands are confined on Linux only")
  const machine = yield* find(settings.program, settings.limits, host)
  if (machine === null) return unavailable(`${settings.program ?? "bwrap"} not found`, installHint)
  const workshop = yield* open(machine, { variables, ...settings })
  const tried = yield* checks(workshop)
  const hint = tried.flatMap(({ name, ok }) => (ok ? [] : (hints[name] ?? [])))[0] ?? anyHint
  return { report: SandboxReport.fromChecks("bubblewrap", tried, hint), workshop }
})

const unavailable = (detail: string, hint: string): Built => ({
  report: SandboxReport.fromChecks("bubblewrap", [{ name: "bwrap", ok: false, detail }], hint),
  workshop: null
})

const fixed = [".git", ".bough"]

export interface Surroundings {
  readonly settings: Settings
  readonly shown: ReadonlyArray<string>
  readonly home: string | undefined
}

/** Where one session's commands run and what they see of the host. */
export const place = Effect.fnUntraced(function* (
  { root, writable }: { readonly root: string; readonly writable: boolean },
  { home, settings, shown }: Surroundings
): Effect.fn.Return<SandboxPlace, ToolError.ToolError> {
  const workspace = yield* realRoot(root)
  const realHome = home === undefined ? null : yield* Disk.withoutLinks(home)
  if (workspace === "/" || (realHome !== null && realHome !== "/" && contains(workspace, realHome))) {
    return yield* unfit(`${workspace} holds your home directory; work in a directory below it`)
  }
  const hidden = yield* Effect.forEach(settings.hiddenPaths, Disk.withoutLinks)
  const there = hidden.filter((path) => path !== null)
  const linked = settings.hiddenPaths.find(
    (path, at) => contains(workspace, path) && ![path, null].includes(hidden[at])
  )
  if (linked !== undefined)
    return yield* unfit(`${linked} is behind a link of the workspace, which a command could change`)
  if (there.some((path) => contains(path, workspace))) return yield* unfit(`${workspace} is hidden from commands`)
  const repository = yield* Worktree.repositoryOf(workspace)
  const worksAs = yield* user(workspace)
  const elsewhere = yield* Effect.filter(
    [...shown, ...repository].filter((path) => !contains(workspace, path)),
    (path) => (worksAs === null ? Effect.succeed(true) : isReachable(path, worksAs))
  )
  return {
    workspace,
    writable,
    fixed,
    hidden: there.filter((path) => [workspace, ...elsewhere].some((seen) => contains(seen, path))),
    shown: elsewhere,
    repositories: repository,
    user: worksAs
  }
})

const unfit = (detail: string) =>
  Effect.fail(new ToolError.PermissionDenied({ tier: "System", reason: `SandboxUnavailable: ${detail}` }))

/** Root works as whoever owns the workspace: what a command makes there belongs to them. */
const user = (workspace: string) =>
  Effect.map(Disk.entry(workspace), (found) =>
    process.getuid?.() === 0 && found !== null && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : null
  )

/** Whether another account may walk down to a path; what it may not reach could not be mounted, and no command would run. */
const isReachable = Effect.fnUntraced(function* (path: string, { gid, uid }: User) {
  for (let at = path; ; at = dirname(at)) {
    const found = yield* Disk.entry(at)
    // What is not there is left out by the sandbox itself.
    if (found === null) return true
    const bits = found.uid === uid ? found.mode >> 6 : found.gid === gid ? found.mode >> 3 : found.mode
    if (found.isDirectory() && (bits & 1) === 0) return false
    if (at === dirname(at)) return true
  }
})

/** The workspace root without links. */
export const realRoot = Effect.fnUntraced(function* (root: string): Effect.fn.Return<string, ToolError.ExecutionError> {
  const found = yield* Disk.withoutLinks(root)
  if (found === null) return yield* new ToolError.ExecutionError({ message: `the workspace ${root} is not there` })
  return found
})
