/** Converts a request of the AI SDK's `DefaultChatTransport` to a message or decisions for a conversation. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as ImageInput from "../ImageInput.ts"
import type { JournalPositions } from "../TurnEvent.ts"
import { transcript, type TurnInput } from "../TurnInput.ts"

const Approval = Schema.Struct({
  id: Schema.String,
  approved: Schema.optionalKey(Schema.Boolean),
  reason: Schema.optionalKey(Schema.NullOr(Schema.String))
})

const Part = Schema.Struct({
  type: Schema.String,
  text: Schema.optionalKey(Schema.String),
  url: Schema.optionalKey(Schema.String),
  toolCallId: Schema.optionalKey(Schema.String),
  state: Schema.optionalKey(Schema.String),
  approval: Schema.optionalKey(Approval)
})

const Message = Schema.Struct({
  id: Schema.NonEmptyString.check(Schema.isMaxLength(200)),
  role: Schema.Literals(["system", "user", "assistant"]),
  parts: Schema.Array(Part),
  metadata: Schema.optionalKey(Schema.Unknown)
})
type Message = typeof Message.Type

const Body = Schema.Struct({
  id: Schema.NonEmptyString.check(Schema.isMaxLength(200)),
  messages: Schema.NonEmptyArray(Message),
  trigger: Schema.optionalKey(Schema.Literals(["submit-message", "regenerate-message"])),
  messageId: Schema.optionalKey(Schema.NullOr(Schema.String))
})

const Metadata = Schema.Struct({ places: Schema.Record(Schema.String, Schema.Natural) })

export interface ChatRequest {
  readonly chatId: string
  readonly input: TurnInput
  /** The message that the reply continues; null: the reply begins a new one. */
  readonly continues: { readonly messageId: string; readonly calls: ReadonlySet<string> } | null
  /** The id of the user's message; null: there is none. */
  readonly userMessageId: string | null
}

/** The key of a message among all messages of the user. */
export const messageKey = (chatId: string, messageId: string): string => `ai-sdk:${chatId}:${messageId}`

/** The key of the conversation. */
export const conversationKey = (chatId: string): string => `ai-sdk:${chatId}`

/** Reads the request; the failure is a sentence for users. */
export const read = (body: unknown): Result.Result<ChatRequest, string> => {
  const decoded = Schema.decodeUnknownResult(Body)(body)
  if (Result.isFailure(decoded)) return Result.fail(`the request does not fit its schema: ${decoded.failure.message}`)
  const { id: chatId, messageId, messages, trigger } = decoded.success
  if (trigger === "regenerate-message") return Result.fail(appendOnly)
  const last = messages[messages.length - 1]
  // The transport names a user's message only if it replaces an earlier one.
  if (last.role === "user" && messageId === last.id) return Result.fail(appendOnly)
  const answers = messages.flatMap(answersOf)
  const positions = positionsOf(messages.findLast(({ role }) => role === "assistant"))
  if (last.role !== "user") {
    if (answers.length === 0)
      return Result.fail("the last message must be the user's, or contain a decision on an approval")
    const calls = new Set(last.parts.flatMap(({ toolCallId }) => toolCallId ?? []))
    return Result.succeed({
      chatId,
      input: { message: null, answers, positions },
      continues: { messageId: last.id, calls },
      userMessageId: null
    })
  }
  const files = last.parts.filter(({ type }) => type === "file").map(({ url }) => ImageInput.fromUrl(url ?? ""))
  const media = files.filter((file) => file !== null)
  if (media.length < files.length) return Result.fail(ImageInput.refusal)
  const text = textOf(last)
  if (text === "" && media.length === 0) return Result.fail("the message contains neither text nor an image")
  const before = transcript(messages.slice(0, -1).map((message) => ({ role: message.role, text: textOf(message) })))
  const message = { key: messageKey(chatId, last.id), text, media, before }
  return Result.succeed({ chatId, input: { message, answers, positions }, continues: null, userMessageId: last.id })
}

const appendOnly = "a session is append-only: send a new message instead of replacing or regenerating one"

const textOf = ({ parts }: Message): string =>
  parts.flatMap((part) => (part.type === "text" && part.text !== undefined ? [part.text] : [])).join("\n\n")

const answersOf = ({ parts, role }: Message): TurnInput["answers"] =>
  role !== "assistant"
    ? []
    : parts.flatMap(({ approval, state }) =>
        state === "approval-responded" && approval?.approved !== undefined
          ? [{ approvalId: approval.id, approved: approval.approved, reason: approval.reason ?? null }]
          : []
      )

const positionsOf = (message: Message | undefined): JournalPositions | null => {
  const decoded = Schema.decodeUnknownResult(Metadata)(message?.metadata)
  return Result.isSuccess(decoded) ? decoded.success.places : null
}
