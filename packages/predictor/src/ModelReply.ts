/** One reply of a model within the limits of a prediction. */
import { Budget as BudgetData, type Message, Usage } from "@bough/protocol"
import { Model, ReplyBounds } from "@bough/runtime"
import * as Budget from "@bough/runtime/budget/Budget"
import * as PromptTokenBound from "@bough/runtime/budget/PromptTokenBound"
import * as ReplyUsage from "@bough/runtime/budget/ReplyUsage"
import * as CountedPrompt from "@bough/runtime/journal/Prompt"
import * as ModelParts from "@bough/runtime/ports/ModelParts"
import * as Reply from "@bough/runtime/ports/Reply"
import * as ReplyFaults from "@bough/runtime/session/ReplyFaults"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Stream from "effect/Stream"

/** The limits of a prediction, and its spending so far. */
export interface Account {
  readonly limit: BudgetData.Limit
  spent: BudgetData.BudgetSpent
}

export const account = (limit: BudgetData.Limit): Account => ({ limit, spent: BudgetData.nothing })

export interface ModelReply {
  readonly parts: ReadonlyArray<Message.ReplyPart>
  readonly calls: ReadonlyArray<Message.ToolCall>
  readonly text: string
  readonly usage: Usage.Usage
  /** The reason why the calls of the reply do not run; null: they run. */
  readonly notRun: string | null
}

/** The limit that is too low for another step. */
export interface SpentUsage {
  readonly exhausted: Budget.Dimension
}

type Service = Model.Model["Service"]

export interface ReplyRequest {
  readonly model: Service
  readonly account: Account
  readonly prompt: Model.Prompt
  /** The number of the reply, starting at 1. */
  readonly step: number
}

/**
 * Sends a request to the model, and repeats it if the reply was cut off and the model advises a retry. Every reply
 * counts against the limits.
 */
export const ask = (
  asked: ReplyRequest,
  before = 0
): Effect.Effect<ModelReply | SpentUsage, { readonly error: Model.ModelError; readonly usage: Usage.Usage }> =>
  Effect.suspend(() => {
    const { account, model, prompt } = asked
    const session = { budget: { limit: account.limit }, model }
    const demand = PromptTokenBound.demandFor(session, () => boundOf(prompt))
    const page = { limit: account.limit, spent: account.spent, reserved: BudgetData.nothing }
    const exhausted = Budget.exhaustedDimension(page, demand)
    if (exhausted !== null) return Effect.succeed({ exhausted })
    const maxTokens = Budget.replyTokens(page, demand)
    const bounded = maxTokens === null ? prompt : { ...prompt, maxOutputTokens: maxTokens }
    const reply = Reply.empty()
    return receive(model, bounded, reply).pipe(
      Effect.matchEffect({
        onSuccess: () => {
          const { usage } = ReplyUsage.usageOfCompleteReply(session, reply, {
            reservedTokens: demand.promptTokens,
            characters: CountedPrompt.countedCharacters(prompt)
          })
          spend(account, usage)
          return Effect.succeed(replyOf(reply, asked.step, usage))
        },
        onFailure: (error) => {
          const usage =
            Reply.length(reply) === 0 ? Usage.zero : ReplyUsage.usageOfCutReply(session, reply, demand.promptTokens)
          spend(account, usage)
          return retryReply(asked, { error, before, hasBegun: Reply.length(reply) > 0, usage })
        }
      })
    )
  })

interface CutReply {
  readonly error: Model.ModelError
  readonly before: number
  readonly hasBegun: boolean
  readonly usage: Usage.Usage
}

const retryReply = (request: ReplyRequest, { before, error, hasBegun, usage }: CutReply): ReturnType<typeof ask> =>
  Effect.flatMap(Random.next, (random) => {
    const millis = hasBegun && error.reason === "StreamCut" ? request.model.retryPause?.(error, before, random) : null
    return millis === null || millis === undefined
      ? Effect.fail({ error, usage })
      : Effect.delay(
          Effect.map(ask(request, before + 1), (again) =>
            "exhausted" in again ? again : { ...again, usage: Usage.add(usage, again.usage) }
          ),
          millis
        )
  })

const spend = (account: Account, usage: Usage.Usage): void => {
  const { costUsd, inputTokens, outputTokens } = usage
  account.spent = BudgetData.add(account.spent, { ...BudgetData.nothing, inputTokens, outputTokens, costUsd, steps: 1 })
}

const boundOf = ({ messages, system, tools }: Model.Prompt): number =>
  PromptTokenBound.fixedTokens({ system, declarations: () => tools }) +
  messages.reduce((sum, message) => sum + PromptTokenBound.forText(JSON.stringify(message)), 0)

const receive = (
  model: Service,
  prompt: Model.Prompt,
  reply: Reply.ReplyState
): Effect.Effect<void, Model.ModelError> => {
  const meter = ReplyBounds.start()
  return Effect.andThen(
    Stream.runForEach(model.stream(prompt), (modelPart) => {
      const part = ModelParts.read(modelPart)
      if (part?._tag === "Malformed") return Effect.fail(ReplyFaults.malformed(model.name, part.fault))
      const exceeded = ReplyBounds.count(meter, part)
      if (exceeded !== null) return Effect.fail(ReplyFaults.tooLarge(model.name, exceeded))
      return Effect.sync(() => {
        if (part !== null) Reply.append(reply, part)
      })
    }),
    Effect.suspend(() => (reply.end === null ? Effect.fail(ReplyFaults.streamCut(model.name)) : Effect.void))
  )
}

const replyOf = (reply: Reply.ReplyState, step: number, usage: Usage.Usage): ModelReply => {
  const parts = Reply.parts(reply, { turn: 1, step })
  return {
    parts,
    calls: parts.filter((part) => part._tag === "ToolCall"),
    text: parts.map((part) => (part._tag === "Text" ? part.text : "")).join(""),
    usage,
    notRun: reply.end === null ? null : (whyNotRun[reply.end.reason] ?? null)
  }
}

const whyNotRun: Readonly<Partial<Record<string, string>>> = {
  length: "Error: not run: the reply reached its greatest length before it was complete; do less at a time",
  filtered: "Error: not run: the provider's filter ended the reply before it was complete"
}
