/** Ends a child: first its descendants, then the child itself by one commit that also notifies its parent. */
import type { Batch, SessionResult } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as RequestEnds from "../approval/RequestEnds.ts"
import * as ActiveTime from "../budget/ActiveTime.ts"
import * as Inbox from "../journal/Inbox.ts"
import * as Journal from "../journal/Journal.ts"
import * as SessionState from "../journal/SessionState.ts"
import type { LeaseLost, StoreFailed } from "../ports/SessionStore.ts"
import * as CommandEnds from "../session/CommandEnds.ts"
import * as ToolCalls from "../session/ToolCalls.ts"
import * as CancelChildren from "./CancelChildren.ts"
import type { RunningChild } from "./RunningChild.ts"
import * as Tree from "./Tree.ts"

export interface End {
  readonly status: SessionResult.EndState
  readonly reason: string
}

/** Commits the end once all descendants of the child have ended. */
export const endChild = Effect.fnUntraced(function* (
  child: RunningChild,
  end: End
): Effect.fn.Return<void, LeaseLost | StoreFailed> {
  const { budget, inbox, journal, tree, turns } = child.session
  for (const grandchild of Tree.childrenOf(tree, journal)) {
    yield* CancelChildren.requestEnd(tree, grandchild, {
      status: "Cancelled",
      reason: "the session above it has ended"
    })
  }
  yield* CancelChildren.withdrawChildren(tree, journal)
  const cause = RequestEnds.causeOf(end.status === "Cancelled" ? "cancelled" : "sessionEnded")
  yield* ToolCalls.cancel(turns.tools, { cause, reason: "the session has ended" })
  yield* CommandEnds.stopAll(journal, child.session.agent.workspace.commands ?? null, "when its session ended")
  const worked = ActiveTime.unrecordedMillis(budget.activeTime)
  const unread = yield* Inbox.rowsOf(inbox)
  yield* Effect.uninterruptible(record(child, resultOf(child, end, worked), unread.map(Inbox.doneProjection)))
})

const resultOf = (
  { purpose, session }: RunningChild,
  { reason, status }: End,
  workedMillis: number
): SessionResult.SessionResult => {
  const { state } = session.journal
  const spent = SessionState.totalSpent(state)
  const { inputPerMillionUsd, outputPerMillionUsd } = session.turns.caller.model
  const isBounded = inputPerMillionUsd !== undefined && outputPerMillionUsd !== undefined
  // An interrupted reply has cost at most its reservation, which also bounds the cost of a reflection that a user's
  // message interrupts.
  const costUsd = spent.costUsd ?? (isBounded || purpose !== null ? session.budget.limit.costUsd : null)
  const usage = { ...spent, costUsd }
  return {
    status,
    reason,
    summary: state.lastText,
    output: state.returned,
    artifacts: state.artifacts,
    memoryIds: state.artifacts.flatMap((artifact) => (artifact._tag === "MemoryWritten" ? [artifact.noteId] : [])),
    usage: { ...usage, activeMillis: usage.activeMillis + workedMillis }
  }
}

const record = Effect.fnUntraced(function* (
  { parent, purpose, session }: RunningChild,
  result: SessionResult.SessionResult,
  read: ReadonlyArray<Batch.Projection>
) {
  const { journal, tree } = session
  const { sessionId: childId } = journal
  const purposeField = purpose === null ? {} : { purpose }
  const learnt = purpose === null ? {} : { labels: [...journal.state.labels] }
  yield* Journal.commitBoth(parent.journal, journal, () =>
    Result.succeed({
      parent: {
        bodies: [{ _tag: "ChildEnded", childId, result, ...purposeField, ...learnt }],
        // A reflection's result adds no labels here: it is offered to the next turn, which adds them.
        labels: purpose === null ? [...journal.state.labels] : []
      },
      child: {
        bodies: [{ _tag: "SessionEnded", result }],
        projections: [{ _tag: "SessionState", sessionId: childId, state: result.status }, ...read]
      }
    })
  )
  tree.live.delete(childId)
  tree.changes.notify()
})
