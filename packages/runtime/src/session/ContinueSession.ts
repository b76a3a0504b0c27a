/** Runs a session until nothing is left to do, and stops its tree when the run is interrupted or cancelled. */
import * as Effect from "effect/Effect"
import * as ActiveTime from "../budget/ActiveTime.ts"
import * as ToolCalls from "./ToolCalls.ts"
import * as CancelMain from "../tree/CancelMain.ts"
import * as CancelChildren from "../tree/CancelChildren.ts"
import * as Inbox from "../journal/Inbox.ts"
import * as Loop from "./Loop.ts"
import type { ModelError } from "../ports/Model.ts"
import * as Recovery from "../tree/Recovery.ts"
import * as RequestEnds from "../approval/RequestEnds.ts"
import type { SessionContext } from "./SessionContext.ts"
import type { JournalCorrupt, LeaseLost, StoreFailed } from "../ports/SessionStore.ts"
import * as Turn from "./Turn.ts"

export type TurnFailure = ModelError | LeaseLost | StoreFailed | JournalCorrupt

/** Makes every session of the tree read the inbox again. */
export const lookAgain = (main: SessionContext): void => {
  Inbox.grown(main)
  for (const child of main.tree.live.values()) Inbox.grown(child.running)
  main.tree.changes.notify()
}

/** One run at a time. Interrupting it stops the work of the whole tree; a run that still waits for its turn stops nothing. */
export const continueSession = (main: SessionContext): Effect.Effect<Turn.TurnResult | null, TurnFailure> =>
  main.tree.turns.withPermit(continueUntilCancelled(main))

/** Stops cancelled work, and continues with messages that were sent after the cancellation. */
const continueUntilCancelled = Effect.fnUntraced(function* (
  main: SessionContext
): Effect.fn.Return<Turn.TurnResult | null, TurnFailure> {
  let isCancelled = false
  while (true) {
    yield* CancelMain.take(main)
    const result = yield* Effect.raceFirst(working(main), CancelMain.until(main))
    if (result === null && isCancelled) return Turn.standing(main)
    if (result !== true) return result
    isCancelled = true
  }
})

const working = (main: SessionContext) =>
  Effect.sync(() => lookAgain(main)).pipe(
    Effect.andThen(ActiveTime.working(main.activeTime, Effect.andThen(Recovery.recover(main), Loop.run(main)))),
    Effect.tap(() => Inbox.dropUnreadable(main)),
    Effect.onInterrupt(() => (main.tree.isLeaving() ? Effect.void : stop(main)))
  )

const stop = (main: SessionContext) =>
  CancelChildren.stopAll(main, "interrupted").pipe(
    Effect.andThen(Effect.ignore(withdrawAsked(main))),
    Effect.andThen(Effect.ignore(closeTurn(main)))
  )

/** If the user interrupts, their open approvals are withdrawn; approvals stay open when no user is attached. */
const withdrawAsked = (main: SessionContext) =>
  main.channel.ask === null
    ? Effect.void
    : ToolCalls.cancel(main, { cause: RequestEnds.because("interrupted"), reason: "interrupted: there is no result" })

/** Closes the turn: an ended child would start another step, and the user interrupted the work. */
const closeTurn = (main: SessionContext) =>
  Effect.suspend(() => (main.journal.state.turnOpen ? Turn.close(main, Turn.interruption(main)) : Effect.void))
