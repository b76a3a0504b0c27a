/**
 * Ends a command when a user replaces an entry that one of its mounts stands on, as editors and git do to save a file. The kernel
 * then takes the mount away, so the command could read a secret or write what the user's programs obey.
 */
import { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type FSWatcher, watch } from "node:fs"
import { basename, dirname } from "node:path"
import type * as Bubblewrap from "../Bubblewrap.ts"
import * as MountIdentity from "./MountIdentity.ts"

/** Most commands have ended by then, and cost no watcher. Earlier replacements are noticed when it begins. */
const graceMillis = 200
/** Notices what no event told of. */
const checkMillis = 1000

type Identities = ReadonlyMap<string, string>

/** Runs a command with this view; fails once one of the mounts is gone. */
export const whileMounted = <A, E, R>(
  view: Bubblewrap.View,
  command: Effect.Effect<A, E, R>
): Effect.Effect<A, E | ToolError.PermissionDenied, R> =>
  Effect.suspend(() => {
    const before = watched(view)
    const replaced = Effect.andThen(
      Effect.sleep(graceMillis),
      Effect.acquireUseRelease(
        Effect.sync(() => watchers(before)),
        untilReplaced,
        ({ close }) => Effect.sync(close)
      )
    )
    return Effect.raceFirst(
      command,
      Effect.flatMap(replaced, (path) => Effect.fail(ended(path)))
    )
  })

/** The branch and the index of another worktree change with each commit there, and make git run nothing. */
const changesOften: ReadonlySet<string> = new Set(["HEAD", "index"])

const watched = (view: Bubblewrap.View): Identities =>
  new Map([...MountIdentity.identities({ ...view, roots: [] })].filter(([path]) => !changesOften.has(basename(path))))

interface Watchers {
  readonly before: Identities
  /** Succeeds with the entries that may have changed since the last time. */
  readonly changed: Effect.Effect<ReadonlyArray<string>>
  readonly close: () => void
}

const watchers = (before: Identities): Watchers => {
  const touched = new Set<string>()
  let wake = (): void => undefined
  const opened = [...new Set([...before.keys()].map((path) => dirname(path)))].flatMap((directory) =>
    // Where the system has no more watches, entries are compared once in a while.
    Result.getOrElse(
      Result.try((): ReadonlyArray<FSWatcher> => [
        watch(directory, { persistent: false }, (_, name) => {
          const path = `${directory}/${name ?? ""}`
          if (!before.has(path)) return
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
  return { before, changed, close: () => opened.forEach((watcher) => watcher.close()) }
}

const untilReplaced = Effect.fnUntraced(function* ({ before, changed }: Watchers) {
  const everything = Effect.as(Effect.sleep(checkMillis), [...before.keys()])
  let paths: ReadonlyArray<string> = [...before.keys()]
  while (true) {
    const replaced = paths.find((path) => MountIdentity.identityAt(path) !== before.get(path))
    if (replaced !== undefined) return replaced
    paths = yield* Effect.raceFirst(changed, everything)
  }
})

const ended = (path: string): ToolError.PermissionDenied =>
  new ToolError.PermissionDenied({
    tier: "System",
    reason: `${path} was replaced while the command ran, and is protected only from commands that start afterwards; the command was ended: start it again`
  })
