/**
 * The calls of one reply: reads side by side, the others in the order in which they were asked for. A call that nobody
 * decides about for a while is put aside, and what came after it in order is not run.
 */
import { type Call, Dispatcher, type Gate, type Ledger, UnknownOutcome } from "@bough/dispatch"
import type { DispatchContext } from "@bough/dispatch"
import type { Artifact, Entry, Message } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { elsewhere } from "./Agent.ts"
import * as RequestEnds from "../approval/RequestEnds.ts"
import { place, type SessionContext } from "./SessionContext.ts"
import { type OpenCall, pendingRequest } from "../journal/SessionState.ts"
import { LeaseLost, StoreFailed } from "../ports/SessionStore.ts"
import { withdraw } from "../approval/Withdrawal.ts"
import * as TimeBudget from "../budget/TimeBudget.ts"
import * as WorkspaceCommit from "./WorkspaceCommit.ts"
import * as WorkspaceWrites from "./WorkspaceWrites.ts"

/** How one call of a step went. `outcome` null: it waits for an approval. */
export interface Settled {
  readonly call: Message.ToolCall
  readonly outcome: Entry.Outcome | null
}

/** Needs the session's own ports, which `Session` provides once for all calls of a turn. */
export type Settling<A> = Effect.Effect<A, LeaseLost | StoreFailed, Gate.Gate | Ledger.Ledger>

/** Runs the open calls of the journal, oldest first, and records how each ended. None is told of where the time ran out. */
export const run = (context: SessionContext, open: ReadonlyArray<OpenCall>): Settling<ReadonlyArray<Settled>> => {
  const caller = callerOf(context)
  const one = (call: OpenCall) => runCall(context, caller, call)
  const all = (): Settling<ReadonlyArray<Settled>> => {
    if (open.length === 1) return Effect.map(one(open[0]), (settled) => [settled])
    const reads = open.filter((call) => isRead(context, call))
    const ordered = open.filter((call) => !isRead(context, call))
    return Effect.map(
      Effect.all([Effect.forEach(reads, one, { concurrency: "unbounded" }), inOrder(context, ordered, one)], {
        concurrency: 2
      }),
      ([a, b]) => [...a, ...b]
    )
  }
  const work = Effect.suspend(() => Effect.flatMapEager(refreshCommit(context), all))
  const recorded = Effect.onExitPrimitive(work, (exit) =>
    Exit.hasInterrupts(exit) ? endInterrupted(context, open) : undefined
  )
  return TimeBudget.within(context, recorded, [])
}

/** What the receipts of the calls that follow will name: to be asked for when they come. */
export const refreshCommit = ({ commit, journal }: SessionContext): Effect.Effect<void> =>
  WorkspaceCommit.refresh(commit, journal.state.turn)

/** A name that no tool has is answered at once: nothing can come of it. */
const isRead = ({ registry }: SessionContext, { call }: OpenCall): boolean =>
  (registry.get(call.name)?.tier ?? "ReadOnly") === "ReadOnly"

const inOrder = Effect.fnUntraced(function* (
  context: SessionContext,
  calls: ReadonlyArray<OpenCall>,
  one: (call: OpenCall) => Settling<Settled>
): Effect.fn.Return<ReadonlyArray<Settled>, LeaseLost | StoreFailed, Gate.Gate | Ledger.Ledger> {
  const settled: Array<Settled> = []
  let parked = false
  for (const open of calls) {
    // What an earlier step put aside holds up no later one.
    const isNew = !open.deferred
    if (parked && open.started === null && isNew) {
      settled.push({ call: open.call, outcome: yield* notRun(context, open, "deferred: not run, ask again") })
      continue
    }
    const result = yield* one(open)
    settled.push(result)
    parked ||= isNew && result.outcome === null
  }
  return settled
})

const runCall = (context: SessionContext, caller: DispatchContext.DispatchContext, open: OpenCall): Settling<Settled> =>
  open.byPerson
    ? callerGone(context, open)
    : Effect.matchEffect(Dispatcher.dispatch(askedOf(context, open), caller), {
        onSuccess: (dispatched) => after(context, open, dispatched),
        onFailure: causeOf
      })

/** Ends a call that a person made and that nobody waits for. */
export const callerGone = (
  context: SessionContext,
  open: OpenCall
): Effect.Effect<Settled, LeaseLost | StoreFailed> => {
  const cause = RequestEnds.because("callerLeft")
  const outcome = withoutResult(context, open, cause.reason)
  return Effect.as(abandon(context, open, { cause, reason: cause.reason }), { call: open.call, outcome })
}

/** The journal's own error, out of the dispatcher's envelope. */
export const causeOf = ({ cause }: Ledger.NotRecorded): Effect.Effect<never, LeaseLost | StoreFailed> =>
  cause instanceof LeaseLost || cause instanceof StoreFailed ? Effect.fail(cause) : Effect.die(cause)

const after = (
  context: SessionContext,
  open: OpenCall,
  dispatched: Call.Dispatched
): Effect.Effect<Settled, LeaseLost | StoreFailed> =>
  dispatched._tag === "Ended"
    ? Effect.mapEager(publishChanges(context, dispatched), () => ({ call: open.call, outcome: dispatched.outcome }))
    : Effect.as(defer(context, open, dispatched), { call: open.call, outcome: null })

const defer = (context: SessionContext, { call, deferred }: OpenCall, { request }: Call.Parked) => {
  if (deferred) return Effect.void
  const { channel, journal } = context
  const { approvalId } = request
  return Effect.andThen(
    journal.append({
      bodies: [{ _tag: "CallDeferred", toolCallId: call.toolCallId, approvalId }]
    }),
    channel.publish({
      _tag: "ToolDeferred",
      ...place(context),
      toolCallId: call.toolCallId,
      tool: call.name,
      approvalId
    })
  )
}

const publishChanges = (context: SessionContext, { receipt }: Call.Ended): Effect.Effect<void> =>
  receipt === null || receipt.artifacts.length === 0
    ? Effect.void
    : Effect.forEach(
        receipt.artifacts,
        (artifact) => {
          const change = changeOf(artifact)
          return change === null
            ? Effect.void
            : context.channel.publish({ _tag: "FileChanged", ...place(context), ...change })
        },
        { discard: true }
      )

const changeOf = (artifact: Artifact.Artifact) => {
  if (artifact._tag === "FileWritten") return { path: artifact.path, operation: "written" } as const
  if (artifact._tag === "FileDeleted") return { path: artifact.path, operation: "deleted" } as const
  if (artifact._tag === "FileMoved") return { path: artifact.to, operation: "moved" } as const
  return null
}

/** What the dispatcher needs of a session, at one of its steps. */
class StepCaller implements DispatchContext.DispatchContext {
  readonly registry: DispatchContext.DispatchContext["registry"]
  readonly elsewhere: (name: string) => DispatchContext.Elsewhere | null
  readonly context: DispatchContext.DispatchContext["context"]
  readonly redaction: DispatchContext.DispatchContext["redaction"]
  readonly provenance: DispatchContext.DispatchContext["provenance"]
  readonly workspaceWrites: () => string
  readonly invocation: DispatchContext.DispatchContext["invocation"]
  readonly permits: DispatchContext.DispatchContext["permits"]
  readonly whyStopped: () => string
  readonly observe: DispatchContext.DispatchContext["observe"]
  readonly #policy: SessionContext["policy"]

  constructor(running: SessionContext) {
    const { agent, channel, journal, path, permits, provenance, registry, toolContext, tree } = running
    const { step, turn } = journal.state
    this.registry = registry
    this.elsewhere = elsewhere(agent)
    this.context = toolContext
    this.redaction = agent.redaction
    this.provenance = provenance
    this.workspaceWrites = () => WorkspaceWrites.digestOf(tree.writers)
    this.invocation = {
      sessionId: journal.sessionId,
      sessionPath: path,
      agent: agent.name,
      user: agent.user,
      turn,
      step,
      workspaceRoot: agent.workspaceRoot,
      config: agent.config
    }
    this.permits = permits
    this.whyStopped = () => TimeBudget.reason(running) ?? "interrupted"
    this.observe = channel.publish
    this.#policy = running.policy
  }

  /** A rule that somebody gives or revokes counts from the next call on. */
  get policy(): DispatchContext.DispatchContext["policy"] {
    return this.#policy()
  }
}

export const callerOf = (context: SessionContext): DispatchContext.DispatchContext => new StepCaller(context)

const askedOf = (context: SessionContext, open: OpenCall): Call.RequestedCall => {
  const { arguments: written, name, redacted, toolCallId } = open.call
  const asked = { toolCallId, name, arguments: written, labels: open.labels, prior: priorOf(context, open) }
  return redacted === true ? { ...asked, redacted } : asked
}

/**
 * A started call, or one of an earlier process that needs no intent and may have run: the dispatcher decides by its
 * replay class what a re-run may do.
 */
const priorOf = ({ recovered, registry }: SessionContext, open: OpenCall): Call.Prior | null => {
  if (open.started !== null) {
    return {
      attempts: open.started.attempt,
      preconditions: open.started.preconditions,
      version: open.started.version,
      tier: open.started.tier,
      argumentsDigest: open.started.argumentsDigest,
      authority: open.authority
    }
  }
  const tool = registry.get(open.call.name)
  return tool?.replay === "Safe" && recovered.has(open.call.toolCallId) && open.asked === null
    ? { attempts: 1, preconditions: [], version: tool.version, tier: tool.tier, argumentsDigest: "", authority: null }
    : null
}

const notRun = (context: SessionContext, { call }: OpenCall, reason: string) => {
  const outcome: Entry.Outcome = { _tag: "NotRun", reason }
  return Effect.as(end(context, call, outcome), outcome)
}

/** Ends calls that are not going to run. */
export const skip = (context: SessionContext, open: ReadonlyArray<OpenCall>, reason: string) =>
  Effect.forEach(open, (call) => notRun(context, call, reason), { discard: true })

const end = ({ journal, registry }: SessionContext, call: Message.ToolCall, outcome: Entry.Outcome) =>
  journal.append({
    bodies: [{ _tag: "CallEnded", toolCallId: call.toolCallId, tool: call.name, outcome, receipt: null }],
    replay: registry.get(call.name)?.replay ?? "Safe"
  })

/**
 * Ends the calls that an interruption left without a result. What a person was asked stays open: see `RequestEnds`. Nothing
 * is ended where a later process goes on: it finds the calls as they are.
 */
const endInterrupted = (context: SessionContext, open: ReadonlyArray<OpenCall>) => {
  const { journal, kind, tree } = context
  const timeSpent = TimeBudget.reason(context)
  // A child that is told to end withdraws what it asked with its last entry.
  if (timeSpent === null && (kind !== "Main" || tree.isLeaving())) return Effect.void
  const reason = noResult(timeSpent ?? "interrupted")
  const left = open.filter(({ call: { toolCallId } }) => {
    const now = journal.state.openCalls.get(toolCallId)
    return now !== undefined && pendingRequest(now) === null
  })
  return Effect.ignore(Effect.forEach(left, (call) => endWithoutResult(context, call, reason), { discard: true }))
}

const noResult = (why: string): string => `${why}: there is no result`

/** Ends what is open where there is no time to run it; what a person was asked stays. */
export const abandonUndecided = (context: SessionContext, reason: string) =>
  Effect.forEach(
    Array.from(context.journal.state.openCalls.values()).filter((open) => pendingRequest(open) === null),
    (open) => endWithoutResult(context, open, reason),
    { discard: true }
  )

interface Abandoned {
  readonly cause: RequestEnds.Cause
  /** Why a call that was not started will not run. */
  readonly reason: string
}

/** Ends what is open of a session that goes on with none of it. A call whose request was decided first may stay open. */
export const cancel = (context: SessionContext, abandoned: Abandoned) =>
  Effect.forEach(Array.from(context.journal.state.openCalls.values()), (open) => abandon(context, open, abandoned), {
    discard: true
  })

const abandon = Effect.fnUntraced(function* (
  context: SessionContext,
  open: OpenCall,
  { cause, reason }: Abandoned
): Effect.fn.Return<void, LeaseLost | StoreFailed> {
  const request = pendingRequest(open)
  if (request !== null && !(yield* withdraw(context, request, cause))) return
  yield* endWithoutResult(context, open, reason)
})

const endWithoutResult = (context: SessionContext, open: OpenCall, reason: string) =>
  end(context, open.call, withoutResult(context, open, reason))

/** A Safe call that was stopped has failed. Of any other that was started nobody knows what it has done. */
const withoutResult = ({ registry }: SessionContext, { call, started }: OpenCall, reason: string): Entry.Outcome => {
  if (started === null) return { _tag: "NotRun", reason }
  if (registry.get(call.name)?.replay !== "Safe")
    return UnknownOutcome.stopped(`${call.name} was stopped before it finished`)
  const message = `${call.name} was stopped before it finished`
  return { _tag: "Failed", error: { _tag: "ExecutionError", message }, schema: null }
}
