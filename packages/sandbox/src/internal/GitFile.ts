/** Reads the small files of a repository's directory. Reading does not block and follows no link. */
import * as Effect from "effect/Effect"
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs"

/**
 * The maximum size of such a file. Git never writes larger ones but reads them, so a command could hide a line behind
 * much other text.
 */
const maxBytes = 16 * 1024 ** 2

export const tooLarge = Symbol("tooLarge")

/** The text of a regular file; null: there is none. */
export type GitFile = string | null | typeof tooLarge

export const read = (path: string, limit: number = maxBytes): GitFile =>
  Effect.runSync(
    Effect.acquireUseRelease(
      Effect.try(() => openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)),
      (file) =>
        Effect.try((): GitFile => {
          const stats = fstatSync(file)
          if (!stats.isFile()) return null
          return stats.size > limit ? tooLarge : readFileSync(file, "utf8")
        }),
      (file) => Effect.sync(() => closeSync(file))
    ).pipe(Effect.orElseSucceed(() => null))
  )
