/** Reads files and links of a workspace as nodes; new contents go to the store. */
import type { Snapshots } from "@bough/tool"
import * as Effect from "effect/Effect"
import { Buffer } from "node:buffer"
import * as fs from "node:fs"
import { orElse } from "./attempt.ts"
import { toPath } from "./ByteName.ts"
import * as Directories from "./Directories.ts"
import * as Failures from "./Failures.ts"
import type { Limits } from "./Limits.ts"
import * as Nodes from "./Nodes.ts"
import * as ObjectStore from "./ObjectStore.ts"
import * as Pace from "./Pace.ts"
import * as ReadContent from "./ReadContent.ts"
import * as TreeObject from "./TreeObject.ts"

export interface LeafReader {
  readonly ownerUid: number
  readonly store: ObjectStore.ObjectStore
  readonly limits: Limits
  readonly pace: Pace.Pace
  readonly nowMillis: () => number
}

export interface LeafName {
  /** The path through an open directory. */
  readonly path: string
  readonly stats: fs.Stats
  readonly isIgnored: boolean
}

const readCost = 10
const bytesPerCost = 5_000
const flushBytes = 64 * 1024 ** 2
const largeBytes = 256 * 1024

/** The resolution of time stamps: some milliseconds, or seconds on some file systems. */
const settledMillis = 100
const settledCoarseMillis = 2_500

/** Returns true if a change after `nowMillis` would alter the times of the file. */
export const isStableAt = (stats: fs.Stats, nowMillis: number): boolean => {
  const latest = Math.max(stats.mtimeMs, stats.ctimeMs)
  return nowMillis - latest > (latest % 1_000 === 0 ? settledCoarseMillis : settledMillis)
}

/** Reads a file or link; null: it was removed. */
export const readLeaf = Effect.fnUntraced(function* (
  reader: LeafReader,
  { isIgnored, path, stats }: LeafName
): Effect.fn.Return<Nodes.LeafNode | null, Snapshots.SnapshotFailed> {
  const { limits, nowMillis, ownerUid, pace } = reader
  const maxBytes = isIgnored ? limits.maxIgnoredFileBytes : limits.maxFileBytes
  if (!stats.isFile()) return Nodes.excludedLeaf("special file", stats, isIgnored)
  if (stats.size > maxBytes) return Nodes.excludedLeaf("too large", stats, isIgnored)
  if (pace.spend(readCost + stats.size / bytesPerCost)) yield* Pace.nextTurn
  const found = yield* ReadContent.read(path, { maxBytes, ownerUid })
  if (found.kind === "excluded") {
    const now = found.stats ?? Directories.statsOf(path)
    return now === null ? null : Nodes.excludedLeaf(now.isFile() ? found.reason : "changing", now, isIgnored)
  }
  const id = yield* storeContent(reader, found.content)
  return {
    kind: "leaf",
    entry: { kind: "file", mode: Nodes.permissions(found.stats.mode), bytes: found.content.length, id },
    seen: Nodes.seenOf(found.stats),
    isSettled: isStableAt(found.stats, nowMillis()),
    isIgnored
  }
})

const storeContent = Effect.fnUntraced(function* (
  { store }: LeafReader,
  content: Buffer
): Effect.fn.Return<string, Snapshots.SnapshotFailed> {
  const id = TreeObject.contentId(content)
  if (yield* Failures.onStore(() => store.has(id))) return id
  const packed =
    content.length > largeBytes
      ? yield* Effect.callback<ObjectStore.PackedObject>((resume) =>
          ObjectStore.packLarge(content, (done) => resume(Effect.succeed(done)))
        )
      : ObjectStore.pack(content)
  // A pooled buffer would keep more memory alive than its bytes.
  store.put(id, { ...packed, content: packed.content.length < 8192 ? Buffer.from(packed.content) : packed.content })
  if (store.pendingBytes() > flushBytes) {
    const isWritten = yield* Failures.onStore(() => store.commit({ tree: null, atMillis: 0, isDurable: false }))
    if (!isWritten) return yield* Failures.storeFailed(new Error("it was deleted meanwhile"))
  }
  return id
})

/** Reads a link; null: it was removed, or is not a link. */
export const readLink = ({ nowMillis }: LeafReader, { isIgnored, path, stats }: LeafName): Nodes.LeafNode | null =>
  orElse(
    (): Nodes.LeafNode => ({
      kind: "leaf",
      entry: { kind: "link", target: fs.readlinkSync(toPath(path), "latin1") },
      seen: Nodes.seenOf(stats),
      isSettled: isStableAt(stats, nowMillis()),
      isIgnored
    }),
    () => null
  )
