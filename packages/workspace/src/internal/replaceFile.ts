/** Replaces a file's bytes: a temporary file in the same directory is synced, then renamed over the target. */
import { Canonical, ToolError } from "@bough/protocol"
import type { WorkspaceWrite } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import { quote, refuse } from "../Refusal.ts"
import { permissionBits } from "./directory.ts"
import { syncDirectory, writeAll } from "./durable.ts"
import { regular, useAt } from "./openFile.ts"
import { digestOf } from "./readLines.ts"
import type { Root } from "./root.ts"
import { call, failWith, report, wait } from "./systemCall.ts"
import { temporaryName } from "./temporaries.ts"
import { lookUp, type WalkLocation, visit } from "./walk.ts"

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = fs.constants
const defaultFileMode = 0o666

/** Fails if a write could be redirected to another location. */
export const mayWrite = (root: Root): Effect.Effect<void, ToolError.ToolError> =>
  root.handles.areSafe
    ? Effect.void
    : Effect.fail(
        refuse("ReadOnlyWorkspace", "write", "this platform has no working directory handles, so nothing is written")
      )

interface FileWrite {
  readonly content: Uint8Array
  readonly expected: string | null | undefined
  /** The permissions of a new file; default: those that the umask allows. */
  readonly newFileMode?: number
}

export const replaceFile = (
  root: Root,
  path: string,
  { content, expected, newFileMode = defaultFileMode }: FileWrite
): Effect.Effect<WorkspaceWrite.WriteResult, ToolError.ToolError> =>
  Effect.andThen(
    mayWrite(root),
    visit(root, { path, access: "write", follow: true, missing: "make" }, (place) =>
      Effect.gen(function* () {
        if (place.stats !== null) yield* regular(root, place, "write")
        yield* requireUnchanged(root, place, expected)
        yield* withTemporary(root, { place, content, newFileMode }, (temporary) =>
          Effect.uninterruptible(
            Effect.andThen(putInPlace(place, temporary, expected), syncDirectory(place.parent, place.path))
          )
        )
        return {
          path: place.path,
          bytes: content.length,
          digest: Canonical.digest(content),
          created: place.stats === null
        }
      })
    )
  )

/** Fails unless the digest of the existing file is the expected digest. */
const requireUnchanged = (
  root: Root,
  location: WalkLocation,
  expected: string | null | undefined
): Effect.Effect<void, ToolError.ToolError> => {
  if (expected === undefined) return Effect.void
  if (location.stats === null || expected === null) {
    if (location.stats === null && expected === null) return Effect.void
    return Effect.fail(expected === null ? present(location.path) : conflict(location.path))
  }
  return useAt(root, location, digestOf).pipe(
    Effect.flatMap((found) => (found?.value === expected ? Effect.void : Effect.fail(conflict(location.path))))
  )
}

const conflict = (path: string): ToolError.ExecutionError =>
  new ToolError.ExecutionError({
    message: `Conflict: ${quote(path)} changed since it was read`,
    hint: "read it again and repeat the change"
  })

/** The error if a file exists although only a new one may be written. */
const present = (path: string): ToolError.ExecutionError =>
  new ToolError.ExecutionError({
    message: `Conflict: ${quote(path)} already exists`,
    hint: "choose another path, or read it and change it"
  })

/** Makes a synced file of these bytes in the target's directory; it is removed unless `use` renames it. */
const withTemporary = (
  root: Root,
  {
    content,
    newFileMode,
    place
  }: { readonly place: WalkLocation; readonly content: Uint8Array; readonly newFileMode: number },
  use: (at: string) => Effect.Effect<void, ToolError.ToolError>
): Effect.Effect<void, ToolError.ToolError> => {
  const { parent, path, segments, stats } = place
  const name = temporaryName()
  const at = parent.prefix + name
  const mode = stats === null ? newFileMode : permissionBits(stats)
  const temporaryFiles = root.temporaries.list([root.path, ...segments.slice(0, -1), name].join("/"))
  return Effect.acquireUseRelease(
    call(() => fs.openSync(at, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode)).pipe(Effect.mapError(report(path))),
    (fd) => Effect.andThen(fillFile(fd, content, { path, stats }), use(at)),
    (fd) =>
      Effect.andThen(
        Effect.sync(() => fs.closeSync(fd)),
        Effect.ignore(call(() => fs.unlinkSync(at)))
      )
  ).pipe(Effect.ensuring(Effect.sync(temporaryFiles)))
}

const fillFile = (
  fd: number,
  content: Uint8Array,
  { path, stats }: Pick<WalkLocation, "path" | "stats">
): Effect.Effect<void, ToolError.ToolError> =>
  Effect.gen(function* () {
    yield* writeAll(fd, content, 0)
    if (stats !== null) {
      // The umask changed the mode at creation. If the user may not change the file's owner, the user stays the owner.
      yield* Effect.ignore(call(() => fs.fchownSync(fd, Number(stats.uid), Number(stats.gid))))
      yield* call(() => fs.fchmodSync(fd, permissionBits(stats)))
    }
    yield* wait<void>((done) => fs.fsync(fd, (error) => done(error)))
  }).pipe(Effect.mapError(report(path)))

/** Checks and renames in one synchronous step, so that no other work of this process runs in between. */
const putInPlace = (
  location: WalkLocation,
  temporary: string,
  expected: string | null | undefined
): Effect.Effect<void, ToolError.ToolError> =>
  lookUp(location.at, location.path).pipe(
    Effect.flatMap((now) => {
      if (expected !== undefined && !isSame(now, location.stats)) return Effect.fail(conflict(location.path))
      if (now?.isDirectory() === true) return Effect.fail(failWith("EISDIR", location.path))
      return expected === null ? linkInPlace(location, temporary) : renameInPlace(location, temporary)
    })
  )

const renameInPlace = (location: WalkLocation, temporary: string): Effect.Effect<void, ToolError.ToolError> =>
  call(() => fs.renameSync(temporary, location.at)).pipe(Effect.mapError(report(location.path)))

/** Links the file: unlike a rename, a link never replaces an existing entry. */
const linkInPlace = (location: WalkLocation, temporary: string): Effect.Effect<void, ToolError.ToolError> =>
  call(() => fs.linkSync(temporary, location.at)).pipe(
    Effect.catchTag("SystemError", (error) => {
      if (error.code === "EEXIST") return Effect.fail(conflict(location.path))
      // A file system without hard links falls back to a rename.
      return error.code === "EPERM" || error.code === "ENOTSUP" || error.code === "EOPNOTSUPP"
        ? renameInPlace(location, temporary)
        : Effect.fail(report(location.path)(error))
    })
  )

const isSame = (a: fs.BigIntStats | null, b: fs.BigIntStats | null): boolean =>
  a === null || b === null
    ? a === b
    : a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs
