/**
 * Cancels the work of a Main by a row of the inbox, from any process. The cancellation applies to everything before the
 * row and to nothing after it: to a turn that is running, that waits for a user, or that has not begun.
 */
import * as Effect from "effect/Effect"
import * as RequestEnds from "../approval/RequestEnds.ts"
import * as Inbox from "../journal/Inbox.ts"
import type { SessionServices } from "../session/SessionServices.ts"
import * as ToolCalls from "../session/ToolCalls.ts"
import * as Turn from "../session/Turn.ts"
import * as CancelChildren from "./CancelChildren.ts"
import * as Recovery from "./Recovery.ts"
import * as Tree from "./Tree.ts"

const reason = "cancelled"

/** Records in the tree that a cancellation of its Main is pending, which ends the waits of the Main. */
export const notice = (tree: Tree.TreeState, inbox: Inbox.SessionInbox) =>
  Effect.map(Inbox.cancelsOfMain(inbox), (rows) => {
    if (rows.length > 0) Tree.setCancelling(tree, true)
  })

/** Returns once the work of the Main is cancelled. */
export const waitForCancel = Effect.fnUntraced(function* (tree: Tree.TreeState, inbox: Inbox.SessionInbox) {
  while (true) {
    yield* tree.changes.waitFor(() => (tree.cancelling ? true : null))
    if ((yield* Inbox.cancelsOfMain(inbox)).length > 0) return true as const
    // The cancellation was already carried out, so the notice has no effect.
    Tree.setCancelling(tree, false)
  }
})

/**
 * Ends the work that was open when each cancellation arrived, and records the earlier messages, which no turn answers.
 */
export const take = Effect.fnUntraced(function* (main: SessionServices) {
  const { inbox, journal, tree, turns } = main
  Tree.setCancelling(tree, false)
  for (const row of yield* Inbox.cancelsOfMain(inbox)) {
    while (((yield* Inbox.waitingMessages(inbox))?.seq ?? Infinity) < row.seq) yield* Inbox.takeMessage(inbox)
    if (journal.state.liveChildren.size > 0) {
      yield* Recovery.recover(main)
      yield* CancelChildren.stopAll(tree, journal, reason)
    }
    yield* ToolCalls.cancel(turns.tools, { cause: RequestEnds.causeOf("cancelled"), reason })
    if (journal.state.turnOpen) yield* Turn.close(turns, reason)
    yield* Inbox.markDone(inbox, row)
  }
})
