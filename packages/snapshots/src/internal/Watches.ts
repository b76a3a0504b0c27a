/**
 * Watches directories for changes that the kernel reports, so that an unchanged workspace need not be scanned. On Linux
 * all watches of a process share one ordered queue: once the report of a file that was just written has arrived, all
 * earlier reports have arrived too.
 */
import { Directory } from "@bough/disk"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { orElse } from "./attempt.ts"

export interface Watch {
  readonly close: () => void
}

/**
 * `name` is in bytes; null: any name may have changed, and the caller closes the watch. `isStructural`: the name was
 * created, removed or moved.
 */
export type OnChange = (name: string | null, isStructural: boolean) => void

export interface Watches {
  /** Adds a watch; null: no further directory can be watched. */
  readonly add: (path: string, onChange: OnChange) => Watch | null
  /** Waits until every change up to now is reported. False: reports may be missing. */
  readonly settle: Effect.Effect<boolean>
  /** Called to check all watched directories once, after which reports are complete again. */
  readonly reset: () => void
  readonly close: () => void
}

/** The maximum number of watches: each uses memory of the kernel and of this process. */
const maxWatches = 8_192

/** The kernel drops reports if more than 16,384 are unread. If there were fewer reports in total, none was dropped. */
const maxReports = 8_000

const settleMillis = 250

/** Throws the system's error if the directory for the marks cannot be created. */
export const make = (directory: string): Watches => {
  let watched = 0
  let reports = 0
  let marks = 0
  let isComplete = true
  let waiting: { readonly name: string; readonly done: () => void } | null = null
  Directory.makePrivate(directory)
  const fail = (): void => {
    isComplete = false
  }
  const directoryWatcher = fs.watch(directory, { persistent: false }, (_, name) => {
    if (waiting !== null && name === waiting.name) waiting.done()
  })
  directoryWatcher.on("error", fail)

  return {
    add: (place, onChange) => {
      if (watched >= maxWatches) return null
      return orElse(
        () => {
          const watcher = fs.watch(place, { persistent: false, encoding: "buffer" }, (type, name) => {
            if (++reports > maxReports) {
              fail()
              // The maximum number of reports per wait. Without it, a process that changes names continuously could
              // keep this process busy forever.
              return onChange(null, true)
            }
            onChange(name === null ? null : name.toString("latin1"), type === "rename")
          })
          watcher.on("error", fail)
          watched++
          return {
            close: () => {
              watched--
              watcher.close()
            }
          }
        },
        () => null
      )
    },
    settle: Effect.suspend(() => {
      const name = `mark-${++marks}`
      const file = path.join(directory, name)
      return Effect.callback<boolean>((resume) => {
        waiting = { name, done: () => resume(Effect.succeed(true)) }
        orElse(
          () => fs.closeSync(fs.openSync(file, "w", 0o600)),
          () => resume(Effect.succeed(false))
        )
      }).pipe(
        Effect.timeoutOrElse({ duration: settleMillis, orElse: () => Effect.succeed(false) }),
        Effect.map((came) => came && isComplete),
        Effect.ensuring(
          Effect.sync(() => {
            waiting = null
            fs.rmSync(file, { force: true })
          })
        )
      )
    }),
    reset: () => {
      reports = 0
      isComplete = true
    },
    close: () => {
      directoryWatcher.close()
      fs.rmSync(directory, { recursive: true, force: true })
    }
  }
}
