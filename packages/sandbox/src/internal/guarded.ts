/** Guards a command: protected paths are inaccessible to it, and its changes to them are undone afterwards. */
import type { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { CommandDirectories, SandboxDirectories } from "../SandboxDirectories.ts"
import { contains } from "../Toolchains.ts"
import * as Care from "./Care.ts"
import * as Devices from "./Devices.ts"
import * as GitDirectory from "./GitDirectory.ts"
import * as GitGuard from "./GitGuard.ts"
import * as GitWatch from "./GitWatch.ts"
import * as HeldBack from "./HeldBack.ts"
import { release, releaseLater, reserve, type NameState } from "./Reserved.ts"
import * as RootAccess from "./RootAccess.ts"
import * as Survey from "./Survey.ts"
import * as TimeLimit from "./TimeLimit.ts"

const atOnce = { concurrency: "unbounded" } as const

/**
 * Surveys the workspace before and after `use`. Protected names are reserved meanwhile. Afterwards, regardless of how
 * `use` ended, forbidden entries that the command made are moved away and reported.
 */
export const runGuarded = <A, E>(
  { devices, releasing }: GuardOptions,
  directories: CommandDirectories,
  use: (standings: ReadonlyArray<NameState>, guards: CommandGuards) => Effect.Effect<A, E>
): Effect.Effect<{ readonly value: A; readonly held: string }, E | ToolError.PermissionDenied | ToolError.Timeout> =>
  Effect.acquireUseRelease(
    reservations(directories),
    (standings) => withFindings(directories, { devices, releasing, stands: true }, (guards) => use(standings, guards)),
    (standings) => releasedIn(releasing, standings)
  )

export interface GuardOptions {
  readonly devices: Devices.Modes
  /** Releases reservations after the result was sent; null: they are released before the result is sent. */
  readonly releasing: Scope.Scope | null
}

const releasedIn = (scope: Scope.Scope | null, standings: ReadonlyArray<NameState>): Effect.Effect<void> =>
  scope === null ? Effect.forEach(standings, release, { ...atOnce, discard: true }) : releaseLater(scope, standings)

/**
 * Checks the workspace on a machine whose sandbox protects entries by path, so that missing entries need no
 * placeholder.
 */
export const runChecked = <A, E>(
  directories: CommandDirectories,
  use: (guards: CommandGuards) => Effect.Effect<A, E>
): Effect.Effect<{ readonly value: A; readonly held: string }, E | ToolError.PermissionDenied | ToolError.Timeout> =>
  withFindings(directories, { devices: new Map(), releasing: null, stands: false }, use)

interface SurveyOptions extends GuardOptions {
  /** True if mounts need existing targets. */
  readonly stands: boolean
}

const withFindings = <A, E>(
  directories: CommandDirectories,
  { devices, releasing, stands }: SurveyOptions,
  use: (guards: CommandGuards) => Effect.Effect<A, E>
): Effect.Effect<{ readonly value: A; readonly held: string }, E | ToolError.PermissionDenied | ToolError.Timeout> =>
  Effect.gen(function* () {
    const before = (yield* Effect.forEach(surveyPlaces(directories, directories.roots), Survey.survey)).flat()
    const access = RootAccess.look(writableRoots(directories))
    let reportText = ""
    // Checks run one at a time, because concurrent checks would move the same entries.
    const oneAtATime = Semaphore.withPermits(Semaphore.makeUnsafe(1), 1)
    const newEntries = Effect.zipWith(
      RootAccess.restore(access),
      holdBackMade(directories, before),
      (restored, others) => restored + others
    )
    const guardedHere = Effect.acquireUseRelease(
      repositories(directories, before, stands),
      (repositories) => {
        const checkRepositories = Effect.gen(function* () {
          let remarks = ""
          for (const { seen } of repositories) {
            remarks += GitGuard.noticeOf(yield* GitGuard.restoreWhileRunning(seen, directories.user))
          }
          return remarks
        })
        const check = oneAtATime(Effect.zipWith(checkRepositories, newEntries, (said, others) => said + others))
        const gitDirectories = repositories.map(({ seen }) => seen.directory)
        const watch: CommandGuards["watch"] = (report) =>
          GitWatch.eachChange(
            gitDirectories.map(({ path }) => path),
            Effect.map(oneAtATime(checkRepositories), report)
          )
        const ended = oneAtATime(
          Effect.gen(function* () {
            reportText += yield* RootAccess.restore(access)
            if (directories.user === null) reportText += Devices.text(yield* Devices.restore(devices))
            for (const { seen } of repositories) {
              reportText += GitGuard.noticeOf(yield* GitGuard.restore(seen, directories.user))
              GitDirectory.noteChecked(seen.directory)
            }
            reportText += yield* newEntries
          })
        )
        return Effect.onExit(
          use({ shown: shownIn(directories, before), repositories: gitDirectories, check, watch }),
          () => ended
        )
      },
      (repositories) => Effect.forEach(repositories, ({ hold }) => releaseHold(hold, releasing), { discard: true })
    )
    const value = yield* Effect.mapError(guardedHere, (error) =>
      reportText === "" ? error : TimeLimit.withLongerHint(error, reportText)
    )
    return { value, held: reportText }
  })

/** Moves away forbidden entries that a command made, and returns the lines about them. */
const holdBackMade = Effect.fnUntraced(function* (
  directories: CommandDirectories,
  before: ReadonlyArray<Survey.SensitiveEntry>
) {
  if (directories.allowedEntries === "repositories") return ""
  const writable = directories.roots.filter((root) => root.writable)
  const after = yield* Effect.forEach(surveyPlaces(directories, writable), Survey.surveyAll)
  const newEntries = HeldBack.newEntries(before, after.flat())
  const known = new Set(
    directories.allowedEntries === null ? newEntries : newEntries.filter(({ care }) => care === "repository")
  )
  let reportText = ""
  for (const [at, { path: workspace }] of writable.entries()) {
    const here = after[at].filter((finding) => known.has(finding))
    reportText += HeldBack.text(yield* HeldBack.moveAwayEntries({ workspace, user: directories.user }, here))
  }
  return reportText
})

const releaseHold = (
  hold: GitDirectory.RepositoryInUse | null,
  releasing: Scope.Scope | null = null
): Effect.Effect<void> =>
  hold === null
    ? Effect.void
    : releasing === null
      ? GitDirectory.release(hold)
      : GitDirectory.releaseLater(releasing, hold)

const reservations = (directories: CommandDirectories): Effect.Effect<ReadonlyArray<NameState>> =>
  Effect.forEach(
    writableRoots(directories).flatMap((root) => directories.protectedEntries.map((name) => ({ root, name }))),
    ({ name, root }) => reserve(root, name),
    atOnce
  )

const isOpenedFile = (care: Survey.Sensitivity): boolean => care === "instructions" || care === "configuration"

/**
 * Returns the protections of a command. Even if a user allowed it to change protected entries, Bough's own directories
 * stay protected, and secrets hidden.
 */
const shownIn = (directories: CommandDirectories, findings: ReadonlyArray<Survey.SensitiveEntry>): Care.ViewParts => {
  const roots = directories.roots.map(({ path }) => path)
  const closed = directories.allowedEntries === "files" ? findings.filter(({ care }) => !isOpenedFile(care)) : findings
  const shown = Care.viewOf(closed, { roots, repositories: directories.repositories })
  return directories.allowedEntries === "repositories" ? Care.ownAlone(shown) : shown
}

/**
 * The findings around a command: the paths whose view differs from the disk, and the repositories that it may write to.
 */
export interface Findings {
  readonly shown: Care.ViewParts
  readonly repositories: ReadonlyArray<GitDirectory.GitDirectory>
}

/** The findings around a command, with the checks of its changes. */
export interface CommandGuards extends Findings, Checks {}

/** Checks that may run while the command runs. */
export interface Checks {
  /** Moves away forbidden entries that the command has made so far, and returns the lines about them. */
  readonly check: Effect.Effect<string>
  /** Checks the repositories after each change in them, and emits the lines about it, until it is interrupted. */
  readonly watch: (report: (said: string) => void) => Effect.Effect<never>
}

/** The repositories that can be opened to a command, with their entry points closed. */
const repositories = Effect.fnUntraced(function* (
  directories: CommandDirectories,
  findings: ReadonlyArray<Survey.SensitiveEntry>,
  stands: boolean
) {
  const roots = writableRoots(directories)
  if (roots.length === 0 || directories.allowedEntries === "repositories") return []
  const isWritten = (path: string): boolean => roots.some((root) => contains(root, path))
  const found = yield* GitDirectory.find({
    roots,
    repositories: directories.repositories,
    findings: findings.filter(({ path }) => isWritten(path))
  })
  const opened = yield* Effect.forEach(
    found,
    Effect.fnUntraced(function* (directory) {
      const hold = stands ? yield* GitDirectory.hold(directory) : null
      if (stands && hold === null) return []
      const seen = yield* GitGuard.look(directory, GitDirectory.isUnchecked(directory))
      if (seen !== null) return [{ hold, seen }]
      yield* releaseHold(hold)
      return []
    })
  )
  return opened.flat()
})

const writableRoots = ({ roots }: SandboxDirectories): ReadonlyArray<string> =>
  roots.filter(({ writable }) => writable).map(({ path }) => path)

/** Surveys each root separately, excluding other roots inside it. */
const surveyPlaces = (
  { hiddenDirectories: hidden, roots }: SandboxDirectories,
  chosen: SandboxDirectories["roots"]
): ReadonlyArray<Survey.SurveyRoot> => {
  const paths = roots.map(({ path }) => path)
  return chosen.map(({ path: workspace }) => ({
    workspace,
    passedOver: [...hidden, ...paths.filter((path) => path !== workspace)]
  }))
}

/** Surveys the workspace for a prepared sandbox; until the scope ends, it has the same reservations as a command. */
export const surveyForStandby = Effect.fnUntraced(function* (directories: CommandDirectories, releasing: Scope.Scope) {
  const standings = yield* Effect.acquireRelease(reservations(directories), (standings) =>
    releasedIn(releasing, standings)
  )
  const before = (yield* Effect.forEach(surveyPlaces(directories, directories.roots), Survey.survey)).flat()
  const opened = yield* Effect.acquireRelease(repositories(directories, before, true), (opened) =>
    Effect.forEach(opened, ({ hold }) => releaseHold(hold), { discard: true })
  )
  const findings: Findings = {
    shown: shownIn(directories, before),
    repositories: opened.map(({ seen }) => seen.directory)
  }
  return { standings, around: findings }
})

/**
 * Keeps the protected paths closed until the scope ends, for a sandbox that outlives a command. Called while the
 * command is guarded. Returns false if a path could not be closed.
 */
export const keepClosed = Effect.fnUntraced(function* (
  directories: CommandDirectories,
  { repositories }: Pick<Findings, "repositories">
) {
  const holds = yield* Effect.acquireRelease(
    Effect.forEach(repositories, (directory) => GitDirectory.hold(directory)),
    (holds) => Effect.forEach(holds, (hold) => releaseHold(hold), { discard: true })
  )
  yield* Effect.acquireRelease(reservations(directories), (standings) =>
    Effect.forEach(standings, release, { ...atOnce, discard: true })
  )
  return holds.every((hold) => hold !== null)
})
