/**
 * Turns of a session until nothing is left to do without somebody else: a person who is not there, or a child that
 * still works.
 */
import type { Gate, Ledger } from "@bough/dispatch"
import * as Effect from "effect/Effect"
import * as ActiveTime from "./ActiveTime.ts"
import * as Inbox from "./Inbox.ts"
import * as PutAside from "./PutAside.ts"
import type { Running } from "./Running.ts"
import * as Tree from "./Tree.ts"
import * as Turn from "./Turn.ts"

/** Once for all calls of what runs: a context merged for each of them would be the dearest part of a short call. */
export const withPorts = <A, E>(effect: Effect.Effect<A, E, Gate.Gate | Ledger.Ledger>, { dispatching }: Running) =>
  Effect.provideContext(effect, dispatching)

/**
 * The last turn's result; null: there was nothing to do. A session whose children work waits for what they bring, and one
 * whose calls were put aside for the person who is asked.
 */
export const run = Effect.fnUntraced(function* (running: Running) {
  const { inbox, journal } = running
  // A message to a turn that was left open joins it, after the results that its last reply asked for.
  yield* Turn.settleOpen(running)
  let result: Turn.TurnResult | null = null
  if ((yield* Inbox.takeMessage(running)) || isOpen(running)) result = yield* Turn.run(running)
  // An output that was given ends the session.
  while ((mayGoOn(result) || isOwedSomething(running, result)) && journal.state.returned === null) {
    const seen = inbox.version
    yield* Turn.settleDecided(running)
    // What somebody decided about is done, and opens no turn that was stopped.
    if (result?.status === "stopped" && journal.state.turnOpen) yield* Turn.close(running, result.reason)
    if (journal.state.turnOpen || (yield* Inbox.takeMessage(running))) {
      result = yield* Turn.run(running)
      continue
    }
    if (!waitsForOthers(running)) return result
    const cancelled = yield* Turn.cancelledMeanwhile(running, result)
    if (cancelled !== null) return cancelled
    if ((yield* forOthers(running, seen)) === "parked") return Turn.suspended(running, result)
  }
  return result
}, withPorts)

/** Whether there is something to go on with that is no message: a reply owed, a call that has not ended. */
export const isOpen = ({ journal }: Running): boolean => journal.state.turnOpen || journal.state.openCalls.size > 0

const mayGoOn = (result: Turn.TurnResult | null): boolean =>
  result === null || result.status === "completed" || result.status === "suspended"

/** It may say nothing more now; but a person is still to answer, or a child to give back what it does not spend. */
const isOwedSomething = (running: Running, result: Turn.TurnResult | null): boolean =>
  PutAside.isAsked(running) || (result?.status === "spent" && hasChildren(running.journal))

/** Or one has ended since. */
const hasChildren = ({ state }: Running["journal"]): boolean => state.liveChildren.size > 0 || state.turnOpen

const waitsForOthers = (running: Running): boolean =>
  running.journal.state.liveChildren.size > 0 || PutAside.isAsked(running)

/** Until a child has ended, a message or a decision has come, or nobody below can go on and nobody is asked. */
const forOthers = (running: Running, seen: number) => {
  const { inbox, journal, tree } = running
  return ActiveTime.waiting(
    running.activeTime,
    tree.changes.until(() => {
      if (tree.failure !== null || journal.state.turnOpen || inbox.version !== seen) return "goOn"
      if (PutAside.decided(running).length > 0) return "goOn"
      return Tree.allParked(running) && !PutAside.isAsked(running) ? "parked" : null
    })
  ).pipe(Effect.tap(() => (tree.failure === null ? Effect.void : Effect.fail(tree.failure))))
}
