/**
 * Names of a workspace that no command may create (`.bough`, `.git`). A mount needs a target, so while commands run, an
 * empty directory exists on the host, with a mount over it in each sandbox. Removing a directory also removes the
 * mounts over it in other sandboxes. Therefore each process puts a mark inside and removes it after its last run. The
 * directory is removed with the last mark, by an rmdir that fails while any mark remains.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import { lstatSync, mkdirSync, readdirSync, rmdirSync } from "node:fs"
import { basename, join } from "node:path"
import * as Disk from "./Disk.ts"

/** The state of a reserved name in the workspace. */
export type NameState =
  | { readonly _tag: "Present"; readonly path: string }
  | {
      readonly _tag: "Reserved"
      readonly path: string
      readonly mark: string
      /** True if a process that reserved it was killed. */
      readonly followsKilled: boolean
    }
  /** True if no account can make an entry there. */
  | { readonly _tag: "Barred" }
  /** A link, which cannot be a mount point and could therefore be replaced. */
  | { readonly _tag: "Link"; readonly path: string }

let ownMark: string | null = null
let marksMade = 0

/** The marks of this process, each with the number of runs that use it. */
const runsOf = new Map<string, number>()
/** The newest mark of this process in each reserved directory. */
const newest = new Map<string, string>()

/** Reserves `name` in `workspace` if it does not exist. `release` ends the reservation. */
export const reserve = Effect.fnUntraced(function* (workspace: string, name: string): Effect.fn.Return<NameState> {
  const path = join(workspace, name)
  const newestEntry = newest.get(path)
  const runs = newestEntry === undefined ? undefined : runsOf.get(newestEntry)
  if (newestEntry !== undefined && runs !== undefined && isAlone(path, newestEntry)) {
    runsOf.set(newestEntry, runs + 1)
    return { _tag: "Reserved", path, mark: newestEntry, followsKilled: false }
  }
  ownMark ??= yield* madeMark
  let followsKilled = false
  while (true) {
    const code = yield* attempt(() => mkdirSync(path))
    if (code === "EEXIST") {
      const found = yield* entryAt(path)
      if (found?.isSymbolicLink()) return { _tag: "Link", path }
      if (found !== null) {
        const marks = found.isDirectory() ? yield* marksAlone(path) : null
        if (marks === null) return { _tag: "Present", path }
        followsKilled ||= marks.killed > 0
      }
    } else if (code !== null) return { _tag: "Barred" }
    const mark = join(path, `${ownMark}-${marksMade++}`)
    const marked = yield* attempt(() => mkdirSync(mark))
    if (marked === null) {
      newest.set(path, mark)
      runsOf.set(mark, 1)
      return { _tag: "Reserved", path, mark, followsKilled }
    }
    // Another process removed the directory in the meantime, so this tries again.
    if (marked !== "ENOENT") return { _tag: "Present", path }
  }
})

/** True if the directory contains only this mark; a user may have added other entries since. */
const isAlone = (path: string, mark: string): boolean => {
  const names = namesIn(path)
  return names.length === 1 && names[0] === basename(mark)
}

/** True if no other command, of this process or another, has the reservation. */
export const isOnlyOne = (standing: NameState): boolean =>
  standing._tag === "Reserved" && runsOf.get(standing.mark) === 1 && isAlone(standing.path, standing.mark)

/** Removes the reservation once no command needs it. */
export const release = (standing: NameState): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (standing._tag !== "Reserved") return Effect.void
    const { mark, path } = standing
    const others = (runsOf.get(mark) ?? 1) - 1
    if (others > 0) {
      runsOf.set(mark, others)
      return Effect.void
    }
    runsOf.delete(mark)
    if (newest.get(path) === mark) newest.delete(path)
    return Effect.andThen(
      attempt(() => rmdirSync(mark)),
      attempt(() => rmdirSync(path))
    ).pipe(Effect.asVoid)
  })

/** The delay is longer than the next command's sandbox takes to reserve the same names. */
const laterMillis = 1000

/**
 * Releases reservations shortly afterwards, or when the scope closes. Removing a directory removes the mounts over it,
 * which costs the kernel milliseconds. The directory stays if the next command has reserved it by then.
 */
export const releaseLater = (scope: Scope.Scope, standings: ReadonlyArray<NameState>): Effect.Effect<void> => {
  const released = Effect.forEach(standings, release, { discard: true })
  return standings.every(({ _tag }) => _tag !== "Reserved") ? released : runAtClose(scope, released)
}

/** Runs the effect after a delay, or when the scope closes. */
export const runAtClose = (scope: Scope.Scope, effect: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.suspend(() =>
    scope.state._tag === "Closed"
      ? effect
      : Effect.interruptible(Effect.sleep(laterMillis)).pipe(
          Effect.ensuring(effect),
          Effect.forkIn(scope, { startImmediately: true }),
          Effect.asVoid
        )
  )

/** Runs a file system operation; returns null on success, else the system's error code. */
const attempt = (change: () => unknown): Effect.Effect<string | null> =>
  Effect.try({ try: change, catch: (cause) => (cause as NodeJS.ErrnoException).code ?? "UNKNOWN" }).pipe(
    Effect.as(null),
    Effect.catch((code) => Effect.succeed(code))
  )

const markPattern = /^bough-sandbox-(\d+)-(\d+)-(\d+)-\d+$/

/** Removes the marks of killed processes, and returns their number. Null: the directory contains other entries. */
const marksAlone = Effect.fnUntraced(function* (path: string) {
  const found = namesIn(path).map((name) => markPattern.exec(name))
  if (found.includes(null)) return null
  let killed = 0
  const space = yield* processSpace
  for (const mark of found) {
    const [name, markSpace, pid, started] = mark as RegExpExecArray
    if (markSpace !== space || (yield* startTime(pid)) === started) continue
    yield* attempt(() => rmdirSync(join(path, name)))
    killed++
  }
  return { killed }
})

/**
 * Returns the names in a directory. A directory that cannot be read was removed or is inaccessible: creating a mark in
 * it will show which.
 */
const namesIn = (path: string): ReadonlyArray<string> =>
  Result.getOrElse(
    Result.try(() => readdirSync(path)),
    () => []
  )

const entryAt = (path: string) =>
  Effect.orElseSucceed(
    Effect.try(() => lstatSync(path)),
    () => null
  )

/** Identifies this PID namespace: process ids of another namespace have no meaning here. */
const processSpace = Effect.map(Disk.linkTarget("/proc/self/ns/pid"), (link) => /\d+/.exec(link ?? "")?.[0] ?? "0")

/**
 * Identifies a process by its pid and its start time in the kernel's ticks. Null: it has ended, even if it is still a
 * zombie.
 */
const startTime = (pid: string): Effect.Effect<string | null> =>
  Effect.map(Disk.textAtOnce(`/proc/${pid}/stat`), (stat) => {
    const [state, ...fields] = stat === null ? ["X"] : stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return state === "Z" || state === "X" ? null : (fields[18] ?? null)
  })

const madeMark = Effect.map(
  Effect.all([processSpace, startTime(`${process.pid}`)]),
  ([space, started]) => `bough-sandbox-${space}-${process.pid}-${started ?? 0}`
)
