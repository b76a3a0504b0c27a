/** Opens regular files where a walk found them, and reads their bytes. */
import type { SystemError } from "@bough/disk"
import type { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import { Buffer } from "node:buffer"
import * as fs from "node:fs"
import { type Access, quote, refuse } from "../Refusal.ts"
import { areSame, split } from "./pathText.ts"
import { isSecret, type Root } from "./root.ts"
import { call, failWith, report, wait } from "./systemCall.ts"
import { type WalkLocation, visit } from "./walk.ts"
import type { WithheldPaths } from "./withheld.ts"

/** The root as one call may see it. */
export interface View {
  readonly root: Root
  /** True if a user allowed this call to read this secret file; the path is resolved. */
  readonly mayReadSecret: (path: string) => boolean
  readonly withheld: WithheldPaths
}

type EntryOnDisk = Pick<WalkLocation, "at" | "path" | "stats">

export interface OpenFile {
  readonly fd: number
  readonly bytes: number
  readonly path: string
}

const { O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = fs.constants

/** The number of times that a file may be swapped for a link between the check and the opening. */
const maxAttempts = 100

/** Opens a regular file for reading while `use` runs; links that stay inside the root are followed. */
export const withFile = Effect.fnUntraced(function* <A, E>(
  view: View,
  path: string,
  use: (file: OpenFile) => Effect.Effect<A, E>
): Effect.fn.Return<A, E | ToolError.ToolError> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const result = yield* visit(view.root, { path, access: "read", follow: true, missing: "fail" }, (place) =>
      Effect.andThen(mayRead(view, path, place), useAt(view.root, place, use))
    )
    if (result !== null) return result.value
  }
  return yield* failWith("EBUSY", path)
})

/** Uses the file; null: a link has replaced the file since the walk, or it was removed. */
export const useAt = <A, E>(
  root: Root,
  entry: EntryOnDisk,
  use: (file: OpenFile) => Effect.Effect<A, E>
): Effect.Effect<{ readonly value: A } | null, E | ToolError.ToolError> =>
  Effect.acquireUseRelease(
    open(entry),
    (fd) =>
      fd === null
        ? Effect.succeed(null)
        : Effect.map(Effect.flatMap(checkOpened(root, entry, fd), use), (value) => ({ value })),
    (fd) => Effect.sync(() => (fd === null ? undefined : fs.closeSync(fd)))
  )

const open = (entry: EntryOnDisk): Effect.Effect<number | null, ToolError.ToolError> =>
  call(() => fs.openSync(entry.at, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)).pipe(
    Effect.catchTag("SystemError", (error) =>
      error.code === "ELOOP" || error.code === "ENOENT" ? Effect.succeed(null) : Effect.fail(report(entry.path)(error))
    )
  )

/** Fails unless the file is regular and this call may read it. `path` is the path before links were followed. */
export const mayRead = (
  view: View,
  path: string,
  location: WalkLocation
): Effect.Effect<fs.BigIntStats, ToolError.ToolError> =>
  Effect.andThen(mayDisclose(view, path, location), regular(view.root, location, "read"))

/** Fails if the file is secret and no approval allows this call to read it. */
export const mayDisclose = (
  view: View,
  path: string,
  location: WalkLocation
): Effect.Effect<void, ToolError.ToolError> => {
  const written = split(path)
  // Most paths are written as they resolve, and are then checked once.
  const isHidden =
    isSecret(view.root, location.segments) || (!areSame(written, location.segments) && isSecret(view.root, written))
  return isHidden && location.stats?.isDirectory() !== true && !view.mayReadSecret(location.path)
    ? Effect.fail(refuse("SecretFile", "read", `${quote(path)} may hold credentials: reading it needs an approval`))
    : Effect.void
}

const checkOpened = (root: Root, entry: EntryOnDisk, fd: number): Effect.Effect<OpenFile, ToolError.ToolError> =>
  call(() => fs.fstatSync(fd, { bigint: true })).pipe(
    Effect.mapError(report(entry.path)),
    Effect.tap((stats) => regular(root, { ...entry, stats }, "read")),
    Effect.map((stats) => ({ fd, bytes: Number(stats.size), path: entry.path }))
  )

/** Fails unless the file is regular and belongs to the workspace. */
export const regular = (
  root: Root,
  { path, stats }: Pick<WalkLocation, "path" | "stats">,
  access: Access
): Effect.Effect<fs.BigIntStats, ToolError.ToolError> => {
  if (stats === null) return Effect.fail(failWith("ENOENT", path))
  if (stats.isDirectory()) return Effect.fail(failWith("EISDIR", path, "list_files shows what is in it"))
  if (!stats.isFile()) return Effect.fail(refuse("NotRegular", access, `${quote(path)} is ${kindName(stats)}`))
  return access === "read" && stats.nlink > 1n && Number(stats.uid) !== root.ownerUid
    ? Effect.fail(refuse("HardLink", access, `${quote(path)} is another owner's file under a second name`))
    : Effect.succeed(stats)
}

const kindName = (stats: fs.BigIntStats): string =>
  stats.isFIFO()
    ? "a FIFO"
    : stats.isSocket()
      ? "a socket"
      : stats.isSymbolicLink()
        ? "a symbolic link"
        : stats.isCharacterDevice() || stats.isBlockDevice()
          ? "a device"
          : "no regular file"

const promptBytes = 256 * 1024
const chunkBytes = 1024 * 1024

/** Returns a buffer for the bytes of a file: either a new buffer each time, or a reused one. */
export type AllocateBuffer = (bytes: number) => Buffer

const allocateNew: AllocateBuffer = (bytes) => Buffer.allocUnsafeSlow(bytes)

/**
 * Makes a room that reuses one buffer, for callers that read many files and keep none of their bytes: the bytes are
 * valid until the next use.
 */
export const makeSharedBuffer = (): AllocateBuffer => {
  let shared: Buffer | null = null
  return (bytes) => (bytes > promptBytes ? allocateNew(bytes) : (shared ??= Buffer.allocUnsafeSlow(promptBytes)))
}

/** Reads all bytes; a file of more than `maxBytes` is refused before it is read. */
export const readAll = (
  file: OpenFile,
  maxBytes: number,
  roomFor: AllocateBuffer = allocateNew
): Effect.Effect<Uint8Array, ToolError.ToolError> => {
  if (file.bytes > maxBytes) return Effect.fail(tooLarge(file.path, file.bytes, maxBytes))
  // One byte more than the reported size: the file may have grown, and kernel files report 0.
  const needed = Math.max(file.bytes + 1, 4096)
  const buffer = roomFor(needed).subarray(0, needed)
  return fill(file, buffer, 0).pipe(
    Effect.flatMap((filled) => {
      if (filled < buffer.length) return Effect.succeed(buffer.subarray(0, filled))
      return filled > maxBytes
        ? Effect.fail(tooLarge(file.path, filled, maxBytes))
        : readRest(file, [buffer], { filled, maxBytes })
    })
  )
}

const readRest = Effect.fnUntraced(function* (
  file: OpenFile,
  parts: Array<Buffer>,
  { filled, maxBytes }: { readonly filled: number; readonly maxBytes: number }
): Effect.fn.Return<Uint8Array, ToolError.ToolError> {
  let total = filled
  for (;;) {
    const chunk = Buffer.allocUnsafeSlow(chunkBytes)
    const read = yield* fill(file, chunk, total)
    parts.push(chunk.subarray(0, read))
    total += read
    if (total > maxBytes) return yield* tooLarge(file.path, total, maxBytes)
    if (read < chunk.length) return Buffer.concat(parts, total)
  }
})

export const tooLarge = (path: string, bytes: number, maxBytes: number): ToolError.PermissionDenied =>
  refuse("TooLarge", "read", `${quote(path)} has ${bytes} bytes, the limit is ${maxBytes}`)

/** Reads from `position` until the buffer is full or the file ends; returns the number of bytes. */
export const fill = Effect.fnUntraced(function* (
  file: OpenFile,
  buffer: Buffer,
  position: number
): Effect.fn.Return<number, ToolError.ToolError> {
  let filled = 0
  while (filled < buffer.length) {
    const read = yield* readSome(file, buffer.subarray(filled), position + filled)
    if (read === 0) break
    filled += read
  }
  return filled
})

/** Makes small reads synchronously: the thread pool would take longer. */
const readSome = (file: OpenFile, buffer: Buffer, position: number): Effect.Effect<number, ToolError.ToolError> => {
  const reading: Effect.Effect<number, SystemError.SystemError> =
    buffer.length <= promptBytes
      ? call(() => fs.readSync(file.fd, buffer, 0, buffer.length, position))
      : wait((done) => fs.read(file.fd, buffer, 0, buffer.length, position, done))
  return Effect.mapError(reading, report(file.path))
}
