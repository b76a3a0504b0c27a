/**
 * Port to snapshots of a workspace before and after the actions of a session, from which overwritten or removed files can
 * be restored. Not a capability: tools can neither take nor remove a snapshot.
 */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/**
 * The state could not be recorded.
 *
 * - `TooLarge`: the workspace has more files or bytes than a snapshot may contain
 * - `StoreFailed`: the snapshot store cannot be read or written, such as on a full disk
 * - `Unreadable`: the workspace itself cannot be read
 */
export class SnapshotFailed extends Schema.TaggedError<SnapshotFailed>()("SnapshotFailed", {
  reason: Schema.Literals(["TooLarge", "StoreFailed", "Unreadable"]),
  /** A clause for users, such as `no space is left on the disk`. */
  message: Schema.String
}) {}

/** Returns true if the file or link at this absolute path can be restored. */
export type IsRestorable = (path: string) => boolean

/** States are named by a digest: two states with the same name have the same files. */
export interface Snapshots {
  /** Starts the work for which the first snapshot would wait. */
  readonly prepare: Effect.Effect<void>
  /** Records the current workspace, durably on return; called before each call that may change it. */
  readonly before: Effect.Effect<string, SnapshotFailed>
  /** Records the workspace after a call. Durable with the next `before`. */
  readonly after: Effect.Effect<string, SnapshotFailed>
  /** Reads the workspace and returns the files that a snapshot would contain now. */
  readonly restorable: Effect.Effect<IsRestorable, SnapshotFailed>
}
