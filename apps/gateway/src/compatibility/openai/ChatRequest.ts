/** Translates a request for a chat completion into a request to a conversation. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { ChatMessage } from "../TurnInput.ts"
import * as OpenAiError from "./OpenAiError.ts"
import * as Parameters from "./Parameters.ts"
import * as RequestReader from "./RequestReader.ts"

const Part = Schema.Struct({
  type: Schema.String,
  text: Schema.optionalKey(Schema.String),
  refusal: Schema.optionalKey(Schema.String),
  image_url: Schema.optionalKey(Schema.Struct({ url: Schema.String }))
})

const Message = Schema.Struct({
  role: Schema.Literals(["system", "developer", "user", "assistant", "tool", "function"]),
  content: Schema.optionalKey(Schema.NullOr(Schema.Union([Schema.String, Schema.Array(Part)])))
})
type Message = typeof Message.Type

const Body = Schema.Struct({
  model: Schema.NonEmptyString,
  messages: Schema.NonEmptyArray(Message),
  stream: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  stream_options: Schema.optionalKey(
    Schema.NullOr(Schema.Struct({ include_usage: Schema.optionalKey(Schema.NullOr(Schema.Boolean)) }))
  )
})

export interface ChatRequest {
  readonly model: string
  readonly isStreamed: boolean
  readonly includesUsage: boolean
  readonly instructions: ReadonlyArray<string>
  readonly history: ReadonlyArray<ChatMessage>
  /** The user's messages after the last answer. */
  readonly content: RequestReader.Content
}

export const read = (body: unknown): RequestReader.ReadResult<ChatRequest> =>
  Result.flatMap(RequestReader.decode(Body, body), ({ messages, model, stream, stream_options }) => {
    const refusal = Parameters.refuseChat(body as Readonly<Record<string, unknown>>)
    if (refusal !== null) return Result.fail(refusal)
    const tool = messages.findIndex(({ role }) => role === "tool" || role === "function")
    if (tool !== -1)
      return Result.fail(
        OpenAiError.unsupported(`messages[${tool}].role`, "the agent runs its own tools, not the client's")
      )
    const contents = RequestReader.all(messages.map(contentOf))
    return Result.flatMap(contents, (read): RequestReader.ReadResult<ChatRequest> => {
      const allMessages = messages.map(({ role }, index) => ({ role, ...read[index] }))
      const last = allMessages.findLastIndex(({ role }) => role === "assistant")
      const now = allMessages.slice(last + 1).filter((one) => one.role === "user" && !RequestReader.isBlank(one))
      if (now.length === 0)
        return Result.fail(OpenAiError.invalid("messages", "the last message must be a user's, of text or images"))
      return Result.succeed({
        model,
        isStreamed: stream === true,
        includesUsage: stream_options?.include_usage === true,
        instructions: allMessages.flatMap(({ role, text }) =>
          role === "system" || role === "developer" ? [text] : []
        ),
        history: allMessages
          .slice(0, last + 1)
          .flatMap(({ role, text }) => (role === "user" || role === "assistant" ? [{ role, text }] : [])),
        content: { text: now.map(({ text }) => text).join("\n\n"), media: now.flatMap(({ media }) => media) }
      })
    })
  })

const contentOf = ({ content }: Message, index: number): RequestReader.ReadResult<RequestReader.Content> => {
  if (content === undefined || content === null) return Result.succeed({ text: "", media: [] })
  if (typeof content === "string") return Result.succeed({ text: content, media: [] })
  const parts = content.map((part, at): RequestReader.ReadResult<RequestReader.Content> => {
    const param = `messages[${index}].content[${at}]`
    if (part.type === "text" || part.type === "refusal")
      return Result.succeed({ text: part.text ?? part.refusal ?? "", media: [] })
    if (part.type !== "image_url" || part.image_url === undefined) {
      return Result.fail(OpenAiError.unsupported(`${param}.type`, "a message can contain only text and images"))
    }
    return Result.map(RequestReader.image(part.image_url.url, `${param}.image_url.url`), (media) => ({
      text: "",
      media: [media]
    }))
  })
  return Result.map(RequestReader.all(parts), RequestReader.join)
}
