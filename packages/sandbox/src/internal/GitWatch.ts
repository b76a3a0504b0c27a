/** Waits for changes in the directories of repositories to which a command writes. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type FSWatcher, watch } from "node:fs"
import { join } from "node:path"

/** The directories with files that can instruct git. */
const places = [".", "refs/heads", "rebase-merge", "rebase-apply", "sequencer"]

/** The interval of checks for changes that cause no event, or occur deeper. */
const checkMillis = 5000
/** The delay in which further changes are awaited, because one git command makes several. */
const settleMillis = 200

const openWatchers = (directory: string, wake: () => void): ReadonlyArray<FSWatcher> =>
  Result.getOrElse(
    Result.try((): ReadonlyArray<FSWatcher> => [
      watch(directory, { persistent: false }, wake).on("error", () => undefined)
    ]),
    (): ReadonlyArray<FSWatcher> => []
  )

const awaitChange = (directories: ReadonlyArray<string>): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    const watchers = directories.flatMap((directory) =>
      places.flatMap((place) => openWatchers(join(directory, place), () => resume(Effect.void)))
    )
    return Effect.sync(() => watchers.forEach((watcher) => watcher.close()))
  })

/** Runs `check` after each change, until it is interrupted. */
export const eachChange = (directories: ReadonlyArray<string>, check: Effect.Effect<void>): Effect.Effect<never> =>
  directories.length === 0
    ? Effect.never
    : Effect.forever(
        Effect.raceFirst(awaitChange(directories), Effect.sleep(checkMillis)).pipe(
          Effect.andThen(Effect.sleep(settleMillis)),
          Effect.andThen(check)
        )
      )
