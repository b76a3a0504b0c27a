/**
 * Turns of a session until nothing is left to do without somebody else: a person who is not there, or a child that
 * still works.
 */
import type { Gate, Ledger } from "@bough/dispatch"
import * as Effect from "effect/Effect"
import * as ActiveTime from "../budget/ActiveTime.ts"
import * as Inbox from "../journal/Inbox.ts"
import * as DeferredCalls from "./DeferredCalls.ts"
import type { SessionContext } from "./SessionContext.ts"
import * as Tree from "../tree/Tree.ts"
import * as Turn from "./Turn.ts"

/** Once for all calls of what runs: a context merged for each of them would be the dearest part of a short call. */
export const withPorts = <A, E>(
  effect: Effect.Effect<A, E, Gate.Gate | Ledger.Ledger>,
  { dispatching }: SessionContext
) => Effect.provideContext(effect, dispatching)

/**
 * The last turn's result; null: there was nothing to do. A session whose children work waits for what they bring, and one
 * whose calls were put aside for the person who is asked.
 */
export const run = Effect.fnUntraced(function* (context: SessionContext) {
  const { inbox, journal } = context
  // A message to a turn that was left open joins it, after the results that its last reply asked for.
  yield* Turn.settleOpen(context)
  let result: Turn.TurnResult | null = null
  if ((yield* Inbox.takeMessage(context)) || isOpen(context)) result = yield* Turn.run(context)
  // An output that was given ends the session.
  while ((mayGoOn(result) || isOwedSomething(context, result)) && journal.state.returned === null) {
    const seen = inbox.version
    yield* Turn.settleDecided(context)
    // What somebody decided about is done, and opens no turn that was stopped.
    if (result?.status === "stopped" && journal.state.turnOpen) yield* Turn.close(context, result.reason)
    if (journal.state.turnOpen || (yield* Inbox.takeMessage(context))) {
      result = yield* Turn.run(context)
      continue
    }
    if (!waitsForOthers(context)) return result
    const cancelled = yield* Turn.takeCancellation(context, result)
    if (cancelled !== null) return cancelled
    if ((yield* forOthers(context, seen)) === "parked") return Turn.suspended(context, result)
  }
  return result
}, withPorts)

/** Whether there is something to go on with that is no message: a reply owed, a call that has not ended. */
export const isOpen = ({ journal }: SessionContext): boolean =>
  journal.state.turnOpen || journal.state.openCalls.size > 0

const mayGoOn = (result: Turn.TurnResult | null): boolean =>
  result === null || result.status === "completed" || result.status === "suspended"

/** It may say nothing more now; but a person is still to answer, or a child to give back what it does not spend. */
const isOwedSomething = (context: SessionContext, result: Turn.TurnResult | null): boolean =>
  DeferredCalls.isAsked(context) || (result?.status === "spent" && hasChildren(context.journal))

/** Or one has ended since. */
const hasChildren = ({ state }: SessionContext["journal"]): boolean => state.liveChildren.size > 0 || state.turnOpen

const waitsForOthers = (context: SessionContext): boolean =>
  context.journal.state.liveChildren.size > 0 || DeferredCalls.isAsked(context)

/** Until a child has ended, a message or a decision has come, or nobody below can go on and nobody is asked. */
const forOthers = (context: SessionContext, seen: number) => {
  const { inbox, journal, tree } = context
  return ActiveTime.waiting(
    context.activeTime,
    tree.changes.waitFor(() => {
      if (tree.failure !== null || journal.state.turnOpen || inbox.version !== seen) return "goOn"
      if (DeferredCalls.decided(context).length > 0) return "goOn"
      return Tree.allParked(context) && !DeferredCalls.isAsked(context) ? "parked" : null
    })
  ).pipe(Effect.tap(() => (tree.failure === null ? Effect.void : Effect.fail(tree.failure))))
}
