/**
 * The Sampling capability of one session: a tool's messages go to a model of the session, within the session's budget.
 * Request and answer are entries of the journal, which no prompt contains: adr/0140-sampling-by-tools.md.
 */
import { Budget as BudgetData, type Entry, type Session, ToolError, Usage } from "@bough/protocol"
import type { Sampling, ToolContext } from "@bough/tool"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Budget from "../budget/Budget.ts"
import * as PromptTokenBound from "../budget/PromptTokenBound.ts"
import * as ReplyUsage from "../budget/ReplyUsage.ts"
import * as Tokens from "../budget/Tokens.ts"
import { ModelError, type Prompt } from "../ports/Model.ts"
import * as Reply from "../ports/Reply.ts"
import { LeaseLost, StoreFailed } from "../ports/SessionStore.ts"
import type * as ModelCaller from "./ModelCaller.ts"
import { receiveParts } from "./ReceiveParts.ts"
import * as ReplyFaults from "./ReplyFaults.ts"
import type { SessionServices } from "./SessionServices.ts"

/** The characters of the messages and the system prompt together. */
const maxCharacters = 200_000
const maxMessages = 200

/** Provides the capability. The session is known once it is used. */
export const provide = (session: () => SessionServices): ToolContext.ProvidedService<Sampling.Sampling["Service"]> => ({
  make: ({ toolCallId }) => ({ ask: (request) => ask(session(), toolCallId, request) }),
  reach: "Confined",
  preconditions: []
})

const ask = Effect.fnUntraced(
  function* (
    session: SessionServices,
    toolCallId: Session.ToolCallId,
    unredacted: Sampling.SamplingRequest
  ): Effect.fn.Return<Sampling.SamplingReply, ToolError.ToolError | ModelError | LeaseLost | StoreFailed> {
    const fault = faultOf(unredacted)
    if (fault !== null) return yield* failed(fault)
    const caller = yield* callerFor(session, unredacted.model)
    const request = redactRequest(unredacted, caller)
    const started = yield* begin(caller, { toolCallId, request })
    if (started === null) {
      return yield* failed("the remaining budget of the session does not cover the request", "raise the limit")
    }
    const { prompt } = started
    const reply = Reply.empty()
    return yield* receiveParts(caller, prompt, { reply, show: () => Effect.void }).pipe(
      Effect.flatMap(() => (reply.end === null ? Effect.fail(ReplyFaults.streamCut(caller.model.name)) : Effect.void)),
      Effect.onExit((exit) => record(caller, { ...started, toolCallId, reply, exit })),
      Effect.map(() => ({ text: textOf(caller, reply), model: caller.model.name, reason: reasonOf(reply) }))
    )
  },
  Effect.catchIf(isForeign, (error) => failed(error.message, "hint" in error ? error.hint : ""))
)

type ModelCallError = ModelError | LeaseLost | StoreFailed

function isForeign(error: unknown): error is ModelCallError {
  return error instanceof ModelError || error instanceof LeaseLost || error instanceof StoreFailed
}

const failed = (message: string, hint = ""): Effect.Effect<never, ToolError.ExecutionError> =>
  Effect.fail(new ToolError.ExecutionError({ message, ...(hint === "" ? {} : { hint }) }))

const faultOf = ({ maxTokens, messages, system }: Sampling.SamplingRequest): string | null => {
  if (messages.length === 0) return "there is no message for the model"
  if (messages.length > maxMessages) return `there are more than ${maxMessages} messages for the model`
  if (!Number.isSafeInteger(maxTokens) || maxTokens < 1) return "the answer needs at least one token"
  const characters = messages.reduce((sum, { text }) => sum + text.length, system.length)
  return characters > maxCharacters ? `the messages for the model have more than ${maxCharacters} characters` : null
}

/** The session's own caller, or one with the model that the request names. */
const callerFor = (
  { agent, turns: { caller } }: SessionServices,
  name: string | undefined
): Effect.Effect<ModelCaller.ModelCaller, ToolError.ToolError> => {
  if (name === undefined || name === caller.model.name) return Effect.succeed(caller)
  return agent.modelNamed === undefined
    ? failed(`the model ${name} is not available here`)
    : Effect.map(agent.modelNamed(name), (model) => ({ ...caller, model }))
}

/** The journal and the provider get the same text, without known secrets. */
const redactRequest = (
  { messages, system, ...request }: Sampling.SamplingRequest,
  { redaction: { redact } }: ModelCaller.ModelCaller
): Sampling.SamplingRequest => ({
  ...request,
  system: redact(system.toWellFormed()),
  messages: messages.map(({ role, text }) => ({ role, text: redact(text.toWellFormed()) }))
})

interface ToolRequest {
  readonly toolCallId: Session.ToolCallId
  readonly request: Sampling.SamplingRequest
}

interface StartedRequest {
  /** The `seq` of the entry that records the request. */
  readonly startedSeq: number
  readonly prompt: Prompt
  readonly sent: ReplyUsage.SentPrompt
}

/** Records the request and reserves its largest possible usage; null: the remaining budget does not cover it. */
const begin = (
  caller: ModelCaller.ModelCaller,
  { request, toolCallId }: ToolRequest
): Effect.Effect<StartedRequest | null, LeaseLost | StoreFailed> =>
  Effect.suspend(() => {
    let started: StartedRequest | null = null
    const append = caller.journal.append(({ nextSeq }) => {
      const texts = [request.system, ...request.messages.map(({ text }) => text)]
      const characters = texts.reduce((sum, text) => sum + text.length, 0)
      const bound = texts.reduce((sum, text) => sum + PromptTokenBound.forText(text), 0)
      const demand = PromptTokenBound.demandFor(caller, () => bound)
      const isLimited = !BudgetData.isSame(caller.budget.limit, BudgetData.unlimited)
      const balance = isLimited ? caller.budget.balance() : null
      if (balance !== null && Budget.exhaustedDimension(balance, demand) !== null) return { bodies: [] }
      const maxOutputTokens = Math.min(request.maxTokens, (balance && Budget.replyTokens(balance, demand)) ?? Infinity)
      const inputTokens = PromptTokenBound.isNeeded(caller) ? bound : Math.ceil(characters / Tokens.charactersPerToken)
      started = {
        startedSeq: nextSeq,
        prompt: { system: request.system, messages: request.messages.map(toPrompt), tools: [], maxOutputTokens },
        sent: { reservedTokens: inputTokens, characters }
      }
      return { bodies: [samplingStarted(caller, { request, toolCallId, inputTokens, outputTokens: maxOutputTokens })] }
    })
    return Effect.map(append, () => started)
  })

const toPrompt = ({ role, text }: Sampling.SamplingMessage): Prompt["messages"][number] =>
  role === "user" ? { _tag: "User", text, media: [] } : { _tag: "Assistant", parts: [{ _tag: "Text", text }] }

interface TokenReservation extends ToolRequest {
  readonly inputTokens: number
  readonly outputTokens: number
}

const samplingStarted = (
  { model }: ModelCaller.ModelCaller,
  { inputTokens, outputTokens, request, toolCallId }: TokenReservation
): Entry.BodyOf<"SamplingStarted"> => ({
  _tag: "SamplingStarted",
  toolCallId,
  requester: request.requester,
  model: model.name,
  reserved: {
    inputTokens,
    cachedInputTokens: 0,
    outputTokens,
    costUsd: ReplyUsage.maxCost({ model }, { inputTokens, outputTokens }) ?? 0
  },
  system: request.system,
  messages: request.messages
})

interface EndedRequest extends StartedRequest {
  readonly toolCallId: Session.ToolCallId
  readonly reply: Reply.ReplyState
  readonly exit: Exit.Exit<void, ModelError>
}

const record = (
  caller: ModelCaller.ModelCaller,
  { exit, reply, sent, startedSeq, toolCallId }: EndedRequest
): Effect.Effect<void, LeaseLost | StoreFailed> => {
  const isWhole = reply.end !== null
  const { unreported, usage } = isWhole
    ? ReplyUsage.usageOfCompleteReply(caller, reply, sent)
    : { usage: cutUsage(caller, reply, sent), unreported: usesTokens(reply) }
  return caller.journal.append({
    bodies: [
      {
        _tag: "SamplingEnded",
        startedSeq,
        toolCallId,
        model: caller.model.name,
        text: Exit.isSuccess(exit) ? textOf(caller, reply) : "",
        failure: failureOf(exit),
        usage,
        ...(unreported ? { estimated: true } : {})
      }
    ]
  })
}

/** A request to which the provider sent nothing is not counted. */
const cutUsage = (caller: ModelCaller.ModelCaller, reply: Reply.ReplyState, sent: ReplyUsage.SentPrompt): Usage.Usage =>
  usesTokens(reply) ? ReplyUsage.usageOfCutReply(caller, reply, sent.reservedTokens) : Usage.zero

const usesTokens = (reply: Reply.ReplyState): boolean => Reply.length(reply) > 0

const failureOf = (exit: Exit.Exit<void, ModelError>): string | null => {
  if (Exit.isSuccess(exit)) return null
  const error = Option.getOrNull(Cause.findErrorOption(exit.cause))
  return error === null ? "interrupted" : error.message
}

const textOf = ({ redaction }: ModelCaller.ModelCaller, reply: Reply.ReplyState): string =>
  redaction.redact(
    reply.drafts
      .flatMap(({ _tag, text }) => (_tag === "Text" ? [text] : []))
      .join("")
      .toWellFormed()
  )

const reasonOf = ({ end }: Reply.ReplyState): Sampling.SamplingReply["reason"] =>
  end?.reason === "stop" || end?.reason === "length" ? end.reason : "other"
