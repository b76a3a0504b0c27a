/**
 * Cancelling what a Main does: a row of the inbox, from any process. It stops what came before it and nothing that comes
 * after, whether a turn runs, waits for a person, or has not begun.
 */
import * as Effect from "effect/Effect"
import * as ToolCalls from "../session/ToolCalls.ts"
import * as CancelChildren from "./CancelChildren.ts"
import * as Inbox from "../journal/Inbox.ts"
import * as Recovery from "./Recovery.ts"
import * as RequestEnds from "../approval/RequestEnds.ts"
import type { SessionContext } from "../session/SessionContext.ts"
import * as Turn from "../session/Turn.ts"

const reason = "cancelled"

/** Wakes `until` of a Main that is to be cancelled. */
export const notice = (main: SessionContext) =>
  Effect.map(Inbox.cancelsOfMain(main), (rows) => {
    if (rows.length === 0) return
    main.tree.cancelling = true
    main.tree.changes.notify()
  })

/** Returns when somebody cancels what the Main does. */
export const until = Effect.fnUntraced(function* (main: SessionContext) {
  const { tree } = main
  while (true) {
    yield* tree.changes.waitFor(() => (tree.cancelling ? true : null))
    if ((yield* Inbox.cancelsOfMain(main)).length > 0) return true as const
    // The notice was of one that has been acted on since.
    tree.cancelling = false
  }
})

/** Ends what was open when each cancel came, and records the messages before it, which no turn answers. */
export const take = Effect.fnUntraced(function* (main: SessionContext) {
  const { journal, tree } = main
  tree.cancelling = false
  for (const row of yield* Inbox.cancelsOfMain(main)) {
    while (((yield* Inbox.waiting(main))?.seq ?? Infinity) < row.seq) yield* Inbox.takeMessage(main)
    if (journal.state.liveChildren.size > 0) {
      yield* Recovery.recover(main)
      yield* CancelChildren.stopAll(main, reason)
    }
    yield* ToolCalls.cancel(main, { cause: RequestEnds.because("cancelled"), reason })
    if (journal.state.turnOpen) yield* Turn.close(main, reason)
    yield* Inbox.done(main, row)
  }
})
