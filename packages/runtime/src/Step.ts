/** One model call: reserve, stream, put the reply together, record it. */
import type { Entry, Message, Usage } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import * as ActiveTime from "./ActiveTime.ts"
import * as Announced from "./Announced.ts"
import * as Budget from "./Budget.ts"
import { ModelError, type ModelPart, type Prompt } from "./Model.ts"
import * as Reply from "./Reply.ts"
import { place, type Running } from "./Running.ts"
import type { LeaseLost, StoreFailed } from "./SessionStore.ts"
import * as Tokens from "./Tokens.ts"

/** What the model said, as recorded. */
export interface Replied {
  readonly parts: ReadonlyArray<Message.ReplyPart>
  readonly calls: ReadonlyArray<Message.ToolCall>
  readonly usage: Usage.Usage
  /** It broke off because it may not be longer. */
  readonly isCut: boolean
}

/** Asks the model for its next reply. A reply that was cut or interrupted is recorded as such and runs nothing. */
export const ask = Effect.fnUntraced(function* (
  running: Running
): Effect.fn.Return<Replied, ModelError | LeaseLost | StoreFailed> {
  const { journal } = running
  const prompt = promptOf(running)
  const reservedTokens = Math.ceil((prompt.system.length + journal.prompt.characters) / Tokens.charactersPerToken)
  yield* begin(running, { reservedTokens })
  const at = place(running)
  const reply = Reply.empty()
  yield* receive(running, prompt, { reply, reservedTokens, show: shown(running) })
  const parts = Reply.parts(reply, at)
  const calls = parts.filter((part) => part._tag === "ToolCall")
  const usage = usageOf(reply)
  yield* record(running, { parts, usage, completion: "complete", last: calls.length === 0 })
  for (const call of calls) {
    const shown = {
      toolCallId: call.toolCallId,
      tool: call.name,
      arguments: running.agent.redaction.redact(call.arguments)
    }
    yield* running.channel.publish({ _tag: "ToolRequested", ...at, ...shown })
  }
  return { parts, calls, usage, isCut: reply.end?.reason === "length" }
})

/** Takes the next step's number. */
export const begin = (
  running: Running,
  reserved: Pick<Entry.BodyOf<"StepStarted">, "reservedTokens" | "purpose">
): Effect.Effect<void, LeaseLost | StoreFailed> => {
  const model = running.model.name
  return Effect.flatMap(
    running.journal.append(({ step, turn }) => ({
      bodies: [{ _tag: "StepStarted", turn, step: step + 1, model, ...reserved }],
      durability: "Relaxed"
    })),
    () => running.channel.publish({ _tag: "StepStarted", ...place(running), model })
  )
}

/** The prompt as the journal now tells it. */
export const promptOf = (running: Running): Prompt => ({
  system: running.system,
  messages: running.journal.prompt.messages.slice(),
  tools: running.declarations(),
  ...bounds(running)
})

/** What is left of the budget bounds a reply. */
export const bounds = ({ budget, model }: Running): Pick<Prompt, "maxOutputTokens"> => {
  const maxOutputTokens = Budget.replyTokens(budget(), model.outputPerMillionUsd)
  return maxOutputTokens === null ? {} : { maxOutputTokens }
}

/** A reply on its way. */
export interface Receiving {
  readonly reply: Reply.State
  readonly reservedTokens: number
  readonly show: (part: ModelPart) => Effect.Effect<void>
}

/** Puts the model's stream together; one that does not come to its end is recorded as interrupted. */
export const receive = (
  running: Running,
  prompt: Prompt,
  { reply, reservedTokens, show }: Receiving
): Effect.Effect<void, ModelError | LeaseLost | StoreFailed> =>
  Effect.flatMap(
    Stream.runForEach(running.model.stream(prompt), (part) => {
      Reply.append(reply, part)
      return show(part)
    }),
    () => (reply.end === null ? Effect.fail(cut(running.model.name)) : Effect.void)
  ).pipe(
    Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : recordInterrupted(running, reply, reservedTokens)))
  )

const shown = (running: Running) => {
  const at = place(running)
  return (part: ModelPart): Effect.Effect<void> => {
    if (part._tag === "Text") return running.channel.publish({ _tag: "TextDelta", ...at, text: part.text })
    if (part._tag === "Reasoning") return running.channel.publish({ _tag: "ReasoningDelta", ...at, text: part.text })
    if (part._tag === "ToolCallStart") return Announced.begin(running, part.name)
    if (part._tag === "Notice") {
      return running.channel.publish({ _tag: "Notice", sessionId: at.sessionId, message: part.text })
    }
    return Effect.void
  }
}

const cut = (model: string) =>
  new ModelError({
    reason: "StreamCut",
    model,
    message: "the model's answer was cut off",
    hint: "nothing of it was run; try again",
    retryable: true,
    retryAfterMillis: null
  })

const record = (
  running: Running,
  reply: Pick<Entry.BodyOf<"ModelReplied">, "parts" | "usage" | "completion"> & {
    /** The turn ends here unless somebody steers. */
    readonly last: boolean
  }
) => {
  const at = place(running)
  const { completion, parts, usage } = reply
  return ActiveTime.take(running.activeTime).pipe(
    Effect.flatMap((activeMillis) =>
      running.journal.append({
        bodies: [{ _tag: "ModelReplied", turn: at.turn, step: at.step, completion, parts, usage, activeMillis }],
        projections: reply.last ? [{ _tag: "SessionState", sessionId: at.sessionId, state: "Suspended" }] : [],
        durability: reply.last ? "Full" : "Relaxed"
      })
    ),
    Effect.andThen(running.channel.publish({ _tag: "StepEnded", ...at, usage, completion }))
  )
}

/** The words so far stay; without a closing usage the reservation is what is known of the cost. */
const recordInterrupted = (running: Running, reply: Reply.State, reservedTokens: number) => {
  const characters = Reply.length(reply)
  return record(running, {
    parts: Reply.parts(reply, place(running)).filter(({ _tag }) => _tag === "Text"),
    usage:
      reply.end !== null
        ? usageOf(reply)
        : characters === 0
          ? nothing
          : {
              inputTokens: reservedTokens,
              cachedInputTokens: 0,
              outputTokens: Math.ceil(characters / Tokens.charactersPerToken),
              costUsd: running.model.priced ? null : 0
            },
    completion: "interrupted",
    last: true
  })
}

const nothing: Usage.Usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0 }

export const usageOf = ({ end }: Reply.State): Usage.Usage =>
  end === null
    ? nothing
    : {
        inputTokens: end.inputTokens,
        cachedInputTokens: end.cachedInputTokens,
        outputTokens: end.outputTokens,
        costUsd: end.costUsd
      }
