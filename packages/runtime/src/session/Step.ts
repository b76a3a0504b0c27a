/** One model call: reserves the tokens, streams the reply, assembles and records it. */
import { Trace } from "@bough/dispatch"
import { Budget as BudgetData, type Entry, type Message, Usage } from "@bough/protocol"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as ActiveTime from "../budget/ActiveTime.ts"
import * as Budget from "../budget/Budget.ts"
import * as PromptTokenBound from "../budget/PromptTokenBound.ts"
import * as ReplyUsage from "../budget/ReplyUsage.ts"
import * as TimeBudget from "../budget/TimeBudget.ts"
import * as Tokens from "../budget/Tokens.ts"
import { placeOf } from "../journal/Journal.ts"
import type { ModelError, ModelPart, Prompt } from "../ports/Model.ts"
import * as Reply from "../ports/Reply.ts"
import { EntryRefused, type LeaseLost, type StoreFailed } from "../ports/SessionStore.ts"
import * as CutReply from "./CutReply.ts"
import * as ModelCaller from "./ModelCaller.ts"
import { receiveParts } from "./ReceiveParts.ts"
import * as RedactedReply from "./RedactedReply.ts"
import * as ReplyFaults from "./ReplyFaults.ts"

/** The reply of the model, as recorded. */
export interface RecordedReply {
  readonly parts: ReadonlyArray<Message.ReplyPart>
  readonly calls: ReadonlyArray<Message.ToolCall>
  readonly usage: Usage.Usage
  /** True if it was cut because a bound of length or time was reached. */
  readonly isCut: boolean
  /** The reason why its calls are not run; null: they are run. */
  readonly notRun: string | null
}

/**
 * Asks the model for its next reply. A reply that was cut off or interrupted is recorded as such, and its calls do not
 * run. A reply that was cut off is requested again in a separate step, as often as the model's `retryPause` allows.
 */
export const ask = (
  caller: ModelCaller.ModelCaller
): Effect.Effect<RecordedReply, ModelError | LeaseLost | StoreFailed> => attempt(caller, 0)

const attempt = (
  caller: ModelCaller.ModelCaller,
  before: number
): Effect.Effect<RecordedReply, ModelError | LeaseLost | StoreFailed> =>
  Effect.flatMapEager(caller.isTraced ? askModelTraced(caller, before) : askModel(caller, before), (replied) =>
    "cut" in replied ? retry(caller, replied.cut, before) : Effect.succeed(replied)
  )

/** A reply that is dropped because it is requested again. */
interface DroppedReply {
  readonly cut: ModelError
}

const retry = Effect.fnUntraced(function* (caller: ModelCaller.ModelCaller, cut: ModelError, before: number) {
  const waited = yield* CutReply.pause(caller, cut, before)
  return waited ? yield* attempt(caller, before + 1) : notBegun
})

const askModelTraced = (caller: ModelCaller.ModelCaller, before: number) =>
  Trace.span(
    Effect.tap(askModel(caller, before), (replied) =>
      "cut" in replied
        ? Effect.void
        : Trace.annotate(true, () => ({
            "gen_ai.usage.input_tokens": replied.usage.inputTokens,
            "gen_ai.usage.output_tokens": replied.usage.outputTokens,
            "gen_ai.response.finish_reasons": [
              replied.isCut ? "length" : replied.calls.length > 0 ? "tool_calls" : "stop"
            ]
          }))
    ),
    "Step.ask",
    { isTraced: true, kind: "client", attributes: () => chatAttributes(caller) }
  )

/** A model's name is `provider/model`. */
const chatAttributes = ({ journal, model }: ModelCaller.ModelCaller): Trace.Attributes => {
  const slash = model.name.indexOf("/")
  return {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": slash === -1 ? model.name : model.name.slice(0, slash),
    "gen_ai.request.model": slash === -1 ? model.name : model.name.slice(slash + 1),
    "gen_ai.conversation.id": journal.sessionId,
    "bough.turn": journal.state.turn,
    "bough.step": journal.state.step + 1
  }
}

const askModel = Effect.fnUntraced(function* (
  caller: ModelCaller.ModelCaller,
  before: number
): Effect.fn.Return<RecordedReply | DroppedReply, ModelError | LeaseLost | StoreFailed> {
  const { journal, system } = caller
  const startedStep = yield* begin(caller, {
    demandOf: () => PromptTokenBound.demandOf(caller),
    estimate: () => (system.length + journal.prompt.characters) / Tokens.charactersPerToken,
    characters: () => system.length + journal.prompt.characters - journal.prompt.reasoningCharacters
  })
  if (startedStep === null) return notBegun
  const { bounds, reservedTokens } = startedStep
  const messages = journal.prompt.messages.slice()
  const prompt = { system, messages, tools: caller.declarations(), cacheKey: journal.sessionId, ...bounds }
  const reply = Reply.empty()
  const received = yield* receive(caller, prompt, { reply, sent: startedStep, before, ...deltaPublisher(caller) }).pipe(
    Effect.catchIf(
      (error): error is ModelError => CutReply.isRetried(caller, { reply, before }, error),
      (cut) => Effect.succeed({ cut })
    )
  )
  if (typeof received === "object") return received
  const isWhole = received
  const parts = partsOf(caller, reply)
  if (!isWhole) {
    return {
      parts,
      calls: [],
      usage: ReplyUsage.usageOfCutReply(caller, reply, reservedTokens),
      isCut: true,
      notRun: null
    }
  }
  const calls = parts.filter((part) => part._tag === "ToolCall")
  const counted = yield* count(caller, startedStep, reply)
  const { usage } = counted
  const fullReply = record(caller, { parts, ...counted, completion: "complete", last: calls.length === 0 })
  yield* orWithoutParts(caller, fullReply, {
    usage: () => ReplyUsage.usageOfCutReply(caller, Reply.empty(), reservedTokens),
    failureOf: (fault) => ReplyFaults.unreadable(caller.model.name, fault),
    report: Effect.fail
  })
  const reason = reply.end?.reason
  return { parts, calls, usage, isCut: reason === "length", notRun: reason === undefined ? null : whyNotRun[reason] }
})

/**
 * The reason why the calls of an incomplete reply are not run: a call may lack the rest of its arguments, or a call
 * that belongs to it may be missing.
 */
const whyNotRun: Readonly<Record<Extract<ModelPart, { readonly _tag: "End" }>["reason"], string | null>> = {
  length: "not run: the reply reached its greatest length before it was complete; ask again, for less at a time",
  filtered: "not run: the provider's filter ended the reply before it was complete",
  stop: null,
  toolCalls: null,
  other: null
}

/** The result of a step that did not begin, because the remaining budget changed first. */
const notBegun: RecordedReply = { parts: [], calls: [], usage: Usage.zero, isCut: true, notRun: null }

/** A step that has not started. Its numbers are read while the journal is locked for it. */
interface PlannedStep extends Pick<Entry.BodyOf<"StepStarted">, "purpose"> {
  readonly demandOf: () => Budget.StepDemand
  /** An estimate of its prompt's tokens for display, if no limit needs the bound. */
  readonly estimate: () => number
  /** The characters of its prompt that every provider counts. */
  readonly characters: () => number
}

/** A step that has started. */
export interface StartedStep extends ReplyUsage.SentPrompt {
  /** The bounds of the reply, which follow from the remaining budget. */
  readonly bounds: Pick<Prompt, "maxOutputTokens">
  /** True if `reservedTokens` is an upper bound of the prompt. */
  readonly isBound: boolean
}

/** Takes the next step's number and reserves its prompt's tokens; null: the remaining budget is too small. */
export const begin = (
  caller: ModelCaller.ModelCaller,
  { characters, demandOf, estimate, ...wanted }: PlannedStep
): Effect.Effect<StartedStep | null, LeaseLost | StoreFailed> =>
  Effect.suspend(() => {
    const { journal, model } = caller
    let startedStep: StartedStep | null = null
    const append = journal.append(({ limit, step, turn }) => {
      const demand = demandOf()
      const balance = BudgetData.isSame(caller.budget.limit, BudgetData.unlimited) ? null : caller.budget.balance()
      if (balance !== null && Budget.exhaustedDimension(balance, demand) !== null) return { bodies: [] }
      const isBound = PromptTokenBound.isNeeded(caller)
      const reservedTokens = isBound ? demand.promptTokens : Math.ceil(estimate())
      const maxOutputTokens = balance === null ? null : Budget.replyTokens(balance, demand)
      const bounds = maxOutputTokens === null ? {} : { maxOutputTokens }
      startedStep = { reservedTokens, isBound, bounds, characters: characters() }
      const started = { _tag: "StepStarted" as const, turn, step: step + 1, model: model.name, reservedTokens }
      return { bodies: [{ ...started, ...wanted, ...changedLimit(limit, caller) }] }
    })
    return Effect.map(append, () => startedStep)
  })

/** Returns the limit if it has changed, so that the journal records the limits that applied. */
const changedLimit = (
  known: BudgetData.Limit | null,
  { budget: { limit } }: ModelCaller.ModelCaller
): Pick<Entry.BodyOf<"StepStarted">, "limit"> => (known !== null && BudgetData.isSame(known, limit) ? {} : { limit })

/** Counts a complete reply; reports a provider that gives no counts, far too low ones, or higher ones than were reserved. */
export const count = (
  caller: ModelCaller.ModelCaller,
  startedStep: Pick<StartedStep, "isBound" | keyof ReplyUsage.SentPrompt>,
  reply: Reply.ReplyState
): Effect.Effect<ReplyUsage.CountedUsage> => {
  const counted = ReplyUsage.usageOfCompleteReply(caller, reply, startedStep)
  return Effect.mapEager(ModelCaller.notice(caller, usageNotice(caller, startedStep, counted)), () => counted)
}

const usageNotice = (
  caller: ModelCaller.ModelCaller,
  { isBound, reservedTokens }: Pick<StartedStep, "isBound" | "reservedTokens">,
  { unreported, usage: { inputTokens } }: ReplyUsage.CountedUsage
): string | null => {
  const { model } = caller
  if (unreported) return ModelCaller.silence(caller)
  if (!isBound || inputTokens === 0) return null
  ModelCaller.countFixed(caller)
  return inputTokens <= reservedTokens
    ? null
    : `${model.name} counted ${inputTokens} tokens in a prompt that was taken to have ${reservedTokens} at most: a limit may be overdrawn by the difference`
}

/** A reply while it is received. */
export interface ReceiveOptions {
  readonly reply: Reply.ReplyState
  readonly sent: ReplyUsage.SentPrompt
  /** The number of retries so far; absent: a cut reply is not requested again. */
  readonly before?: number
  readonly show: (part: ModelPart) => Effect.Effect<void>
  /** Shows the delayed deltas; null: there are none. */
  readonly showRest: Effect.Effect<void> | null
}

/** Returns the parts of a reply that are recorded, without known secrets. */
export const partsOf = (caller: ModelCaller.ModelCaller, reply: Reply.ReplyState): ReadonlyArray<Message.ReplyPart> =>
  RedactedReply.parts(Reply.parts(reply, placeOf(caller.journal)), caller.redaction)

/**
 * Assembles the model's stream; a stream that breaks off is recorded as interrupted. False: the session's time ran out
 * first.
 */
export const receive = (
  caller: ModelCaller.ModelCaller,
  prompt: Prompt,
  { before, reply, sent, show, showRest }: ReceiveOptions
): Effect.Effect<boolean, ModelError | LeaseLost | StoreFailed> => {
  const streaming = receiveParts(caller, prompt, { reply, show })
  const all = showRest === null ? streaming : Effect.ensuring(streaming, showRest)
  const ended = Effect.flatMap(
    TimeBudget.runWithin(caller.budget, all, undefined),
    (): Effect.Effect<boolean, ModelError | LeaseLost | StoreFailed> => {
      if (reply.end !== null) return Effect.succeed(true)
      if (!TimeBudget.isOver(caller.budget)) return Effect.fail(ReplyFaults.streamCut(caller.model.name))
      const usage = ReplyUsage.usageOfCutReply(caller, reply, sent.reservedTokens)
      return Effect.as(recordInterrupted(caller, reply, { usage, failure: null }), false)
    }
  )
  return Effect.onExitPrimitive(ended, (exit) => {
    if (Exit.isSuccess(exit)) return undefined
    const usage = interruptedUsage(caller, reply, sent)
    const error = Option.getOrNull(Cause.findErrorOption(exit.cause))
    const failure = error?._tag === "ModelError" ? error : null
    const cut = { parts: [], usage, unreported: false, completion: "interrupted", last: false } as const
    return CutReply.isRetried(caller, { reply, before }, error)
      ? record(caller, { ...cut, estimated: isEstimated(reply, usage) })
      : recordInterrupted(caller, reply, { usage, failure })
  })
}

const deltaPublisher = (caller: ModelCaller.ModelCaller): Pick<ReceiveOptions, "show" | "showRest"> => {
  const publish = deltaEvents(caller)
  // Without secrets no delta is delayed; this is the common case, with many parts.
  if (caller.redaction.settledLength === undefined) return { show: publish, showRest: null }
  const deltas = RedactedReply.deltas(caller.redaction)
  // A fast path: nearly every delta is shown as one part or delayed, and a loop of effects would cost more than the
  // delta.
  const publishAll = (parts: ReadonlyArray<ModelPart>): Effect.Effect<void> =>
    parts.length === 0
      ? Effect.void
      : parts.length === 1
        ? publish(parts[0])
        : Effect.forEach(parts, publish, { discard: true })
  return { show: (part) => publishAll(deltas.push(part)), showRest: Effect.suspend(() => publishAll(deltas.end())) }
}

const deltaEvents = (caller: ModelCaller.ModelCaller) => {
  const at = placeOf(caller.journal)
  return (part: ModelPart): Effect.Effect<void> => {
    if (part._tag === "Text") return caller.channel.publish({ _tag: "TextDelta", ...at, text: part.text })
    if (part._tag === "Reasoning") return caller.channel.publish({ _tag: "ReasoningDelta", ...at, text: part.text })
    if (part._tag === "ToolCallStart") return caller.announce(part.name)
    if (part._tag === "Notice") {
      return caller.channel.publish({ _tag: "Notice", sessionId: at.sessionId, message: part.text })
    }
    return Effect.void
  }
}

/** Records a reply that could not be read back from a journal, and reports its fault. */
interface UnreadableReply<E> {
  readonly usage: () => Usage.Usage
  /** Returns the failure of the reply, for the text of the fault. */
  readonly failureOf: (fault: string) => ModelError | null
  readonly report: (failure: ModelError) => Effect.Effect<void, E>
}

/** Records the reply without its parts if a journal could not read them back. */
const orWithoutParts = <E, E2>(
  caller: ModelCaller.ModelCaller,
  recorded: Effect.Effect<void, E>,
  { failureOf, report, usage }: UnreadableReply<E2>
): Effect.Effect<void, E | E2 | LeaseLost | StoreFailed> =>
  Effect.catchDefect(recorded, (defect) => {
    if (!(defect instanceof EntryRefused)) return Effect.die(defect)
    const failure = failureOf(defect.fault)
    const empty = { parts: [], usage: usage(), unreported: false, completion: "interrupted", last: true } as const
    return Effect.andThen(record(caller, { ...empty, failure }), failure === null ? Effect.void : report(failure))
  })

const record = (
  caller: ModelCaller.ModelCaller,
  reply: Pick<Entry.BodyOf<"ModelReplied">, "parts" | "usage" | "completion"> & {
    readonly unreported: boolean
    readonly estimated?: boolean
    /** The failure that cut the reply off; default: none. */
    readonly failure?: ModelError | null
    /** True if the turn ends here unless a steering message arrives. */
    readonly last: boolean
  }
) => {
  const { sessionId, step, turn } = placeOf(caller.journal)
  const { completion, estimated = false, failure = null, parts, unreported, usage } = reply
  // Keeps the Main Active if the process ends during the turn, because the next process looks for Active Mains.
  const isOver = reply.last && (completion === "complete" || !caller.isLeaving())
  return caller.journal.append(() => {
    const activeMillis = ActiveTime.unrecordedMillis(caller.budget.activeTime)
    const replied = { _tag: "ModelReplied" as const, turn, step, completion, parts, usage, activeMillis }
    return {
      bodies: [
        {
          ...replied,
          ...(unreported ? { unreported } : {}),
          ...(estimated ? { estimated } : {}),
          ...(failure === null ? {} : { failure: recordedFailure(caller, failure) })
        }
      ],
      projections: isOver ? [{ _tag: "SessionState", sessionId, state: "Suspended" }] : []
    }
  })
}

/** Returns a failure as it is recorded: a provider's sentence may contain a secret. */
const recordedFailure = (
  { redaction }: ModelCaller.ModelCaller,
  { hint, message, reason }: ModelError
): Entry.ReplyFailure => {
  const safe = (text: string): string => redaction.redact(text.toWellFormed())
  return { reason, message: safe(message), hint: safe(hint) }
}

interface CutOff {
  readonly usage: Usage.Usage
  /** Null: the turn was interrupted, or its time ran out. */
  readonly failure: ModelError | null
}

/** Records an interrupted reply with the text received so far. */
const recordInterrupted = (caller: ModelCaller.ModelCaller, reply: Reply.ReplyState, { failure, usage }: CutOff) =>
  orWithoutParts(
    caller,
    record(caller, {
      parts: partsOf(caller, reply).filter(({ _tag }) => _tag === "Text"),
      usage,
      unreported: false,
      estimated: isEstimated(reply, usage),
      failure,
      completion: "interrupted",
      last: true
    }),
    { usage: () => Usage.zero, failureOf: () => failure, report: () => Effect.void }
  )

/** True if the usage of a cut reply is not based on a report of its provider. */
const isEstimated = ({ end }: Reply.ReplyState, { inputTokens }: Usage.Usage): boolean =>
  end === null && inputTokens > 0

/** Counts an interrupted reply; if the provider has sent nothing, the request is not counted. */
const interruptedUsage = (
  caller: ModelCaller.ModelCaller,
  reply: Reply.ReplyState,
  sent: ReplyUsage.SentPrompt
): Usage.Usage => {
  if (reply.end !== null) return ReplyUsage.usageOfCompleteReply(caller, reply, sent).usage
  return Reply.length(reply) === 0 ? Usage.zero : ReplyUsage.usageOfCutReply(caller, reply, sent.reservedTokens)
}
