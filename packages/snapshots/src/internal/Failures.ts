/** Translates failures of a store or a workspace into errors of the port. */
import { SystemError } from "@bough/disk"
import { Snapshots } from "@bough/tool"
import * as Effect from "effect/Effect"

/** SQLite's primary result codes as phrases for users. */
const words: Readonly<Record<number, string>> = {
  5: "another process has locked it",
  8: "it is read-only",
  10: "the disk failed",
  11: "it is damaged",
  13: "no space is left on the disk",
  14: "it cannot be opened",
  26: "it is not a snapshot store"
}

const sentence = (cause: unknown): string => {
  if (cause instanceof Error && "errcode" in cause && typeof cause.errcode === "number") {
    return words[cause.errcode & 0xff] ?? cause.message
  }
  return SystemError.reason(cause)
}

export const storeFailed = (cause: unknown): Snapshots.SnapshotFailed =>
  new Snapshots.SnapshotFailed({ reason: "StoreFailed", message: `the snapshot store failed: ${sentence(cause)}` })

export const unreadable = (cause: unknown): Snapshots.SnapshotFailed =>
  new Snapshots.SnapshotFailed({
    reason: "Unreadable",
    message: `the workspace cannot be read: ${SystemError.reason(cause)}`
  })

export const tooLarge = (message: string): Snapshots.SnapshotFailed =>
  new Snapshots.SnapshotFailed({ reason: "TooLarge", message })

/** Runs work on the store that may throw. */
export const onStore = <A>(work: () => A): Effect.Effect<A, Snapshots.SnapshotFailed> =>
  Effect.try({ try: work, catch: storeFailed })
