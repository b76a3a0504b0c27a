/**
 * The model port: a prompt and tool declarations in, a stream of parts out. It is small, so that a provider needs only
 * one adapter: adr/0004-model-port.md.
 */
import type { Message, Session } from "@bough/protocol"
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"

/** One message of the prompt, oldest first. A `ToolResult` answers the call of the same id in an earlier `Assistant`. */
export type PromptMessage =
  | { readonly _tag: "User"; readonly text: string; readonly media: ReadonlyArray<Message.Media> }
  | { readonly _tag: "Assistant"; readonly parts: ReadonlyArray<Message.ReplyPart> }
  | {
      readonly _tag: "ToolResult"
      readonly toolCallId: Session.ToolCallId
      readonly providerCallId: string
      readonly name: string
      /** The text that the model reads: JSON, or a sentence for an error. */
      readonly output: string
      readonly isError: boolean
      readonly media: ReadonlyArray<Message.Media>
    }

/** `parameters` is JSON Schema, draft-07, without `$ref`s. */
export interface ToolDeclaration {
  readonly name: string
  readonly description: string
  readonly parameters: Readonly<Record<string, unknown>>
  /**
   * The call whose result declares the tool. While the result is in the prompt, an adapter may declare the tool there,
   * which leaves the cached prefix of the prompt unchanged. Absent: the tool is declared from the start.
   */
  readonly declaredBy?: Session.ToolCallId
}

export interface Prompt {
  readonly system: string
  readonly messages: ReadonlyArray<PromptMessage>
  readonly tools: ReadonlyArray<ToolDeclaration>
  /**
   * A key that is equal for requests with the same prefix, with which a provider finds its cache of that prefix;
   * absent: there is no key.
   */
  readonly cacheKey?: string
  /** The maximum number of tokens of the reply, reasoning included; absent: the provider's own limit. */
  readonly maxOutputTokens?: number
}

/**
 * The parts of a reply, in order. Fragments of several calls may alternate; `callId`, the provider's id, identifies the
 * call. A stream that ends without `End` was cut off, and none of its calls may run. After `length` or `filtered` a
 * call may lack the rest of its arguments: they are then malformed JSON, never empty. A `signature` closes its block of
 * reasoning, or comes with the last fragment of a call. Unknown counts are 0.
 */
export type ModelPart =
  /** A notice for users that is not part of the reply, such as an option that the provider ignores. */
  | { readonly _tag: "Notice"; readonly text: string }
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "Reasoning"; readonly text: string; readonly signature?: string }
  | { readonly _tag: "ToolCallStart"; readonly callId: string; readonly name: string }
  | { readonly _tag: "ToolCallArguments"; readonly callId: string; readonly text: string; readonly signature?: string }
  | {
      readonly _tag: "End"
      readonly reason: "stop" | "toolCalls" | "length" | "filtered" | "other"
      readonly inputTokens: number
      readonly cachedInputTokens: number
      readonly outputTokens: number
      /** Null: the price is not known. */
      readonly costUsd: number | null
    }

/** The reason why a model did not answer, with the next step for the user. */
export const ModelFailure = Schema.Literals([
  "MissingKey",
  "Refused", // the key is wrong, or has no permission for this
  "UnknownProvider", // no provider has the name before the slash
  "UnknownModel",
  "Unreachable",
  "RateLimited",
  "ServerFailed",
  "StreamCut",
  "BadResponse",
  "TooLong",
  "Unsupported",
  "ScriptMismatch" // a scripted or recorded model received another prompt than expected
])
export type ModelFailure = typeof ModelFailure.Type

/**
 * A failure of a model. `message` is one line, `hint` the next step for the user; `retryAfterMillis` is the pause that
 * the provider asks for, null if it asks for none.
 */
export class ModelError extends Schema.TaggedError<ModelError>()("ModelError", {
  reason: ModelFailure,
  model: Schema.String,
  message: Schema.String,
  hint: Schema.String,
  retryable: Schema.Boolean,
  retryAfterMillis: Schema.NullOr(Schema.Finite)
}) {}

export class Model extends Context.Service<
  Model,
  {
    /** `provider/model`. */
    readonly name: string
    /** The size of the window in tokens; null: not known. */
    readonly contextTokens: number | null
    /** True if `End` reports a cost. */
    readonly priced: boolean
    /** The highest price of a million prompt tokens in US dollars; absent: not known. */
    readonly inputPerMillionUsd?: number
    /** The same price for reply tokens. */
    readonly outputPerMillionUsd?: number
    /** True for a program that replies without tokens: such a model reports no counts. */
    readonly usesNoTokens?: true
    /**
     * Returns the milliseconds to wait before a failed reply is requested again; null: it is not. Absent: failed
     * replies are never requested again. `before`: retries so far; `random`: from 0 to 1.
     */
    readonly retryPause?: (error: ModelError, before: number, random: number) => number | null
    /** Streams one reply. Interrupting it closes the connection. */
    readonly stream: (prompt: Prompt) => Stream.Stream<ModelPart, ModelError>
  }
>()("@bough/runtime/ports/Model") {}
