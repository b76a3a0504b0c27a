/** Translates AG-UI's `RunAgentInput` into a request to a conversation. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as ImageInput from "../ImageInput.ts"
import type { JournalPositions } from "../TurnEvent.ts"
import { type ApprovalAnswer, transcript, type TurnInput } from "../TurnInput.ts"
import { stateKey } from "./AgUiEvents.ts"

const Id = Schema.NonEmptyString.check(Schema.isMaxLength(200))

const Part = Schema.Struct({
  type: Schema.String,
  text: Schema.optionalKey(Schema.String),
  source: Schema.optionalKey(
    Schema.Struct({ type: Schema.String, value: Schema.String, mimeType: Schema.optionalKey(Schema.String) })
  )
})

const Message = Schema.Struct({
  id: Id,
  role: Schema.String,
  content: Schema.optionalKey(
    Schema.Union([Schema.String, Schema.Array(Part), Schema.Record(Schema.String, Schema.Unknown)])
  ),
  toolCalls: Schema.optionalKey(Schema.Array(Schema.Struct({ id: Schema.String })))
})
type Message = typeof Message.Type

const Resume = Schema.Struct({
  interruptId: Schema.String,
  status: Schema.Literals(["resolved", "cancelled"]),
  payload: Schema.optionalKey(Schema.Unknown)
})

const Body = Schema.Struct({
  threadId: Id,
  runId: Id,
  state: Schema.optionalKey(Schema.Unknown),
  messages: Schema.Array(Message),
  tools: Schema.Array(Schema.Struct({ name: Schema.String })),
  context: Schema.Array(Schema.Struct({ description: Schema.String, value: Schema.String })),
  resume: Schema.optionalKey(Schema.Array(Resume))
})

const Payload = Schema.Struct({ approved: Schema.Boolean, reason: Schema.optionalKey(Schema.NullOr(Schema.String)) })
const State = Schema.Struct({ [stateKey]: Schema.Struct({ places: Schema.Record(Schema.String, Schema.Natural) }) })

export interface RunInput {
  readonly threadId: string
  readonly runId: string
  readonly state: unknown
  readonly input: TurnInput
  /** The calls that the client's messages contain. */
  readonly calls: ReadonlySet<string>
  /** Tools of the front end, which the agent does not use. */
  readonly tools: ReadonlyArray<string>
}

/** The key of the conversation. */
export const conversationKey = (threadId: string): string => `ag-ui:${threadId}`

/** Reads the input; the failure is a sentence for users. */
export const read = (body: unknown): Result.Result<RunInput, string> => {
  const decoded = Schema.decodeUnknownResult(Body)(body)
  if (Result.isFailure(decoded)) return Result.fail(`the input does not fit its schema: ${decoded.failure.message}`)
  const { context, messages, resume = [], runId, state, threadId, tools } = decoded.success
  const answers: Array<ApprovalAnswer> = []
  for (const entry of resume) {
    const answer = answerOf(entry)
    if (answer === null)
      return Result.fail(`the payload for ${entry.interruptId} is { approved: boolean, reason?: string }`)
    answers.push(answer)
  }
  // A resumed run answers approvals; the messages before it were answered already.
  const last = messages.findLastIndex(({ role }) => role !== "user")
  const newMessages = messages.slice(last + 1)
  const contents = newMessages.map(contentOf)
  const media = contents.flatMap((content) => content?.media ?? [])
  if (contents.includes(null)) return Result.fail(ImageInput.refusal)
  const words = contents.flatMap((content) => (content === null || content.text === "" ? [] : [content.text]))
  if (words.length === 0 && media.length === 0 && answers.length === 0)
    return Result.fail("the last message must be the user's")
  const text = [...words, ...context.map(({ description, value }) => `${description}: ${value}`)].join("\n\n")
  const before = transcript(
    messages.slice(0, last + 1).map((message) => ({ role: message.role, text: contentOf(message)?.text ?? "" }))
  )
  const key = newMessages.at(-1)?.id
  const message =
    key === undefined || (words.length === 0 && media.length === 0)
      ? null
      : { key: `${conversationKey(threadId)}:${key}`, text, media, before }
  return Result.succeed({
    threadId,
    runId,
    state,
    input: { message, answers, positions: positionsOf(state) },
    calls: new Set(messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id))),
    tools: tools.map(({ name }) => name)
  })
}

/** Null: the payload is not a decision. */
const answerOf = ({ interruptId: approvalId, payload, status }: typeof Resume.Type): ApprovalAnswer | null => {
  if (status === "cancelled") return { approvalId, approved: false, reason: null }
  const decoded = Schema.decodeUnknownResult(Payload)(payload)
  return Result.isFailure(decoded)
    ? null
    : { approvalId, approved: decoded.success.approved, reason: decoded.success.reason ?? null }
}

/** Null: it contains a part that is neither text nor an image. */
const contentOf = ({ content }: Message) => {
  if (content === undefined || !(typeof content === "string" || Array.isArray(content))) return null
  if (typeof content === "string") return { text: content, media: [] }
  const media = content.flatMap((part: typeof Part.Type) =>
    part.type === "text" ? [] : [ImageInput.fromUrl(part.type === "image" ? urlOf(part) : "")]
  )
  const found = media.filter((each) => each !== null)
  if (found.length < media.length) return null
  return { text: content.flatMap((part: typeof Part.Type) => part.text ?? []).join("\n"), media: found }
}

const urlOf = ({ source }: typeof Part.Type): string => {
  if (source === undefined) return ""
  return source.type === "data" ? `data:${source.mimeType ?? ""};base64,${source.value}` : source.value
}

const positionsOf = (state: unknown): JournalPositions | null => {
  const decoded = Schema.decodeUnknownResult(State)(state)
  return Result.isSuccess(decoded) ? decoded.success[stateKey].places : null
}
