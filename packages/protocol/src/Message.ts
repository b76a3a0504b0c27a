/** The parts of messages, in the form of the journal and of the model port. */
import * as Schema from "effect/Schema"
import { ToolCallId } from "./Session.ts"

/** An image: base64 data of the given media type. */
export const Media = Schema.Struct({ mediaType: Schema.String, data: Schema.String })
export type Media = typeof Media.Type

/**
 * One part of a model's reply. `arguments` is the raw text of the model, which only the dispatcher decodes;
 * `providerCallId` is the provider's own id, which is sent back to it. `signature` is returned to the provider with its
 * reasoning, or with a call.
 */
export const ReplyPart = Schema.TaggedUnion({
  Text: { text: Schema.String },
  Reasoning: { text: Schema.String, signature: Schema.optionalKey(Schema.String) },
  ToolCall: {
    toolCallId: ToolCallId,
    providerCallId: Schema.String,
    name: Schema.String,
    arguments: Schema.String,
    /** True if the model wrote a known secret, which is removed from `arguments`: the call is refused. */
    redacted: Schema.optionalKey(Schema.Boolean),
    signature: Schema.optionalKey(Schema.String)
  }
})
export type ReplyPart = typeof ReplyPart.Type
export type ToolCall = Extract<ReplyPart, { readonly _tag: "ToolCall" }>
