/** A file with a login, which only the user and no agent can read. One process at a time replaces its tokens. */
import { Directory, SmallFile } from "@bough/disk"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { join } from "node:path"

export interface LoginFile {
  /** Null: there is none, or it cannot be read. */
  readonly load: () => string | null
  readonly save: (text: string) => void
  /** Runs work that replaces the tokens while no other process does: a refresh token is valid once. */
  readonly exclusively: <A>(work: Effect.Effect<A>) => Effect.Effect<A>
}

/** A request to an authorization server takes 20 seconds at most. */
const lockMillis = 30_000

export const make = (directory: string, name: string): LoginFile => {
  const file = join(directory, `${name}.json`)
  return {
    load: () =>
      Result.getOrElse(
        Result.try(() => SmallFile.read(file)),
        () => null
      ),
    // If the lock is not free after half a minute, the token is refreshed without it.
    exclusively: (work) =>
      Effect.gen(function* () {
        const { withLock } = yield* Effect.promise(() => import("@bough/disk/ProcessLock"))
        const valued = Effect.map(work, (value) => ({ value }))
        const lock = withLock(join(directory, `${name}.lock`), lockMillis, valued)
        const done = yield* Effect.orElseSucceed(lock, () => null)
        return done === null ? yield* work : done.value
      }),
    save: (text) => {
      Directory.makePrivate(directory)
      SmallFile.replace(file, text)
    }
  }
}
