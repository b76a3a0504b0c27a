/** Reads the host's file system; a missing file is a result, not an error. */
import * as Effect from "effect/Effect"
import {
  accessSync,
  constants,
  lstatSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
  writeFileSync
} from "node:fs"
import { readFile } from "node:fs/promises"

/** Makes a synchronous call, which is cheaper than a thread. */
const attemptSync = <A>(look: () => A): Effect.Effect<A | null> => Effect.orElseSucceed(Effect.try(look), () => null)

/** Returns the entry itself, without following links. */
export const entry = (path: string): Effect.Effect<Stats | null> =>
  attemptSync(() => lstatSync(path, { throwIfNoEntry: false }) ?? null)
export const linkTarget = (path: string): Effect.Effect<string | null> => attemptSync(() => readlinkSync(path))
export const isExecutable = (path: string): Effect.Effect<boolean> =>
  Effect.map(
    attemptSync(() => accessSync(path, constants.X_OK)),
    (found) => found !== null
  )
/** Reads a file in a thread, because reading a file that is not on a disk may wait. */
export const text = (path: string): Effect.Effect<string | null> =>
  Effect.orElseSucceed(
    Effect.tryPromise(() => readFile(path, "utf8")),
    () => null
  )
/** Returns the path with its links resolved; null: it does not exist. */
export const withoutLinks = (path: string): Effect.Effect<string | null> => attemptSync(() => realpathSync.native(path))
/** Reads a file of /proc, in one call. */
export const textAtOnce = (path: string): Effect.Effect<string | null> => attemptSync(() => readFileSync(path, "utf8"))

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
