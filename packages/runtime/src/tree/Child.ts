/** The life of a child in the process that owns its tree: its work, its time limit, its end. */
import { OpenCalls, type Session } from "@bough/protocol"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as ActiveTime from "../budget/ActiveTime.ts"
import * as TimeBudget from "../budget/TimeBudget.ts"
import * as Inbox from "../journal/Inbox.ts"
import type { Journal } from "../journal/Journal.ts"
import * as SessionState from "../journal/SessionState.ts"
import type { ModelError } from "../ports/Model.ts"
import { LeaseLost, StoreFailed } from "../ports/SessionStore.ts"
import * as Loop from "../session/Loop.ts"
import type { TurnResult } from "../session/Turn.ts"
import * as TurnGuards from "../session/TurnGuards.ts"
import * as CancelChildren from "./CancelChildren.ts"
import * as EndChild from "./EndChild.ts"
import type { RunningChild } from "./RunningChild.ts"
import * as Tree from "./Tree.ts"

/** Runs the child until it has ended, in the tree's scope; returns at once. */
export const start = (child: RunningChild): Effect.Effect<void> => {
  const { tree } = child.session
  return Effect.suspend(() => {
    tree.live.set(child.session.journal.sessionId, child)
    return live(child).pipe(
      Effect.onError((cause) =>
        Effect.sync(() => {
          // An interruption by the end of the process is not a failure.
          if (Cause.hasInterruptsOnly(cause)) Tree.cutOff(tree, child)
          else Tree.fail(tree, failureOf(Cause.squash(cause)))
        })
      ),
      Effect.ignoreCause,
      Effect.forkIn(tree.scope)
    )
  })
}

/** Returns the failure for sessions that wait for the child; defects are failures too. */
const failureOf = (thrown: unknown): LeaseLost | StoreFailed =>
  isJournalFailure(thrown)
    ? thrown
    : new StoreFailed({
        operation: "end a session",
        message: thrown instanceof Error ? thrown.message : String(thrown),
        hint: "open the session again: it continues from its journal"
      })

const live = Effect.fnUntraced(function* (child: RunningChild): Effect.fn.Return<void, LeaseLost | StoreFailed> {
  const { tree } = child.session
  const exit = yield* Effect.exit(
    Effect.raceAllFirst([
      work(child),
      Effect.as(Effect.andThen(deadline(child), Effect.never), null),
      Effect.as(
        tree.changes.waitFor(() => (child.status.stopped ? true : null)),
        null
      )
    ])
  )
  if (Exit.isFailure(exit)) {
    const failure = journalFailure(exit)
    if (failure !== null) return yield* Effect.fail(failure)
  }
  yield* EndChild.endChild(child, endOf(child, exit))
})

type TurnFailure = ModelError | LeaseLost | StoreFailed

/** Runs turns until no work is left; it is parked while a decision is needed and no user is attached. */
const work = Effect.fnUntraced(function* (child: RunningChild) {
  const { session } = child
  while (true) {
    const seen = session.inbox.version
    const exit = yield* Effect.exit(ActiveTime.whileWorking(session.budget.activeTime, Loop.run(session.turns)))
    if (mayBeDecided(child, exit)) {
      yield* parked(child, seen)
      continue
    }
    const result = yield* exit
    const owed = result?.status === "completed" && isResultMissing(session.journal)
    const isCorrected = session.journal.state.resultCorrections >= TurnGuards.maxCorrections
    if (!owed || child.status.ending !== null || isCorrected) return result
    yield* Inbox.steer(session.inbox, SessionState.resultReminder)
  }
})

/** True if a decision is due or unused: neither a limit of the child nor its provider ends a request. */
const mayBeDecided = ({ session, status }: RunningChild, exit: Exit.Exit<TurnResult | null, TurnFailure>): boolean => {
  if (Exit.isSuccess(exit) && exit.value?.status === "suspended") return true
  if (status.ending !== null || TimeBudget.isOver(session.budget) || session.journal.state.returned !== null)
    return false
  if (Exit.isFailure(exit) && !isProviderFailure(exit)) return false
  return OpenCalls.pendingRequests(session.journal.state).length > 0
}

const isProviderFailure = (exit: Exit.Failure<unknown, TurnFailure>): boolean => {
  const failure = Exit.findErrorOption(exit)
  return failure._tag === "Some" && failure.value._tag === "ModelError"
}

/** True if the child must end with an output that fits a schema. */
const mustReturnResult = ({ state }: Journal["Service"]): boolean =>
  typeof state.opened?.terms?.outputSchema === "string"

const isResultMissing = (journal: Journal["Service"]): boolean =>
  mustReturnResult(journal) && journal.state.returned === null

const parked = Effect.fnUntraced(function* (child: RunningChild, seen: number) {
  const { inbox, journal, tree } = child.session
  const { state } = journal
  // The turn was open before, because its provider cut it off, and has received no new input.
  const wasOpen = state.turnOpen
  yield* setState(journal, "Suspended")
  Tree.park(tree, child, seen)
  yield* tree.changes.waitFor(() =>
    inbox.version !== seen ||
    (state.turnOpen && !wasOpen) ||
    (state.liveChildren.size > 0 && !Tree.allParked(tree, journal))
      ? true
      : null
  )
  Tree.park(tree, child, null)
  yield* setState(journal, "Active")
})

const setState = (journal: Journal["Service"], state: Session.SessionState) =>
  journal.append({
    bodies: [],
    projections: [{ _tag: "SessionState", sessionId: journal.sessionId, state }]
  })

/** Tells the child to finish when its active time is over. */
const deadline = (child: RunningChild): Effect.Effect<void> => {
  const {
    budget: { activeTime },
    journal,
    tree
  } = child.session
  const lifetime = journal.state.opened?.terms?.lifetimeMillis ?? Infinity
  return Effect.andThen(
    ActiveTime.waitUntilSpent(
      activeTime,
      () => lifetime - journal.state.activeMillis - ActiveTime.unrecordedMillis(activeTime)
    ),
    CancelChildren.requestEnd(tree, child, { status: "Expired", reason: "its time is over" })
  )
}

const journalFailure = (exit: Exit.Exit<unknown, unknown>): LeaseLost | StoreFailed | null => {
  const failure = Exit.findErrorOption(exit)
  return failure._tag === "Some" && isJournalFailure(failure.value) ? failure.value : null
}

const isJournalFailure = (thrown: unknown): thrown is LeaseLost | StoreFailed =>
  thrown instanceof LeaseLost || thrown instanceof StoreFailed

const endOf = (
  { session, status: { ending } }: RunningChild,
  exit: Exit.Exit<TurnResult | null, unknown>
): EndChild.End => {
  const { returned } = session.journal.state
  if (returned !== null) return { status: "Completed", reason: "" }
  if (ending !== null) return ending
  if (Exit.isFailure(exit)) return { status: "Failed", reason: messageOf(exit) }
  if (exit.value !== null && exit.value.status !== "completed") return { status: "Failed", reason: exit.value.reason }
  return !mustReturnResult(session.journal)
    ? { status: "Completed", reason: "" }
    : { status: "Failed", reason: "it gave no result that fits the schema" }
}

const messageOf = (exit: Exit.Failure<unknown, unknown>): string => {
  const [reason] = exit.cause.reasons
  const thrown = reason?._tag === "Fail" ? reason.error : reason?._tag === "Die" ? reason.defect : null
  return thrown instanceof Error ? thrown.message : "it was interrupted"
}
