/** One model call: reserve, stream, put the reply together, record it. */
import type { Entry, Message, Usage } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import { ModelError, type ModelPart, type Prompt } from "./Model.ts"
import * as Reply from "./Reply.ts"
import { place, type Running } from "./Running.ts"
import type { LeaseLost, StoreFailed } from "./SessionStore.ts"
import * as SystemPrompt from "./SystemPrompt.ts"

/** What the model said, as recorded. */
export interface Replied {
  readonly parts: ReadonlyArray<Message.ReplyPart>
  readonly calls: ReadonlyArray<Message.ToolCall>
  readonly usage: Usage.Usage
}

/** Asks the model for its next reply. A reply that was cut or interrupted is recorded as such and runs nothing. */
export const ask = Effect.fnUntraced(function* (
  running: Running
): Effect.fn.Return<Replied, ModelError | LeaseLost | StoreFailed> {
  const { journal, model } = running
  const prompt = promptOf(running)
  const reservedTokens = Math.ceil((prompt.system.length + journal.prompt.characters) / charactersPerToken)
  yield* journal.append((state) => ({
    bodies: [{ _tag: "StepStarted", turn: state.turn, step: state.step + 1, model: model.name, reservedTokens }],
    durability: "Relaxed"
  }))
  const at = place(running)
  yield* running.channel.publish({ _tag: "StepStarted", ...at, model: model.name })
  const reply = Reply.empty()
  yield* stream(running, prompt, reply).pipe(
    Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : recordInterrupted(running, reply, reservedTokens)))
  )
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
  return { parts, calls, usage }
})

/** The prompt as the journal now tells it. */
export const promptOf = ({ agent, journal, system, useTools }: Running): Prompt => ({
  system,
  messages: journal.prompt.messages.slice(),
  tools: SystemPrompt.declarations(agent, useTools, journal.state)
})

const stream = (running: Running, prompt: Prompt, reply: Reply.State): Effect.Effect<void, ModelError> => {
  const at = place(running)
  const take = (part: ModelPart): Effect.Effect<void> => {
    Reply.append(reply, part)
    if (part._tag === "Text") return running.channel.publish({ _tag: "TextDelta", ...at, text: part.text })
    if (part._tag === "Reasoning") return running.channel.publish({ _tag: "ReasoningDelta", ...at, text: part.text })
    return Effect.void
  }
  return Effect.flatMap(Stream.runForEach(running.model.stream(prompt), take), () =>
    reply.end === null ? Effect.fail(cut(running.model.name)) : Effect.void
  )
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
  return Effect.andThen(
    running.journal.append({
      bodies: [{ _tag: "ModelReplied", turn: at.turn, step: at.step, completion, parts, usage }],
      projections: reply.last ? [{ _tag: "SessionState", sessionId: at.sessionId, state: "Suspended" }] : [],
      durability: reply.last ? "Full" : "Relaxed"
    }),
    running.channel.publish({ _tag: "StepEnded", ...at, usage, completion })
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
              outputTokens: Math.ceil(characters / charactersPerToken),
              costUsd: running.model.priced ? null : 0
            },
    completion: "interrupted",
    last: true
  })
}

const nothing: Usage.Usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0 }

const usageOf = ({ end }: Reply.State): Usage.Usage =>
  end === null
    ? nothing
    : {
        inputTokens: end.inputTokens,
        cachedInputTokens: end.cachedInputTokens,
        outputTokens: end.outputTokens,
        costUsd: end.costUsd
      }

/** A rough count, from below for code and from above for prose; what providers report replaces it. */
const charactersPerToken = 4
