/**
 * Requests of a tool to a model of its session. The model reads the tool's messages alone, and the usage counts for the
 * session: adr/0140-sampling-by-tools.md.
 */
import type { ToolError } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

export interface SamplingMessage {
  readonly role: "user" | "assistant"
  readonly text: string
}

export interface SamplingRequest {
  /** The author of the messages, for users, such as `MCP server tickets`. */
  readonly requester: string
  /** The system prompt; may be empty. */
  readonly system: string
  readonly messages: ReadonlyArray<SamplingMessage>
  /** The maximum number of tokens of the answer, reasoning included. */
  readonly maxTokens: number
  /** `provider/model`; absent: the session's own model. */
  readonly model?: string
}

export interface SamplingReply {
  readonly text: string
  /** The name of the model that answered. */
  readonly model: string
  /** `length`: the answer reached `maxTokens`, or a limit of the session. */
  readonly reason: "stop" | "length" | "other"
}

export class Sampling extends Context.Service<
  Sampling,
  {
    /**
     * Asks the model once, without tools. The request and the answer are recorded and shown to users. ExecutionError:
     * the messages are too long, the remaining budget does not cover them, or the model does not answer.
     */
    readonly ask: (request: SamplingRequest) => Effect.Effect<SamplingReply, ToolError.ToolError>
  }
>()("@bough/tool/Sampling") {
  static readonly floor = "Workspace"
}
