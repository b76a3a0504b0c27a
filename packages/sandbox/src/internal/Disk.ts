/** Looking at the host's file system, where "nothing there" is an answer. */
import { accessSync, constants, readFileSync, realpathSync, type Stats, statSync, writeFileSync } from "node:fs"
import { access, lstat, readFile, readlink } from "node:fs/promises"
import * as Effect from "effect/Effect"

const orNull = <A>(look: () => Promise<A>): Effect.Effect<A | null> =>
  Effect.orElseSucceed(Effect.tryPromise(look), () => null)

/** The entry itself, links not followed. */
export const entry = (path: string): Effect.Effect<Stats | null> => orNull(() => lstat(path))
export const linkTarget = (path: string): Effect.Effect<string | null> => orNull(() => readlink(path))
export const text = (path: string): Effect.Effect<string | null> => orNull(() => readFile(path, "utf8"))
export const isExecutable = (path: string): Effect.Effect<boolean> =>
  Effect.map(
    orNull(() => access(path, constants.X_OK)),
    (found) => found !== null
  )

/** A look that costs less than a thread. */
const atOnce = <A>(look: () => A): Effect.Effect<A | null> => Effect.orElseSucceed(Effect.try(look), () => null)

/** The path itself, where nothing on the way is a link. */
export const withoutLinks = (path: string): Effect.Effect<string | null> => atOnce(() => realpathSync.native(path))
/** Reads a file of /proc, in one call. */
export const textAtOnce = (path: string): Effect.Effect<string | null> => atOnce(() => readFileSync(path, "utf8"))

/** Null: the path names a file that this process may execute; else the system's code. */
export const executability = (path: string): Effect.Effect<string | null> =>
  Effect.try({
    try: () => accessSync(path, constants.X_OK),
    catch: (cause) => (cause as NodeJS.ErrnoException).code ?? "UNKNOWN"
  }).pipe(
    Effect.as(null),
    Effect.catch((code) => Effect.succeed(code)),
    Effect.map((code) => (code === null && !statSync(path, { throwIfNoEntry: false })?.isFile() ? "EACCES" : code))
  )

/** Writes at once, where that is possible. */
export const write = (path: string, content: string): Effect.Effect<void> =>
  Effect.ignore(Effect.try(() => writeFileSync(path, content)))
