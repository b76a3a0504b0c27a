/** Forks a session with its files: later changes are undone in the fork. */
import type { Session } from "@bough/protocol"
import { Fork, SessionStore, WorkspaceChanges } from "@bough/runtime"
import type { Undo } from "@bough/snapshots"
import * as Effect from "effect/Effect"
import { invalid } from "../HostFailure.ts"
import * as SessionUndo from "./SessionUndo.ts"

export interface ForkOptions {
  readonly sessionId: string
  /** The last entry to copy; null: the newest. */
  readonly throughSeq: number | null
  readonly snapshots: Pick<Undo.Undo, "check" | "undo">
  /** True to overwrite changes that another program or a user made since. */
  readonly isForced: boolean
}

export interface ForkResult {
  readonly forkId: Session.SessionId
  /** The Main whose files were restored. */
  readonly originalId: Session.SessionId
  /** The restored files; null if no file changed after the entry. */
  readonly restored: Undo.UndoResult | null
}

/** Restores the files, then forks. If the files cannot be restored, nothing is forked and no file is changed. */
export const withFiles = Effect.fnUntraced(function* ({ isForced, sessionId, snapshots, throughSeq }: ForkOptions) {
  const store = yield* SessionStore.SessionStore
  const source = yield* store.session(sessionId)
  const originalId = source.treeId
  const { changes, original } =
    throughSeq === null
      ? { changes: [], original: null }
      : yield* WorkspaceChanges.readAfter(store, originalId, { sessionId: source.sessionId, seq: throughSeq })
  if (original !== null) {
    return yield* invalid(
      `entry ${throughSeq} is a copy, and session ${original} changed files after it`,
      `fork session ${original} instead`
    )
  }
  const turn = Math.min(...changes.map((change) => change.turn))
  const options = { session: originalId, calls: changes, turn, isForced }
  const isChanged =
    changes.length > 0 &&
    (yield* snapshots.check(options).pipe(
      Effect.as(true),
      Effect.catchTag("NothingToRestore", () => Effect.succeed(false)),
      Effect.mapError(SessionUndo.toHostFailure)
    ))
  const forkId = yield* Fork.fork(source.sessionId, throughSeq)
  const restored = isChanged
    ? yield* Effect.mapError(snapshots.undo({ ...options, redoneBy: forkId }), SessionUndo.toHostFailure)
    : null
  return { forkId, originalId, restored } satisfies ForkResult
})
