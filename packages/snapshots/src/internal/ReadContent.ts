/** Reads contents of files: only regular files, never through a link, never more bytes than allowed. */
import * as Effect from "effect/Effect"
import { Buffer } from "node:buffer"
import * as fs from "node:fs"
import { orElse } from "./attempt.ts"
import { toPath } from "./ByteName.ts"
import { nextTurn } from "./Pace.ts"
import type { Exclusion } from "./TreeObject.ts"

const { O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = fs.constants
const flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY

export type Content =
  | { readonly kind: "content"; readonly content: Buffer; readonly stats: fs.Stats }
  | { readonly kind: "excluded"; readonly reason: Exclusion; readonly stats: fs.Stats | null }

export interface ContentLimits {
  readonly maxBytes: number
  /** The owner of the files: a file of another owner with a second name is not read. */
  readonly ownerUid: number
}

const maxAttempts = 3
const chunkBytes = 1024 ** 2

/** Reads the file again if it changed during the read. */
export const read = Effect.fnUntraced(function* (path: string, limits: ContentLimits): Effect.fn.Return<Content> {
  let found = yield* once(path, limits)
  for (let attempt = 1; attempt < maxAttempts && found === null; attempt++) found = yield* once(path, limits)
  return found ?? { kind: "excluded", reason: "changing", stats: null }
})

/** Reads the file once; null: it changed while it was read. */
const once = (path: string, limits: ContentLimits): Effect.Effect<Content | null> =>
  Effect.acquireUseRelease(
    Effect.sync(() => open(path)),
    (fd): Effect.Effect<Content | null> =>
      fd === null ? Effect.succeed({ kind: "excluded", reason: "unreadable", stats: null }) : readOpen(fd, limits),
    (fd) => Effect.sync(() => (fd === null ? undefined : fs.closeSync(fd)))
  )

/** Opens the file; null: it may not be read, is missing, or is a link now. */
const open = (path: string): number | null =>
  orElse(
    () => fs.openSync(toPath(path), flags),
    () => null
  )

const readOpen = Effect.fnUntraced(function* (fd: number, limits: ContentLimits): Effect.fn.Return<Content | null> {
  const stats = fs.fstatSync(fd)
  if (!stats.isFile()) return { kind: "excluded", reason: "special file", stats }
  if (stats.nlink > 1 && stats.uid !== limits.ownerUid) {
    return { kind: "excluded", reason: "another owner's file", stats }
  }
  if (stats.size > limits.maxBytes) return { kind: "excluded", reason: "too large", stats }
  // One byte more than the reported size, because the file may have grown.
  const content = Buffer.allocUnsafe(stats.size + 1)
  let filled = 0
  while (filled < content.length) {
    if (filled > 0) yield* nextTurn
    const bytes = readChunk(fd, content, filled)
    if (bytes === null) return { kind: "excluded", reason: "unreadable", stats }
    if (bytes === 0) break
    filled += bytes
  }
  const after = fs.fstatSync(fd)
  const isWhole = filled === stats.size && after.mtimeMs === stats.mtimeMs && after.ctimeMs === stats.ctimeMs
  return isWhole ? { kind: "content", content: content.subarray(0, filled), stats } : null
})

const readChunk = (fd: number, content: Buffer, filled: number): number | null =>
  orElse(
    () => fs.readSync(fd, content, filled, Math.min(chunkBytes, content.length - filled), filled),
    () => null
  )
