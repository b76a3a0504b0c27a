/** Runs a session until no work is left, and stops its tree when the run is interrupted or cancelled. */
import { Trace } from "@bough/dispatch"
import * as Effect from "effect/Effect"
import * as RequestEnds from "../approval/RequestEnds.ts"
import * as ActiveTime from "../budget/ActiveTime.ts"
import * as Inbox from "../journal/Inbox.ts"
import type { ModelError } from "../ports/Model.ts"
import type { JournalCorrupt, LeaseLost, StoreFailed } from "../ports/SessionStore.ts"
import * as CancelChildren from "../tree/CancelChildren.ts"
import * as CancelMain from "../tree/CancelMain.ts"
import * as Recovery from "../tree/Recovery.ts"
import * as Loop from "./Loop.ts"
import type { SessionServices } from "./SessionServices.ts"
import * as ToolCalls from "./ToolCalls.ts"
import * as Turn from "./Turn.ts"

export type TurnFailure = ModelError | LeaseLost | StoreFailed | JournalCorrupt

/** Makes every session of the tree read its inbox again. */
export const rereadInboxes = ({ inbox, tree }: Turn.Turns): void => {
  Inbox.markGrown(inbox)
  for (const { session } of tree.live.values()) Inbox.markGrown(session.inbox)
  tree.changes.notify()
}

/**
 * Runs the session, one run at a time. Interrupting a run stops the work of the whole tree; interrupting a run that is
 * still queued stops nothing.
 */
export const continueSession = (main: SessionServices): Effect.Effect<Turn.TurnResult | null, TurnFailure> =>
  Trace.span(main.tree.turns.withPermit(continueUntilCancelled(main)), "Session.run", {
    isTraced: main.tree.isTraced,
    attributes: () => ({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": main.agent.name,
      "gen_ai.conversation.id": main.journal.sessionId
    })
  })

/** Stops cancelled work, and continues with messages that were sent after the cancellation. */
const continueUntilCancelled = Effect.fnUntraced(function* (
  main: SessionServices
): Effect.fn.Return<Turn.TurnResult | null, TurnFailure> {
  let isCancelled = false
  while (true) {
    yield* CancelMain.take(main)
    const result = yield* Effect.raceFirst(runTurns(main), CancelMain.waitForCancel(main.tree, main.inbox))
    if (result === null && isCancelled) return Turn.stateBetweenTurns(main.turns)
    if (result !== true) return result
    isCancelled = true
  }
})

const runTurns = (main: SessionServices) =>
  Effect.sync(() => rereadInboxes(main.turns)).pipe(
    Effect.andThen(
      ActiveTime.whileWorking(main.budget.activeTime, Effect.andThen(Recovery.recover(main), Loop.run(main.turns)))
    ),
    Effect.tap(() => Inbox.dropUnreadable(main.inbox)),
    Effect.onInterrupt(() => (main.tree.isLeaving() ? Effect.void : stop(main.turns)))
  )

const stop = (turns: Turn.Turns) =>
  CancelChildren.stopAll(turns.tree, turns.journal, "interrupted").pipe(
    Effect.andThen(Effect.ignore(withdrawAsked(turns))),
    Effect.andThen(Effect.ignore(closeTurn(turns)))
  )

/** If the user interrupts, their open approvals are withdrawn; approvals stay open when no user is attached. */
const withdrawAsked = ({ channel, tools }: Turn.Turns) =>
  channel.ask === null
    ? Effect.void
    : ToolCalls.cancel(tools, { cause: RequestEnds.causeOf("interrupted"), reason: "interrupted: there is no result" })

/**
 * Closes the turn, because otherwise an ended child would start another step although the user interrupted the work.
 */
const closeTurn = (turns: Turn.Turns) =>
  Effect.suspend(() => (turns.journal.state.turnOpen ? Turn.close(turns, Turn.interruption(turns)) : Effect.void))
