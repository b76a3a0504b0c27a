/**
 * One user-to-agent cycle of a session: steps until the model requests no more calls, or a limit or a user stops it.
 */
import { type Gate, type Ledger, Trace } from "@bough/dispatch"
import {
  type Approval,
  Budget as BudgetData,
  type Entry,
  type Inbox as InboxData,
  type Message,
  OpenCalls,
  Usage,
  type TurnStatus
} from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as RequestEnds from "../approval/RequestEnds.ts"
import * as TurnAsks from "../approval/TurnAsks.ts"
import * as ActiveTime from "../budget/ActiveTime.ts"
import * as Budget from "../budget/Budget.ts"
import * as BudgetText from "../budget/BudgetText.ts"
import * as PromptTokenBound from "../budget/PromptTokenBound.ts"
import type { SessionBudget } from "../budget/SessionBudget.ts"
import * as TimeBudget from "../budget/TimeBudget.ts"
import * as Compaction from "../compaction/Compaction.ts"
import * as Inbox from "../journal/Inbox.ts"
import { type Journal, placeOf } from "../journal/Journal.ts"
import type * as SessionState from "../journal/SessionState.ts"
import type { Channel } from "../ports/Channel.ts"
import type { ModelError } from "../ports/Model.ts"
import type { LeaseLost, StoreFailed } from "../ports/SessionStore.ts"
import * as Tree from "../tree/Tree.ts"
import type { Limits } from "./Agent.ts"
import * as DeferredCalls from "./DeferredCalls.ts"
import type { ModelCaller } from "./ModelCaller.ts"
import * as Step from "./Step.ts"
import * as ToolCalls from "./ToolCalls.ts"
import type { ToolRunner } from "./ToolRunner.ts"
import * as TurnGuards from "./TurnGuards.ts"

export interface TurnResult {
  readonly status: TurnStatus.TurnStatus
  /** One sentence; "" when completed. */
  readonly reason: string
  /** The last message of the model. */
  readonly text: string
  /** The usage of this turn. */
  readonly usage: Usage.Usage
  readonly pending: ReadonlyArray<Approval.Request>
  /** The number of live descendants. */
  readonly live: number
}

/** The parts of a session that its turns use. */
export interface Turns {
  readonly journal: Journal["Service"]
  readonly channel: Channel["Service"]
  readonly inbox: Inbox.SessionInbox
  readonly budget: SessionBudget
  readonly caller: ModelCaller
  readonly tools: ToolRunner
  /**
   * Returns the task that remains at the end of a turn; null: none. The effect itself is null if no hook is configured.
   */
  readonly beforeStop: Effect.Effect<string | null> | null
  readonly asks: TurnAsks.TurnAsks
  readonly limits: Pick<Limits, "maxAsks" | "maxSteps">
  readonly tree: Tree.Tree
}

interface Verdict {
  readonly status: TurnStatus.TurnStatus
  readonly reason: string
}

const completed: Verdict = { status: "completed", reason: "" }

/**
 * Continues from the journal's state: first the open calls, then the model. An interruption is recorded with the
 * stopped work, and closes the turn. Source: adr/0012-turn-loop.md; loop after ReAct, arXiv:2210.03629.
 */
export const run = (
  turns: Turns
): Effect.Effect<TurnResult, ModelError | LeaseLost | StoreFailed, Gate.Gate | Ledger.Ledger> =>
  Trace.span(runTurn(turns), "Turn.run", {
    isTraced: turns.tree.isTraced,
    attributes: () => ({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": turns.tools.calls.invocation.agent,
      "gen_ai.conversation.id": turns.journal.sessionId,
      "bough.turn": turns.journal.state.turn
    })
  })

const runTurn = (
  turns: Turns
): Effect.Effect<TurnResult, ModelError | LeaseLost | StoreFailed, Gate.Gate | Ledger.Ledger> =>
  Effect.gen(function* () {
    const { sessionId, turn } = placeOf(turns.journal)
    yield* turns.channel.publish({ _tag: "TurnStarted", sessionId, turn })
    const spent = { usage: Usage.zero }
    const verdict = yield* steps(turns, spent)
    if (verdict.status === "stopped" || verdict.status === "spent") yield* close(turns, verdict.reason)
    const result = resultOf(turns, verdict, spent.usage)
    yield* turns.channel.publish({
      _tag: "TurnEnded",
      sessionId,
      turn,
      status: result.status,
      text: result.text,
      usage: result.usage
    })
    return result
  }).pipe(
    Effect.onInterrupt(() => (turns.tree.isLeaving() ? Effect.void : Effect.ignore(close(turns, interruption(turns)))))
  )

/** The state that the steps of a turn pass on to the next one. */
interface Progress {
  readonly guards: TurnGuards.TurnGuards
  /** True if the model found the prompt too long. */
  readonly tooLong: boolean
}

const steps = Effect.fnUntraced(function* (turns: Turns, spent: { usage: Usage.Usage }) {
  yield* settleOpen(turns)
  let progress: Progress = { guards: TurnGuards.initial, tooLong: false }
  while (true) {
    yield* settleDecided(turns)
    const earlyEnd = yield* overBeforeStep(turns, progress.guards)
    if (earlyEnd !== null) return earlyEnd
    const isLong = progress.tooLong || Compaction.isDue(turns.caller, progress.guards)
    const after: Progress | Verdict = yield* (isLong ? compact : answer)(turns, progress, spent)
    if ("status" in after) return after
    progress = after
  }
})

/** Returns the reason why the turn ends before a step; null: the model is called. */
const overBeforeStep = (turns: Turns, guards: TurnGuards.TurnGuards) =>
  Effect.flatMapEager(
    Inbox.takeSteering(turns.inbox),
    (cancelled): Effect.Effect<Verdict | null, LeaseLost | StoreFailed> => {
      if (cancelled !== null) return cancel(turns, cancelled)
      const { state } = turns.journal
      if (state.returned !== null) return Effect.succeed(completed)
      return Effect.succeed(state.turnOpen ? limitReached(turns, guards) : completedOrSuspended(state))
    }
  )

const compact = Effect.fnUntraced(function* (
  turns: Turns,
  { guards, tooLong }: Progress,
  spent: { usage: Usage.Usage }
) {
  const pass = yield* Compaction.run(turns.caller, guards, tooLong)
  const unmet = pass.unmet === null ? null : tooLittleFor(turns, pass.unmet)
  if (unmet !== null) return unmet
  spent.usage = Usage.add(spent.usage, pass.usage)
  return { guards: TurnGuards.countCompaction(guards, pass.effective), tooLong: false }
})

/** Handles one reply and its calls. */
const answer = Effect.fnUntraced(function* (turns: Turns, { guards: before }: Progress, spent: { usage: Usage.Usage }) {
  const reply = yield* askOrTooLong(turns, before)
  if (reply === null) return { guards: TurnGuards.countTooLong(before), tooLong: true }
  spent.usage = Usage.add(spent.usage, reply.usage)
  const guards = TurnGuards.afterReply(before, reply.calls)
  const isStopped = reply.isCut || (reply.calls.length > 0 && TimeBudget.isOver(turns.budget))
  const refused = (isStopped ? budgetSpent(turns) : null) ?? repeatedCall(guards, reply.calls)
  if (refused !== null) {
    yield* ToolCalls.skip(turns.tools, openOf(turns.journal.state, reply.calls), refused.reason)
    return refused
  }
  if (reply.calls.length === 0) return { guards, tooLong: false }
  if (reply.notRun !== null) {
    yield* ToolCalls.skip(turns.tools, openOf(turns.journal.state, reply.calls), reply.notRun)
    return { guards, tooLong: false }
  }
  TurnAsks.reset(turns.asks)
  const ended = TurnGuards.countResults(
    guards,
    yield* ToolCalls.run(turns.tools, openOf(turns.journal.state, reply.calls))
  )
  if (turns.asks.refused) return tooManyAsks(turns)
  return wrongArguments(ended) ?? { guards: ended, tooLong: false }
})

/** Cancels the turn, and withdraws the approvals that it waits for. */
const cancel = (turns: Turns, row: InboxData.Row): Effect.Effect<Verdict, LeaseLost | StoreFailed> =>
  Effect.as(Effect.andThen(ToolCalls.cancel(turns.tools, cancelledByRequest), Inbox.markDone(turns.inbox, row)), {
    status: "stopped",
    reason: "cancelled"
  })

const cancelledByRequest = { cause: RequestEnds.causeOf("cancelled"), reason: "cancelled" }

/** Takes the cancellation of a session that waits between two turns; null if it was not cancelled. */
export const takeCancellation = Effect.fnUntraced(function* (turns: Turns, last: TurnResult | null) {
  const row = yield* Inbox.findCancellation(turns.inbox)
  if (row === null) return null
  const verdict = yield* cancel(turns, row)
  yield* close(turns, verdict.reason)
  return resultOf(turns, verdict, last?.usage ?? Usage.zero)
})

const tooManyAsks = ({ limits }: Turns): Verdict => ({
  status: "stopped",
  reason: `the limit of ${limits.maxAsks} approvals asked for in one turn is reached`
})

/** Asks the model. Null: the prompt is too long, and was or can be compacted. */
const askOrTooLong = (turns: Turns, guards: TurnGuards.TurnGuards) =>
  Effect.catchIf(
    Step.ask(turns.caller),
    (error) =>
      error._tag === "ModelError" &&
      error.reason === "TooLong" &&
      (guards.unproven || guards.ineffective > 0 || Compaction.isPossible(turns.caller, guards, true)),
    () => Effect.succeed(null)
  )

/** Runs the calls that a crash or an absent approver left open, before any new message is taken. */
export const settleOpen = (turns: Turns) => {
  const open = [...turns.journal.state.openCalls.values()]
  if (open.length === 0) return Effect.void
  const exhaustedReason = TimeBudget.reason(turns.budget)
  return exhaustedReason === null
    ? ToolCalls.run(turns.tools, open)
    : ToolCalls.cancelCallsWithoutRequest(turns.tools, exhaustedReason)
}

/** Runs the deferred calls that were decided since. */
export const settleDecided = (turns: Turns) => {
  const decided = DeferredCalls.decidedCalls(turns.tools)
  return decided.length === 0 ? Effect.void : ToolCalls.run(turns.tools, decided)
}

const openOf = (state: SessionState.SessionState, calls: ReadonlyArray<Message.ToolCall>) =>
  calls.map(({ toolCallId }) => state.openCalls.get(toolCallId)).filter((open) => open !== undefined)

const completedOrSuspended = (state: SessionState.SessionState): Verdict =>
  state.openCalls.size === 0 ? completed : { status: "suspended", reason: waitingText(state.openCalls.size) }

const waitingText = (calls: number): string =>
  calls === 1 ? "one call waits for an approval" : `${calls} calls wait for an approval`

const limitReached = (turns: Turns, guards: TurnGuards.TurnGuards): Verdict | null => {
  const { opened, steps: allSteps } = turns.journal.state
  const { maxSteps } = opened?.terms ?? turns.limits
  // A conversation may have any number of turns; a child's total work is bounded.
  const counted = opened?.terms === undefined ? guards.steps : allSteps
  if (counted >= maxSteps) return { status: "stopped", reason: `the step limit of ${maxSteps} is reached` }
  if (guards.ineffective >= TurnGuards.maxIneffective) return { status: "stopped", reason: Compaction.hopeless }
  if (turns.journal.state.resultCorrections > TurnGuards.maxCorrections) {
    return { status: "stopped", reason: `no valid output was returned after ${TurnGuards.maxCorrections} corrections` }
  }
  return budgetSpent(turns)
}

const budgetSpent = (turns: Turns): Verdict | null => tooLittleFor(turns, PromptTokenBound.demandOf(turns.caller))

const tooLittleFor = (turns: Turns, demand: Budget.StepDemand): Verdict | null => {
  const timeSpent = TimeBudget.reason(turns.budget)
  if (timeSpent !== null) return { status: "spent", reason: timeSpent }
  if (BudgetData.isSame(turns.budget.limit, BudgetData.unlimited)) return null
  const balance = turns.budget.balance()
  const spent = Budget.exhaustedDimension(balance, demand)
  return spent === null ? null : { status: "spent", reason: BudgetText.reason(balance, spent, demand.promptTokens) }
}

const repeatedCall = (guards: TurnGuards.TurnGuards, calls: ReadonlyArray<Message.ToolCall>): Verdict | null =>
  calls.length === 0 || guards.repeats < TurnGuards.maxRepeats
    ? null
    : {
        status: "stopped",
        reason: `${calls[calls.length - 1].name} was asked for with the same arguments ${TurnGuards.maxRepeats} times in a row`
      }

const wrongArguments = (guards: TurnGuards.TurnGuards): Verdict | null => {
  const tool = TurnGuards.exhaustedTool(guards)
  return tool === null
    ? null
    : { status: "stopped", reason: `${tool} was called with wrong arguments three times in a row` }
}

/** Returns the work since the last reply, which no later reply records. */
const unrecordedTime = ({ budget: { activeTime } }: Turns): Pick<Entry.BodyOf<"StateChanged">, "activeMillis"> => {
  const activeMillis = ActiveTime.unrecordedMillis(activeTime)
  return activeMillis === 0 ? {} : { activeMillis }
}

/** Returns the reason of an interrupted turn's end. */
export const interruption = ({ tree }: Pick<Turns, "tree">): string => (tree.cancelling ? "cancelled" : "interrupted")

/** Closes a turn although the model might continue. */
export const close = Effect.fnUntraced(function* (turns: Turns, reason: string) {
  const { journal } = turns
  const state = "Suspended"
  yield* journal.append(() => ({
    bodies: [{ _tag: "StateChanged", state, reason, ...unrecordedTime(turns) }],
    projections: [{ _tag: "SessionState", sessionId: journal.sessionId, state }]
  }))
})

/**
 * Returns the result of a session that cannot continue, just like its descendants, until a request is decided. `last`:
 * the result of the turn before; null: there was none.
 */
export const suspendedResult = (turns: Turns, last: TurnResult | null): TurnResult => {
  const pending = Tree.pendingRequests(turns.tree, turns.journal)
  const verdict: Verdict = { status: "suspended", reason: waitingText(pending.length) }
  return { ...resultOf(turns, verdict, last?.usage ?? Usage.zero), pending }
}

/** Returns the session's state between two turns, for a caller whose message an earlier turn has taken. */
export const stateBetweenTurns = (turns: Turns): TurnResult => {
  if (Tree.pendingRequests(turns.tree, turns.journal).length > 0) return suspendedResult(turns, null)
  const { closedReason } = turns.journal.state
  const verdict: Verdict = closedReason === null ? completed : { status: "stopped", reason: closedReason }
  return resultOf(turns, verdict, Usage.zero)
}

const resultOf = (turns: Turns, verdict: Verdict, usage: Usage.Usage): TurnResult => {
  const { state } = turns.journal
  return {
    ...verdict,
    text: state.lastText,
    usage,
    pending: OpenCalls.pendingRequests(state),
    live: Tree.liveBelow(turns.tree, turns.journal)
  }
}
