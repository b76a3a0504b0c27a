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
import * as ActiveTime from "./ActiveTime.ts"
import * as Budget from "./Budget.ts"
import * as BudgetText from "./BudgetText.ts"
import * as Calls from "./Calls.ts"
import * as Compaction from "./Compaction.ts"
import * as Guards from "./Guards.ts"
import * as Inbox from "./Inbox.ts"
import type { ModelError } from "./Model.ts"
import * as PromptBound from "./PromptBound.ts"
import * as PutAside from "./PutAside.ts"
import * as RequestEnds from "./RequestEnds.ts"
import { place, type Running } from "./Running.ts"
import * as SessionState from "./SessionState.ts"
import type { LeaseLost, StoreFailed } from "./SessionStore.ts"
import * as Step from "./Step.ts"
import * as Tree from "./Tree.ts"
import * as WorkLimit from "./WorkLimit.ts"

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
  running: Running
): Effect.Effect<TurnResult, ModelError | LeaseLost | StoreFailed, Gate.Gate | Ledger.Ledger> =>
  Effect.gen(function* () {
    const { sessionId, turn } = place(running)
    yield* running.channel.publish({ _tag: "TurnStarted", sessionId, turn })
    const spent = { usage: Usage.zero }
    const verdict = yield* steps(running, spent)
    if (verdict.status === "stopped" || verdict.status === "spent") yield* close(running, verdict.reason)
    const result = resultOf(running, verdict, spent.usage)
    yield* running.channel.publish({
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
      running.tree.isLeaving() ? Effect.void : Effect.ignore(close(running, interruption(running)))
    )
  )

/** What the steps of a turn so far leave to the next one. */
interface Progress {
  readonly guards: Guards.Guards
  /** The model found the prompt too long. */
  readonly tooLong: boolean
}

const steps = Effect.fnUntraced(function* (running: Running, spent: { usage: Usage.Usage }) {
  yield* settleOpen(running)
  let progress: Progress = { guards: Guards.initial, tooLong: false }
  while (true) {
    yield* settleDecided(running)
    const over = yield* overBeforeStep(running, progress.guards)
    if (over !== null) return over
    const isLong = progress.tooLong || Compaction.isDue(running, progress.guards)
    const after: Progress | Verdict = yield* (isLong ? compact : answer)(running, progress, spent)
    if ("status" in after) return after
    progress = after
  }
})

/** Null: the model is to be asked. */
const overBeforeStep = (running: Running, guards: Guards.Guards) =>
  Effect.flatMapEager(
    Inbox.takeSteering(running),
    (cancelled): Effect.Effect<Verdict | null, LeaseLost | StoreFailed> => {
      if (cancelled !== null) return cancel(running, cancelled)
      const { state } = running.journal
      if (state.returned !== null) return Effect.succeed(completed)
      return Effect.succeed(state.turnOpen ? limitReached(running, guards) : completedOrSuspended(state))
    }
  )

const compact = Effect.fnUntraced(function* (
  running: Running,
  { guards, tooLong }: Progress,
  spent: { usage: Usage.Usage }
) {
  const pass = yield* Compaction.run(running, guards, tooLong)
  const unmet = pass.unmet === null ? null : tooLittleFor(running, pass.unmet)
  if (unmet !== null) return unmet
  spent.usage = Usage.add(spent.usage, pass.usage)
  return { guards: Guards.compacted(guards, pass.effective), tooLong: false }
})

/** One reply, and what it asks for. */
const answer = Effect.fnUntraced(function* (
  running: Running,
  { guards: before }: Progress,
  spent: { usage: Usage.Usage }
) {
  const reply = yield* askOrTooLong(running, before)
  if (reply === null) return { guards: Guards.tooLong(before), tooLong: true }
  spent.usage = Usage.add(spent.usage, reply.usage)
  const guards = Guards.asked(before, reply.calls)
  const isStopped = reply.isCut || (reply.calls.length > 0 && WorkLimit.isOver(running))
  const refused = (isStopped ? budgetSpent(running) : null) ?? repeatedCall(guards, reply.calls)
  if (refused !== null) {
    yield* Calls.endAll(running, openOf(running.journal.state, reply.calls), refused.reason)
    return refused
  }
  if (reply.calls.length === 0) return { guards, tooLong: false }
  if (reply.notRun !== null) {
    yield* Calls.endAll(running, openOf(running.journal.state, reply.calls), reply.notRun)
    return { guards, tooLong: false }
  }
  running.asks.refused = false
  const ended = Guards.ended(guards, yield* Calls.settle(running, openOf(running.journal.state, reply.calls)))
  if (running.asks.refused) return tooManyAsks(running)
  return wrongArguments(ended) ?? { guards: ended, tooLong: false }
})

/** What waits for a person is withdrawn with it. */
const cancel = (running: Running, row: InboxData.Row): Effect.Effect<Verdict, LeaseLost | StoreFailed> =>
  Effect.as(Effect.andThen(Calls.abandonAll(running, cancelledBySomebody), Inbox.done(running, row)), {
    status: "stopped",
    reason: "cancelled"
  })

const cancelledBySomebody = { cause: RequestEnds.because("cancelled"), reason: "cancelled" }

/** For a session that waits between two turns; null: nobody has cancelled it. */
export const cancelledMeanwhile = Effect.fnUntraced(function* (running: Running, last: TurnResult | null) {
  const row = yield* Inbox.cancelling(running)
  if (row === null) return null
  const verdict = yield* cancel(running, row)
  yield* close(running, verdict.reason)
  return resultOf(running, verdict, last?.usage ?? Usage.zero)
})

const tooManyAsks = ({ agent }: Running): Verdict => ({
  status: "stopped",
  reason: `the limit of ${agent.limits.maxAsks} approvals asked for in one turn is reached`
})

/** Null: the prompt is too long, and there is something to do about it or something was done. */
const askOrTooLong = (running: Running, guards: Guards.Guards) =>
  Effect.catchIf(
    Step.ask(running),
    (error) =>
      error._tag === "ModelError" &&
      error.reason === "TooLong" &&
      (guards.unproven || guards.ineffective > 0 || Compaction.isPossible(running, guards, true)),
    () => Effect.succeed(null)
  )

/** Runs the calls that a crash or an absent approver left open. They come before anything new is said. */
export const settleOpen = (running: Running) => {
  const open = [...running.journal.state.openCalls.values()]
  if (open.length === 0) return Effect.void
  const why = WorkLimit.reason(running)
  return why === null ? Calls.settle(running, open) : Calls.abandonUndecided(running, why)
}

/** Runs what was put aside and has been decided since. */
export const settleDecided = (running: Running) => {
  const decided = PutAside.decided(running)
  return decided.length === 0 ? Effect.void : Calls.settle(running, decided)
}

const openOf = (state: SessionState.State, calls: ReadonlyArray<Message.ToolCall>) =>
  calls.map(({ toolCallId }) => state.openCalls.get(toolCallId)).filter((open) => open !== undefined)

const completedOrSuspended = (state: SessionState.State): Verdict =>
  state.openCalls.size === 0 ? completed : { status: "suspended", reason: waiting(state.openCalls.size) }

const waiting = (calls: number): string =>
  calls === 1 ? "one call waits for an approval" : `${calls} calls wait for an approval`

const limitReached = (running: Running, guards: Guards.Guards): Verdict | null => {
  const { opened, steps: allSteps } = running.journal.state
  const { maxSteps } = opened?.terms ?? running.agent.limits
  // A conversation may have any number of turns; what a child may do is bounded in all.
  const counted = opened?.terms === undefined ? guards.steps : allSteps
  if (counted >= maxSteps) return { status: "stopped", reason: `the step limit of ${maxSteps} is reached` }
  if (guards.ineffective >= Guards.maxIneffective) return { status: "stopped", reason: Compaction.hopeless }
  return budgetSpent(running)
}

const budgetSpent = (running: Running): Verdict | null => tooLittleFor(running, PromptBound.demandOf(running))

const tooLittleFor = (running: Running, demand: Budget.Demand): Verdict | null => {
  const timeSpent = WorkLimit.reason(running)
  if (timeSpent !== null) return { status: "spent", reason: timeSpent }
  if (BudgetData.isSame(running.limit, BudgetData.unlimited)) return null
  const page = running.budget()
  const spent = Budget.exhausted(page, demand)
  return spent === null ? null : { status: "spent", reason: BudgetText.reason(page, spent, demand.promptTokens) }
}

const repeatedCall = (guards: Guards.Guards, calls: ReadonlyArray<Message.ToolCall>): Verdict | null =>
  calls.length === 0 || guards.repeats < Guards.maxRepeats
    ? null
    : {
        status: "stopped",
        reason: `${calls[calls.length - 1].name} was asked for with the same arguments ${Guards.maxRepeats} times in a row`
      }

const wrongArguments = (guards: Guards.Guards): Verdict | null => {
  const tool = Guards.exhausted(guards)
  return tool === null
    ? null
    : { status: "stopped", reason: `${tool} was called with wrong arguments three times in a row` }
}

/** The work since the last reply, which no reply will tell of. */
const untoldOf = ({ activeTime }: Running): Pick<Entry.BodyOf<"StateChanged">, "activeMillis"> => {
  const activeMillis = ActiveTime.untold(activeTime)
  return activeMillis === 0 ? {} : { activeMillis }
}

/** Why a turn that is interrupted is over. */
export const interruption = ({ tree }: Running): string => (tree.cancelling ? "cancelled" : "interrupted")

/** The turn is over though the model might go on. */
export const close = Effect.fnUntraced(function* (running: Running, reason: string) {
  const { journal } = running
  const state = "Suspended"
  yield* journal.append(() => ({
    bodies: [{ _tag: "StateChanged", state, reason, ...untoldOf(running) }],
    projections: [{ _tag: "SessionState", sessionId: journal.sessionId, state }]
  }))
  yield* running.channel.publish({ _tag: "StateChanged", sessionId: journal.sessionId, state, reason })
})

/** Nothing goes on in the session, nor below it, until somebody decides. `last`: of the turn before; null: there was none. */
export const suspended = (running: Running, last: TurnResult | null): TurnResult => {
  const pending = Tree.pendingRequests(running)
  const verdict: Verdict = { status: "suspended", reason: waiting(pending.length) }
  return { ...resultOf(running, verdict, last?.usage ?? Usage.zero), pending }
}

/** How the session stands between two turns, for a caller whose message an earlier turn has taken. */
export const standing = (running: Running): TurnResult => {
  if (Tree.pendingRequests(running).length > 0) return suspended(running, null)
  const { closedReason } = running.journal.state
  const verdict: Verdict = closedReason === null ? completed : { status: "stopped", reason: closedReason }
  return resultOf(running, verdict, Usage.zero)
}

const resultOf = (running: Running, verdict: Verdict, usage: Usage.Usage): TurnResult => {
  const { state } = running.journal
  return {
    ...verdict,
    text: state.lastText,
    usage,
    pending: SessionState.pendingRequests(state),
    live: Tree.liveBelow(running)
  }
}
