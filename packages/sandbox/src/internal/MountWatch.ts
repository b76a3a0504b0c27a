/**
 * Ends a command when a user replaces the target of one of its mounts, as editors and git do to save a file. The kernel
 * then removes the mount, so the command could read a secret, or write files that the user's programs execute.
 */
import { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { closeSync, constants, type FSWatcher, openSync, watch } from "node:fs"
import { basename, dirname } from "node:path"
import type * as Bubblewrap from "../Bubblewrap.ts"
import * as MountIdentity from "./MountIdentity.ts"

/** Most commands end within this time and need no watcher. Earlier replacements are noticed when watching starts. */
const graceMillis = 200
/** The interval of checks for changes that cause no event. */
const checkMillis = 1000

interface Entry {
  /** The entry relative to its opened directory, because a command may move a directory together with its mounts. */
  readonly target: string
  readonly identity: string
}

interface MountWatcher {
  readonly entries: ReadonlyMap<string, Entry>
  readonly close: () => void
}

/** Runs a command with this view; fails once one of the mounts has ended. */
export const whileMounted = <A, E, R>(
  view: Bubblewrap.View,
  command: Effect.Effect<A, E, R>
): Effect.Effect<A, E | ToolError.PermissionDenied, R> =>
  Effect.acquireUseRelease(
    Effect.sync(() => openWatch(view)),
    ({ entries }) => {
      const replaced = Effect.andThen(
        Effect.sleep(graceMillis),
        Effect.acquireUseRelease(
          Effect.sync(() => watchers(entries)),
          untilReplaced,
          ({ close }) => Effect.sync(close)
        )
      )
      return Effect.raceFirst(
        command,
        Effect.flatMap(replaced, (path) => Effect.fail(replacedError(path)))
      )
    },
    ({ close }) => Effect.sync(close)
  )

/**
 * Not watched: the branch and the index of another worktree change with each commit there, and cannot make git run
 * programs.
 */
const changesOften: ReadonlySet<string> = new Set(["HEAD", "index"])

const openWatch = (view: Bubblewrap.View): MountWatcher => {
  const directories = new Map<string, number | null>()
  const directoryOf = (path: string): number | null => {
    const directory = dirname(path)
    const known = directories.get(directory)
    if (known !== undefined) return known
    const descriptor = Result.getOrNull(
      Result.try(() => openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY))
    )
    directories.set(directory, descriptor)
    return descriptor
  }
  const paths = [...MountIdentity.identities({ ...view, roots: [] }).keys()]
  const entries = paths
    .filter((path) => !changesOften.has(basename(path)))
    .map((path): readonly [string, Entry] => {
      const directory = directoryOf(path)
      const target = directory === null ? path : `/proc/self/fd/${directory}/${basename(path)}`
      return [path, { target, identity: MountIdentity.identityAt(target) }]
    })
  const close = (): void => {
    for (const directory of directories.values()) if (directory !== null) closeSync(directory)
  }
  return { entries: new Map(entries), close }
}

interface Watchers {
  readonly entries: MountWatcher["entries"]
  /** Completes with the entries that may have changed since the last time. */
  readonly changed: Effect.Effect<ReadonlyArray<string>>
  readonly close: () => void
}

const watchers = (entries: MountWatcher["entries"]): Watchers => {
  const touched = new Set<string>()
  let wake = (): void => undefined
  const opened = [...new Set([...entries.keys()].map((path) => dirname(path)))].flatMap((directory) =>
    // If the system's limit of watches is reached, entries are compared at intervals.
    Result.getOrElse(
      Result.try((): ReadonlyArray<FSWatcher> => [
        watch(directory, { persistent: false }, (_, name) => {
          const path = `${directory}/${name ?? ""}`
          if (!entries.has(path)) return
          touched.add(path)
          wake()
        }).on("error", () => undefined)
      ]),
      (): ReadonlyArray<FSWatcher> => []
    )
  )
  const changed = Effect.callback<ReadonlyArray<string>>((resume) => {
    const take = () => {
      const paths = [...touched]
      touched.clear()
      resume(Effect.succeed(paths))
    }
    if (touched.size > 0) return take()
    wake = take
  })
  return { entries, changed, close: () => opened.forEach((watcher) => watcher.close()) }
}

const isReplaced = ({ identity, target }: Entry): boolean => MountIdentity.identityAt(target) !== identity

const untilReplaced = Effect.fnUntraced(function* ({ changed, entries }: Watchers) {
  const everything = Effect.as(Effect.sleep(checkMillis), [...entries.keys()])
  let paths: ReadonlyArray<string> = [...entries.keys()]
  while (true) {
    const replaced = paths.find((path) => {
      const entry = entries.get(path)
      return entry !== undefined && isReplaced(entry)
    })
    if (replaced !== undefined) return replaced
    paths = yield* Effect.raceFirst(changed, everything)
  }
})

const replacedError = (path: string): ToolError.PermissionDenied =>
  new ToolError.PermissionDenied({
    tier: "System",
    reason: `${path} was replaced while the command ran, and is protected only from commands that start afterwards; the command was ended: start it again`
  })
