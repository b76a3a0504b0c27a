/** One user-to-agent cycle of a session: steps until the model asks for nothing more, or something stops it. */
import type { Gate, Ledger } from "@bough/dispatch"
import {
  type Approval,
  Budget as BudgetData,
  type Entry,
  type Inbox as InboxData,
  type Message,
  Usage
} from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as ActiveTime from "../budget/ActiveTime.ts"
import * as Budget from "../budget/Budget.ts"
import * as BudgetText from "../budget/BudgetText.ts"
import * as ToolCalls from "./ToolCalls.ts"
import * as Compaction from "../compaction/Compaction.ts"
import * as TurnGuards from "./TurnGuards.ts"
import * as Inbox from "../journal/Inbox.ts"
import type { ModelError } from "../ports/Model.ts"
import * as PromptTokenBound from "../budget/PromptTokenBound.ts"
import * as DeferredCalls from "./DeferredCalls.ts"
import * as RequestEnds from "../approval/RequestEnds.ts"
import { place, type SessionContext } from "./SessionContext.ts"
import * as SessionState from "../journal/SessionState.ts"
import type { LeaseLost, StoreFailed } from "../ports/SessionStore.ts"
import * as Step from "./Step.ts"
import * as Tree from "../tree/Tree.ts"
import * as TimeBudget from "../budget/TimeBudget.ts"

/**
 * How a turn ended. `completed`: the model asked for nothing more. `suspended`: calls wait for an approval that nobody
 * could give. `stopped`: a step limit, a repeated call, more questions than a person is asked in a turn, arguments wrong three times, a conversation that stays too long
 * for the model, or a cancel; `reason` says which.
 * `spent`: a limit of its budget.
 */
export type Status = "completed" | "suspended" | "stopped" | "spent"

export interface TurnResult {
  readonly status: Status
  /** One sentence; "" when completed. */
  readonly reason: string
  /** What the model said last. */
  readonly text: string
  /** Of this turn. */
  readonly usage: Usage.Usage
  readonly pending: ReadonlyArray<Approval.Request>
  /** How many sessions below it have not ended. */
  readonly live: number
}

interface Verdict {
  readonly status: Status
  readonly reason: string
}

const completed: Verdict = { status: "completed", reason: "" }

/**
 * Goes on from where the journal stands: first the calls that are open, then the model. Interrupting it records what
 * was stopped and closes the turn.
 *
 * - source: adr/0012-turn-loop.md; loop after ReAct, arXiv:2210.03629
 */
export const run = (
  context: SessionContext
): Effect.Effect<TurnResult, ModelError | LeaseLost | StoreFailed, Gate.Gate | Ledger.Ledger> =>
  Effect.gen(function* () {
    const { sessionId, turn } = place(context)
    yield* context.channel.publish({ _tag: "TurnStarted", sessionId, turn })
    const spent = { usage: Usage.zero }
    const verdict = yield* steps(context, spent)
    if (verdict.status === "stopped" || verdict.status === "spent") yield* close(context, verdict.reason)
    const result = resultOf(context, verdict, spent.usage)
    yield* context.channel.publish({
      _tag: "TurnEnded",
      sessionId,
      turn,
      status: result.status,
      text: result.text,
      usage: result.usage
    })
    return result
  }).pipe(
    Effect.onInterrupt(() =>
      context.tree.isLeaving() ? Effect.void : Effect.ignore(close(context, interruption(context)))
    )
  )

/** What the steps of a turn so far leave to the next one. */
interface Progress {
  readonly guards: TurnGuards.TurnGuards
  /** The model found the prompt too long. */
  readonly tooLong: boolean
}

const steps = Effect.fnUntraced(function* (context: SessionContext, spent: { usage: Usage.Usage }) {
  yield* settleOpen(context)
  let progress: Progress = { guards: TurnGuards.initial, tooLong: false }
  while (true) {
    yield* settleDecided(context)
    const over = yield* overBeforeStep(context, progress.guards)
    if (over !== null) return over
    const isLong = progress.tooLong || Compaction.isDue(context, progress.guards)
    const after: Progress | Verdict = yield* (isLong ? compact : answer)(context, progress, spent)
    if ("status" in after) return after
    progress = after
  }
})

/** Null: the model is to be asked. */
const overBeforeStep = (context: SessionContext, guards: TurnGuards.TurnGuards) =>
  Effect.flatMapEager(
    Inbox.takeSteering(context),
    (cancelled): Effect.Effect<Verdict | null, LeaseLost | StoreFailed> => {
      if (cancelled !== null) return cancel(context, cancelled)
      const { state } = context.journal
      if (state.returned !== null) return Effect.succeed(completed)
      return Effect.succeed(state.turnOpen ? limitReached(context, guards) : completedOrSuspended(state))
    }
  )

const compact = Effect.fnUntraced(function* (
  context: SessionContext,
  { guards, tooLong }: Progress,
  spent: { usage: Usage.Usage }
) {
  const pass = yield* Compaction.run(context, guards, tooLong)
  const unmet = pass.unmet === null ? null : tooLittleFor(context, pass.unmet)
  if (unmet !== null) return unmet
  spent.usage = Usage.add(spent.usage, pass.usage)
  return { guards: TurnGuards.compacted(guards, pass.effective), tooLong: false }
})

/** One reply, and what it asks for. */
const answer = Effect.fnUntraced(function* (
  context: SessionContext,
  { guards: before }: Progress,
  spent: { usage: Usage.Usage }
) {
  const reply = yield* askOrTooLong(context, before)
  if (reply === null) return { guards: TurnGuards.tooLong(before), tooLong: true }
  spent.usage = Usage.add(spent.usage, reply.usage)
  const guards = TurnGuards.asked(before, reply.calls)
  const isStopped = reply.isCut || (reply.calls.length > 0 && TimeBudget.isOver(context))
  const refused = (isStopped ? budgetSpent(context) : null) ?? repeatedCall(guards, reply.calls)
  if (refused !== null) {
    yield* ToolCalls.skip(context, openOf(context.journal.state, reply.calls), refused.reason)
    return refused
  }
  if (reply.calls.length === 0) return { guards, tooLong: false }
  if (reply.notRun !== null) {
    yield* ToolCalls.skip(context, openOf(context.journal.state, reply.calls), reply.notRun)
    return { guards, tooLong: false }
  }
  context.asks.refused = false
  const ended = TurnGuards.ended(guards, yield* ToolCalls.run(context, openOf(context.journal.state, reply.calls)))
  if (context.asks.refused) return tooManyAsks(context)
  return wrongArguments(ended) ?? { guards: ended, tooLong: false }
})

/** What waits for a person is withdrawn with it. */
const cancel = (context: SessionContext, row: InboxData.Row): Effect.Effect<Verdict, LeaseLost | StoreFailed> =>
  Effect.as(Effect.andThen(ToolCalls.cancel(context, cancelledBySomebody), Inbox.done(context, row)), {
    status: "stopped",
    reason: "cancelled"
  })

const cancelledBySomebody = { cause: RequestEnds.because("cancelled"), reason: "cancelled" }

/** For a session that waits between two turns; null: nobody has cancelled it. */
export const takeCancellation = Effect.fnUntraced(function* (context: SessionContext, last: TurnResult | null) {
  const row = yield* Inbox.cancelling(context)
  if (row === null) return null
  const verdict = yield* cancel(context, row)
  yield* close(context, verdict.reason)
  return resultOf(context, verdict, last?.usage ?? Usage.zero)
})

const tooManyAsks = ({ agent }: SessionContext): Verdict => ({
  status: "stopped",
  reason: `the limit of ${agent.limits.maxAsks} approvals asked for in one turn is reached`
})

/** Null: the prompt is too long, and there is something to do about it or something was done. */
const askOrTooLong = (context: SessionContext, guards: TurnGuards.TurnGuards) =>
  Effect.catchIf(
    Step.ask(context),
    (error) =>
      error._tag === "ModelError" &&
      error.reason === "TooLong" &&
      (guards.unproven || guards.ineffective > 0 || Compaction.isPossible(context, guards, true)),
    () => Effect.succeed(null)
  )

/** Runs the calls that a crash or an absent approver left open. They come before anything new is said. */
export const settleOpen = (context: SessionContext) => {
  const open = [...context.journal.state.openCalls.values()]
  if (open.length === 0) return Effect.void
  const why = TimeBudget.reason(context)
  return why === null ? ToolCalls.run(context, open) : ToolCalls.abandonUndecided(context, why)
}

/** Runs what was put aside and has been decided since. */
export const settleDecided = (context: SessionContext) => {
  const decided = DeferredCalls.decided(context)
  return decided.length === 0 ? Effect.void : ToolCalls.run(context, decided)
}

const openOf = (state: SessionState.SessionState, calls: ReadonlyArray<Message.ToolCall>) =>
  calls.map(({ toolCallId }) => state.openCalls.get(toolCallId)).filter((open) => open !== undefined)

const completedOrSuspended = (state: SessionState.SessionState): Verdict =>
  state.openCalls.size === 0 ? completed : { status: "suspended", reason: waiting(state.openCalls.size) }

const waiting = (calls: number): string =>
  calls === 1 ? "one call waits for an approval" : `${calls} calls wait for an approval`

const limitReached = (context: SessionContext, guards: TurnGuards.TurnGuards): Verdict | null => {
  const { opened, steps: allSteps } = context.journal.state
  const { maxSteps } = opened?.terms ?? context.agent.limits
  // A conversation may have any number of turns; what a child may do is bounded in all.
  const counted = opened?.terms === undefined ? guards.steps : allSteps
  if (counted >= maxSteps) return { status: "stopped", reason: `the step limit of ${maxSteps} is reached` }
  if (guards.ineffective >= TurnGuards.maxIneffective) return { status: "stopped", reason: Compaction.hopeless }
  return budgetSpent(context)
}

const budgetSpent = (context: SessionContext): Verdict | null =>
  tooLittleFor(context, PromptTokenBound.demandOf(context))

const tooLittleFor = (context: SessionContext, demand: Budget.Demand): Verdict | null => {
  const timeSpent = TimeBudget.reason(context)
  if (timeSpent !== null) return { status: "spent", reason: timeSpent }
  if (BudgetData.isSame(context.limit, BudgetData.unlimited)) return null
  const page = context.budget()
  const spent = Budget.exhausted(page, demand)
  return spent === null ? null : { status: "spent", reason: BudgetText.reason(page, spent, demand.promptTokens) }
}

const repeatedCall = (guards: TurnGuards.TurnGuards, calls: ReadonlyArray<Message.ToolCall>): Verdict | null =>
  calls.length === 0 || guards.repeats < TurnGuards.maxRepeats
    ? null
    : {
        status: "stopped",
        reason: `${calls[calls.length - 1].name} was asked for with the same arguments ${TurnGuards.maxRepeats} times in a row`
      }

const wrongArguments = (guards: TurnGuards.TurnGuards): Verdict | null => {
  const tool = TurnGuards.exhausted(guards)
  return tool === null
    ? null
    : { status: "stopped", reason: `${tool} was called with wrong arguments three times in a row` }
}

/** The work since the last reply, which no reply will tell of. */
const untoldOf = ({ activeTime }: SessionContext): Pick<Entry.BodyOf<"StateChanged">, "activeMillis"> => {
  const activeMillis = ActiveTime.unrecorded(activeTime)
  return activeMillis === 0 ? {} : { activeMillis }
}

/** Why a turn that is interrupted is over. */
export const interruption = ({ tree }: SessionContext): string => (tree.cancelling ? "cancelled" : "interrupted")

/** The turn is over though the model might go on. */
export const close = Effect.fnUntraced(function* (context: SessionContext, reason: string) {
  const { journal } = context
  const state = "Suspended"
  yield* journal.append(() => ({
    bodies: [{ _tag: "StateChanged", state, reason, ...untoldOf(context) }],
    projections: [{ _tag: "SessionState", sessionId: journal.sessionId, state }]
  }))
  yield* context.channel.publish({ _tag: "StateChanged", sessionId: journal.sessionId, state, reason })
})

/** Nothing goes on in the session, nor below it, until somebody decides. `last`: of the turn before; null: there was none. */
export const suspended = (context: SessionContext, last: TurnResult | null): TurnResult => {
  const pending = Tree.pendingRequests(context)
  const verdict: Verdict = { status: "suspended", reason: waiting(pending.length) }
  return { ...resultOf(context, verdict, last?.usage ?? Usage.zero), pending }
}

/** How the session stands between two turns, for a caller whose message an earlier turn has taken. */
export const standing = (context: SessionContext): TurnResult => {
  if (Tree.pendingRequests(context).length > 0) return suspended(context, null)
  const { closedReason } = context.journal.state
  const verdict: Verdict = closedReason === null ? completed : { status: "stopped", reason: closedReason }
  return resultOf(context, verdict, Usage.zero)
}

const resultOf = (context: SessionContext, verdict: Verdict, usage: Usage.Usage): TurnResult => {
  const { state } = context.journal
  return {
    ...verdict,
    text: state.lastText,
    usage,
    pending: SessionState.pendingRequests(state),
    live: Tree.liveBelow(context)
  }
}
