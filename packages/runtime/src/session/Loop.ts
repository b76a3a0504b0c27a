/**
 * Runs turns of a session until all remaining work depends on a user who is not attached or on a child that is still
 * working.
 */
import type { Gate, Ledger } from "@bough/dispatch"
import * as Effect from "effect/Effect"
import * as ActiveTime from "../budget/ActiveTime.ts"
import * as Inbox from "../journal/Inbox.ts"
import type { Journal } from "../journal/Journal.ts"
import * as Tree from "../tree/Tree.ts"
import * as DeferredCalls from "./DeferredCalls.ts"
import type { ToolRunner } from "./ToolRunner.ts"
import * as Turn from "./Turn.ts"

/**
 * Provides the ports once for all calls, because merging a context per call would dominate the cost of a short call.
 */
export const withPorts = <A, E>(effect: Effect.Effect<A, E, Gate.Gate | Ledger.Ledger>, { ports }: ToolRunner) =>
  Effect.provideContext(effect, ports)

/**
 * Returns the last turn's result; null: there was no work. The session waits for its working children, and for
 * decisions of the attached user about deferred calls.
 */
export const run = Effect.fnUntraced(
  function* (turns: Turn.Turns) {
    const { inbox, journal } = turns
    // A message to a turn that was left open joins that turn, after the results of the calls in its last reply.
    yield* Turn.settleOpen(turns)
    let result: Turn.TurnResult | null = null
    if ((yield* Inbox.takeMessage(turns.inbox)) || isOpen(journal)) result = yield* Turn.run(turns)
    let continuations = 0
    // A returned output ends the session.
    while ((canContinue(result) || hasPendingWork(turns, result)) && journal.state.returned === null) {
      const seen = inbox.version
      yield* Turn.settleDecided(turns)
      // Runs a decided call without reopening a stopped turn.
      if (result?.status === "stopped" && journal.state.turnOpen) yield* Turn.close(turns, result.reason)
      if (journal.state.turnOpen || (yield* Inbox.takeMessage(turns.inbox))) {
        result = yield* Turn.run(turns)
        continue
      }
      if (!waitsForOthers(turns)) {
        if (continuations >= maxContinuations || !(yield* mustContinue(turns, result))) return result
        continuations += 1
        continue
      }
      const cancelled = yield* Turn.takeCancellation(turns, result)
      if (cancelled !== null) return cancelled
      if ((yield* waitForOthers(turns, seen)) === "parked") return Turn.suspendedResult(turns, result)
    }
    return result
  },
  (effect, { tools }) => withPorts(effect, tools)
)

/** The maximum number of consecutive times that a hook can make the agent continue. */
const maxContinuations = 3

/** Asks the hook at the end of a completed turn; if it names a remaining task, the task becomes a message. */
const mustContinue = Effect.fnUntraced(function* ({ beforeStop, inbox }: Turn.Turns, result: Turn.TurnResult | null) {
  if (beforeStop === null || result?.status !== "completed") return false
  const remaining = yield* beforeStop
  if (remaining === null) return false
  yield* Inbox.steer(inbox, `Not done yet: ${remaining}`)
  return true
})

/** True if there is unfinished work other than messages: a reply is due, or a call has not ended. */
export const isOpen = ({ state }: Pick<Journal["Service"], "state">): boolean =>
  state.turnOpen || state.openCalls.size > 0

const canContinue = (result: Turn.TurnResult | null): boolean =>
  result === null || result.status === "completed" || result.status === "suspended"

/**
 * True if the model may not be called now, but an approval is pending or a child has not returned its unused budget.
 */
const hasPendingWork = (turns: Turn.Turns, result: Turn.TurnResult | null): boolean =>
  DeferredCalls.isAsked(turns.tools) || (result?.status === "spent" && hasChildren(turns.journal))

/** True if children are running, or one has ended since the last reply. */
const hasChildren = ({ state }: Journal["Service"]): boolean => state.liveChildren.size > 0 || state.turnOpen

const waitsForOthers = (turns: Turn.Turns): boolean =>
  turns.journal.state.liveChildren.size > 0 || DeferredCalls.isAsked(turns.tools)

/**
 * Waits until a child has ended or a message or decision has arrived, or until no descendant can continue and no user
 * is being asked.
 */
const waitForOthers = (turns: Turn.Turns, seen: number) => {
  const { inbox, journal, tree } = turns
  return ActiveTime.whileWaiting(
    turns.budget.activeTime,
    tree.changes.waitFor(() => {
      if (tree.failure !== null || journal.state.turnOpen || inbox.version !== seen) return "goOn"
      if (DeferredCalls.decidedCalls(turns.tools).length > 0) return "goOn"
      return Tree.allParked(tree, journal) && !DeferredCalls.isAsked(turns.tools) ? "parked" : null
    })
  ).pipe(Effect.tap(() => (tree.failure === null ? Effect.void : Effect.fail(tree.failure))))
}
