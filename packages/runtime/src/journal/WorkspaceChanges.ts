/** The changes of a conversation's calls to the workspace, as the recorded states before and after them. */
import type { Entry, Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import type { JournalCorrupt, SessionStore, StoreFailed } from "../ports/SessionStore.ts"
import * as TreeEntries from "./TreeEntries.ts"

export interface WorkspaceChange {
  readonly sessionId: Session.SessionId
  readonly tool: string
  /** The turn of the Main, for calls of its descendants too; 0: before its first turn. */
  readonly turn: number
  /** The tree's commit number, which orders the calls. */
  readonly commit: number
  readonly before: string
  /** Null: the call was cut off, or the state after it is not recorded. */
  readonly after: string | null
}

/** Reads the calls of a Main and its descendants that were recorded because they may have written, oldest first. */
export const read = (
  store: SessionStore["Service"],
  mainId: Session.SessionId
): Effect.Effect<ReadonlyArray<WorkspaceChange>, JournalCorrupt | StoreFailed> =>
  Effect.map(readAfter(store, mainId, null), ({ changes }) => changes)

export interface ChangesAfter {
  readonly changes: ReadonlyArray<WorkspaceChange>
  /**
   * The original session of this fork, if some of the changes after the entry are its own; those are not in `changes`.
   */
  readonly original: Session.SessionId | null
}

/** Reads only the calls that began after an entry; null: all of them. */
export const readAfter = Effect.fnUntraced(function* (
  store: SessionStore["Service"],
  mainId: Session.SessionId,
  boundary: Pick<Entry.Entry, "sessionId" | "seq"> | null
): Effect.fn.Return<ChangesAfter, JournalCorrupt | StoreFailed> {
  let isAfter = boundary === null
  let skipped = 0
  let original: Session.SessionId | null = null
  const changes: Array<WorkspaceChange> = []
  /** The index of each call that has not ended, by session and call. */
  const open = new Map<string, number>()
  let turn = 0
  yield* TreeEntries.forEach(store, mainId, ({ body, commit, seq, sessionId }) =>
    Effect.sync(() => {
      if (body._tag === "StepStarted" && sessionId === mainId) turn = body.turn
      if (body._tag === "CallStarted" && body.workspace !== undefined) {
        const { tool, toolCallId, workspace } = body
        open.set(`${sessionId} ${toolCallId}`, changes.length)
        changes.push({ sessionId, tool, turn, commit, before: workspace, after: null })
      }
      if (body._tag === "CallEnded") end({ body, commit, sessionId })
      if (sessionId === boundary?.sessionId && seq === boundary.seq) {
        isAfter = true
        skipped = changes.length
      }
    })
  )
  return { changes: changes.slice(skipped), original }

  function end({ body, commit, sessionId }: EndedCall): void {
    const states = body.receipt?.workspace
    const at = open.get(`${sessionId} ${body.toolCallId}`)
    open.delete(`${sessionId} ${body.toolCallId}`)
    if (states === undefined) return
    if (at !== undefined) changes[at] = { ...changes[at], after: states.after }
    // A call without an intent has only its receipt; a copy in a fork belongs to the original.
    else if (body.receipt?.sessionPath.at(-1) === sessionId) {
      changes.push({ sessionId, tool: body.tool, turn, commit, ...states })
    } else if (isAfter && states.before !== states.after && body.receipt?.sessionPath[0] !== mainId) {
      original = body.receipt?.sessionPath[0] ?? null
    }
  }
})

interface EndedCall {
  readonly sessionId: Session.SessionId
  readonly commit: number
  readonly body: Entry.BodyOf<"CallEnded">
}
