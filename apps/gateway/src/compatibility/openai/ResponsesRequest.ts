/** Translates a request for a response into a request to a conversation. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { ApprovalAnswer, ChatMessage } from "../TurnInput.ts"
import * as OpenAiError from "./OpenAiError.ts"
import * as Parameters from "./Parameters.ts"
import * as RequestReader from "./RequestReader.ts"
import * as ResponseId from "./ResponseId.ts"

const Part = Schema.Struct({
  type: Schema.String,
  text: Schema.optionalKey(Schema.String),
  refusal: Schema.optionalKey(Schema.String),
  image_url: Schema.optionalKey(Schema.NullOr(Schema.String))
})

const Item = Schema.Struct({
  id: Schema.optionalKey(Schema.NullOr(Schema.String)),
  type: Schema.optionalKey(Schema.String),
  role: Schema.optionalKey(Schema.Literals(["user", "assistant", "system", "developer"])),
  content: Schema.optionalKey(Schema.NullOr(Schema.Union([Schema.String, Schema.Array(Part)]))),
  approval_request_id: Schema.optionalKey(Schema.NullOr(Schema.String)),
  approve: Schema.optionalKey(Schema.Boolean),
  reason: Schema.optionalKey(Schema.NullOr(Schema.String))
})
type Item = typeof Item.Type

const Body = Schema.Struct({
  model: Schema.NonEmptyString,
  input: Schema.Union([Schema.String, Schema.Array(Item)]),
  instructions: Schema.optionalKey(Schema.NullOr(Schema.String)),
  previous_response_id: Schema.optionalKey(Schema.NullOr(Schema.String)),
  metadata: Schema.optionalKey(Schema.NullOr(Schema.Record(Schema.String, Schema.String))),
  stream: Schema.optionalKey(Schema.NullOr(Schema.Boolean))
})

export interface ResponsesRequest {
  readonly model: string
  readonly isStreamed: boolean
  readonly previousResponseId: string | null
  /** The response that the input continues by a reference to one of its items. */
  readonly referred: ReferredResponse | null
  readonly metadata: Readonly<Record<string, string>>
  readonly instructions: ReadonlyArray<string>
  readonly history: ReadonlyArray<ChatMessage>
  /** Null: it contains only approvals. */
  readonly content: RequestReader.Content | null
  readonly answers: ReadonlyArray<ApprovalAnswer>
}

export interface ReferredResponse {
  readonly responseId: string
  /** The parameter that names it. */
  readonly param: string
}

/** Items of earlier responses, which a client that stores the conversation itself sends along. */
const ignoredTypes: ReadonlySet<string> = new Set(["reasoning", "mcp_call", "mcp_list_tools", "mcp_approval_request"])

type InputItem =
  | { readonly _tag: "Said"; readonly role: NonNullable<Item["role"]>; readonly content: RequestReader.Content }
  | { readonly _tag: "Answer"; readonly answer: ApprovalAnswer }
  | { readonly _tag: "Reference"; readonly itemId: string; readonly param: string }
  | { readonly _tag: "Told" }

export const read = (body: unknown): RequestReader.ReadResult<ResponsesRequest> =>
  Result.flatMap(RequestReader.decode(Body, body), (decoded) => {
    const refusal = Parameters.refuseResponses(body as Readonly<Record<string, unknown>>)
    if (refusal !== null) return Result.fail(refusal)
    const items: ReadonlyArray<Item> =
      typeof decoded.input === "string" ? [{ role: "user", content: decoded.input }] : decoded.input
    return Result.flatMap(
      RequestReader.all(items.map(readItem)),
      (allReads): RequestReader.ReadResult<ResponsesRequest> => {
        const reference = findReference(allReads)
        // The session of the referred response has all that comes before the reference.
        const reads = allReads.slice(reference === null ? 0 : reference.index + 1)
        const messages = reads.flatMap((each) => (each._tag === "Said" ? [each] : []))
        const last = messages.findLastIndex(({ role }) => role === "assistant")
        const now = messages
          .slice(last + 1)
          .flatMap(({ content, role }) => (role === "user" && !RequestReader.isBlank(content) ? [content] : []))
        const answers = reads.flatMap((each) => (each._tag === "Answer" ? [each.answer] : []))
        const unknown = reads.find((each) => each._tag === "Reference")
        if (unknown !== undefined && reference === null && answers.length === 0 && !decoded.previous_response_id) {
          return Result.fail(OpenAiError.notFound(unknown.param, `there is no item ${JSON.stringify(unknown.itemId)}`))
        }
        if (now.length === 0 && answers.length === 0) {
          return Result.fail(
            OpenAiError.invalid(
              "input",
              "the input ends with a user's message of text or images, or has an mcp_approval_response"
            )
          )
        }
        return Result.succeed({
          model: decoded.model,
          isStreamed: decoded.stream === true,
          previousResponseId: decoded.previous_response_id ?? null,
          referred: reference?.referred ?? null,
          metadata: decoded.metadata ?? {},
          instructions: [
            ...(decoded.instructions === undefined || decoded.instructions === null || decoded.instructions === ""
              ? []
              : [decoded.instructions]),
            ...messages.flatMap(({ content, role }) =>
              role === "system" || role === "developer" ? [content.text] : []
            )
          ],
          history: messages
            .slice(0, last + 1)
            .flatMap(({ content, role }) =>
              role === "user" || role === "assistant" ? [{ role, text: content.text }] : []
            ),
          content:
            now.length === 0
              ? null
              : { text: now.map(({ text }) => text).join("\n\n"), media: now.flatMap(({ media }) => media) },
          answers
        })
      }
    )
  })

/** Finds the newest reference to an item of a response; an approval's item names none. */
const findReference = (
  reads: ReadonlyArray<InputItem>
): { readonly index: number; readonly referred: ReferredResponse } | null => {
  for (const [index, each] of Array.from(reads.entries()).toReversed()) {
    const responseId = each._tag === "Reference" ? ResponseId.fromItem(each.itemId) : null
    if (each._tag === "Reference" && responseId !== null) return { index, referred: { responseId, param: each.param } }
  }
  return null
}

const readItem = (item: Item, index: number): RequestReader.ReadResult<InputItem> => {
  const { approval_request_id: approvalId, approve: approved, id, reason = null, role, type = "message" } = item
  if (type === "mcp_approval_response") {
    return approvalId === undefined || approvalId === null || approved === undefined
      ? Result.fail(
          OpenAiError.invalid(`input[${index}]`, "an mcp_approval_response has approval_request_id and approve")
        )
      : Result.succeed({ _tag: "Answer", answer: { approvalId, approved, reason } })
  }
  if (type === "item_reference") {
    return id === undefined || id === null
      ? Result.fail(OpenAiError.invalid(`input[${index}]`, "an item_reference has an id"))
      : Result.succeed({ _tag: "Reference", itemId: id, param: `input[${index}].id` })
  }
  if (ignoredTypes.has(type)) return Result.succeed({ _tag: "Told" })
  if (type !== "message" || role === undefined) {
    return Result.fail(
      OpenAiError.unsupported(`input[${index}].type`, "the input is messages, item_reference and mcp_approval_response")
    )
  }
  return Result.map(contentOf(item, index), (content) => ({ _tag: "Said", role, content }))
}

const contentOf = ({ content }: Item, index: number): RequestReader.ReadResult<RequestReader.Content> => {
  if (content === undefined || content === null) return Result.succeed({ text: "", media: [] })
  if (typeof content === "string") return Result.succeed({ text: content, media: [] })
  const parts = content.map((part, at): RequestReader.ReadResult<RequestReader.Content> => {
    const param = `input[${index}].content[${at}]`
    if (part.text !== undefined || part.refusal !== undefined) {
      return Result.succeed({ text: part.text ?? part.refusal ?? "", media: [] })
    }
    if (part.type !== "input_image" || part.image_url === undefined || part.image_url === null) {
      return Result.fail(
        OpenAiError.unsupported(`${param}.type`, "a message can contain only text and images with an image_url")
      )
    }
    return Result.map(RequestReader.image(part.image_url, `${param}.image_url`), (media) => ({
      text: "",
      media: [media]
    }))
  })
  return Result.map(RequestReader.all(parts), RequestReader.join)
}
