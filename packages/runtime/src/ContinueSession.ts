/** Runs a session until nothing is left to do, and stops its tree when the run is interrupted or cancelled. */
import * as Effect from "effect/Effect"
import * as ActiveTime from "./ActiveTime.ts"
import * as Calls from "./Calls.ts"
import * as CancelMain from "./CancelMain.ts"
import * as ChildEnding from "./ChildEnding.ts"
import * as Inbox from "./Inbox.ts"
import * as Loop from "./Loop.ts"
import type { ModelError } from "./Model.ts"
import * as Recovery from "./Recovery.ts"
import * as RequestEnds from "./RequestEnds.ts"
import type { Running } from "./Running.ts"
import type { JournalCorrupt, LeaseLost, StoreFailed } from "./SessionStore.ts"
import * as Turn from "./Turn.ts"

export type TurnFailure = ModelError | LeaseLost | StoreFailed | JournalCorrupt

/** Makes every session of the tree read the inbox again. */
export const lookAgain = (main: Running): void => {
  Inbox.grown(main)
  for (const child of main.tree.live.values()) Inbox.grown(child.running)
  main.tree.changes.tell()
}

/** One run at a time. Interrupting it stops the work of the whole tree; a run that still waits for its turn stops nothing. */
export const continueSession = (main: Running): Effect.Effect<Turn.TurnResult | null, TurnFailure> =>
  main.tree.turns.withPermit(continueUntilCancelled(main))

/** Stops cancelled work, and continues with messages that were sent after the cancellation. */
const continueUntilCancelled = Effect.fnUntraced(function* (
  main: Running
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

const working = (main: Running) =>
  Effect.sync(() => lookAgain(main)).pipe(
    Effect.andThen(ActiveTime.working(main.activeTime, Effect.andThen(Recovery.recover(main), Loop.run(main)))),
    Effect.tap(() => Inbox.dropUnreadable(main)),
    Effect.onInterrupt(() => (main.tree.isLeaving() ? Effect.void : stop(main)))
  )

const stop = (main: Running) =>
  ChildEnding.stopAll(main, "interrupted").pipe(
    Effect.andThen(Effect.ignore(withdrawAsked(main))),
    Effect.andThen(Effect.ignore(closeTurn(main)))
  )

/** If the user interrupts, their open approvals are withdrawn; approvals stay open when no user is attached. */
const withdrawAsked = (main: Running) =>
  main.channel.ask === null
    ? Effect.void
    : Calls.abandonAll(main, { cause: RequestEnds.because("interrupted"), reason: "interrupted: there is no result" })

/** Closes the turn: an ended child would start another step, and the user interrupted the work. */
const closeTurn = (main: Running) =>
  Effect.suspend(() => (main.journal.state.turnOpen ? Turn.close(main, Turn.interruption(main)) : Effect.void))
