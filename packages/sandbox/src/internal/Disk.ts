/** Reads the host's file system; a missing file is a result, not an error. */
import { accessSync, constants, readFileSync, realpathSync, type Stats, statSync, writeFileSync } from "node:fs"
import { access, lstat, readFile, readlink } from "node:fs/promises"
import * as Effect from "effect/Effect"

const orNull = <A>(look: () => Promise<A>): Effect.Effect<A | null> =>
  Effect.orElseSucceed(Effect.tryPromise(look), () => null)

/** Returns the entry itself, without following links. */
export const entry = (path: string): Effect.Effect<Stats | null> => orNull(() => lstat(path))
export const linkTarget = (path: string): Effect.Effect<string | null> => orNull(() => readlink(path))
export const text = (path: string): Effect.Effect<string | null> => orNull(() => readFile(path, "utf8"))
export const isExecutable = (path: string): Effect.Effect<boolean> =>
  Effect.map(
    orNull(() => access(path, constants.X_OK)),
    (found) => found !== null
  )

/** Makes a synchronous call, which costs less than a thread. */
const atOnce = <A>(look: () => A): Effect.Effect<A | null> => Effect.orElseSucceed(Effect.try(look), () => null)

/** Returns the path with its links resolved; null: it does not exist. */
export const withoutLinks = (path: string): Effect.Effect<string | null> => atOnce(() => realpathSync.native(path))
/** Reads a file of /proc, in one call. */
export const textAtOnce = (path: string): Effect.Effect<string | null> => atOnce(() => readFileSync(path, "utf8"))

/** Returns null if the path names a file that this process may execute, else the system's error code. */
export const executability = (path: string): Effect.Effect<string | null> =>
  Effect.try({
    try: () => accessSync(path, constants.X_OK),
    catch: (cause) => (cause as NodeJS.ErrnoException).code ?? "UNKNOWN"
  }).pipe(
    Effect.as(null),
    Effect.catch((code) => Effect.succeed(code)),
    Effect.map((code) => (code === null && !statSync(path, { throwIfNoEntry: false })?.isFile() ? "EACCES" : code))
  )

/** Writes synchronously if that is possible. */
export const write = (path: string, content: string): Effect.Effect<void> =>
  Effect.ignore(Effect.try(() => writeFileSync(path, content)))
