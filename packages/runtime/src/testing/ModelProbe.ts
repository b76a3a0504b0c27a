/** Prompts for a model in tests, and the results. */
import type { Message } from "@bough/protocol"
import { Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as Model from "../ports/Model.ts"

export const prompt = (
  messages: string | ReadonlyArray<Model.PromptMessage>,
  tools: ReadonlyArray<string> = []
): Model.Prompt => ({
  system: "be brief",
  messages: typeof messages === "string" ? [user(messages)] : messages,
  tools: tools.map((name) => ({
    name,
    description: `does ${name}`,
    parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] }
  }))
})

export const user = (text: string, media: ReadonlyArray<Message.Media> = []): Model.PromptMessage => ({
  _tag: "User",
  text,
  media
})

export const assistant = (...parts: ReadonlyArray<Message.ReplyPart>): Model.PromptMessage => ({
  _tag: "Assistant",
  parts
})

export const toolCall = (id: string, name: string, args: unknown): Message.ToolCall => ({
  _tag: "ToolCall",
  toolCallId: Session.ToolCallId.make(id),
  providerCallId: id,
  name,
  arguments: typeof args === "string" ? args : JSON.stringify(args)
})

export const toolResult = (
  id: string,
  name: string,
  output: unknown
): Extract<Model.PromptMessage, { _tag: "ToolResult" }> => ({
  _tag: "ToolResult",
  toolCallId: Session.ToolCallId.make(id),
  providerCallId: id,
  name,
  output: typeof output === "string" ? output : JSON.stringify(output),
  isError: false,
  media: []
})

export const toolError = (id: string, name: string, error: unknown): Model.PromptMessage => ({
  ...toolResult(id, name, error),
  isError: true
})

export interface Reply {
  readonly parts: ReadonlyArray<Model.ModelPart>
  readonly error: Model.ModelError | null
}

/** Everything that the model streamed, and its failure if it failed. */
export const ask = (model: Model.Model["Service"], prompt: Model.Prompt): Effect.Effect<Reply> =>
  Effect.suspend(() => {
    const parts: Array<Model.ModelPart> = []
    return model.stream(prompt).pipe(
      Stream.runForEach((part) => Effect.sync(() => parts.push(part))),
      Effect.matchEffect({
        onFailure: (error) => Effect.succeed({ parts, error }),
        onSuccess: () => Effect.succeed({ parts, error: null })
      })
    )
  })

export const text = ({ parts }: Reply): string => parts.map((part) => (part._tag === "Text" ? part.text : "")).join("")

export const reasoning = ({ parts }: Reply): string =>
  parts.map((part) => (part._tag === "Reasoning" ? part.text : "")).join("")

/** Calls put together from their fragments, in the order in which they started. */
export const calls = ({ parts }: Reply): ReadonlyArray<{ id: string; name: string; arguments: string }> =>
  parts.flatMap((start) =>
    start._tag === "ToolCallStart"
      ? [
          {
            id: start.callId,
            name: start.name,
            arguments: parts
              .map((part) => (part._tag === "ToolCallArguments" && part.callId === start.callId ? part.text : ""))
              .join("")
          }
        ]
      : []
  )

export const end = ({ parts }: Reply): Extract<Model.ModelPart, { _tag: "End" }> | undefined =>
  parts.find((part) => part._tag === "End")
