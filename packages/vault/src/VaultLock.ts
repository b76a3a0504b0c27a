/** Allows one program at a time to change the files of a vault. The lock of a program that ends is released. */
import * as ProcessLock from "@bough/disk/ProcessLock"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { failed, VaultFailed } from "./VaultFailed.ts"

/** The maximum wait: the other program may be asking a user for a passphrase. */
const timeoutMillis = 90_000

export const withLock = <A>(directory: string, body: Effect.Effect<A, VaultFailed>): Effect.Effect<A, VaultFailed> => {
  const path = join(directory, "lock")
  return ProcessLock.withLock(
    path,
    timeoutMillis,
    Effect.map(body, (value) => ({ value }))
  ).pipe(
    Effect.catchTag("SystemError", ({ message }) => failed(`cannot write ${path}: ${message}`)),
    Effect.flatMap((done) =>
      done === null
        ? failed("another program is changing the vault", "finish it, or stop it, and try again")
        : Effect.succeed(done.value)
    )
  )
}
