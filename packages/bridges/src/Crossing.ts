/**
 * A call that another framework makes. It is judged first, bound to the preview that a user was shown, and ends with a
 * result or with one of the four errors.
 */
import { type Message, ToolError } from "@bough/protocol"
import { type AnyOpenedPack, approveShown, type CallOptions, type EnvelopeOf, type Judgement } from "@bough/sdk"
import { type Tool, ToolSchema } from "@bough/tool"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** A call that has no result. `message` is for the model; `error` is one of the four ToolErrors. */
export class CallFailed extends Schema.TaggedError<CallFailed>()("CallFailed", {
  message: Schema.String,
  error: ToolError.ToolErrorData
}) {
  /** Frameworks show this text to the model. */
  override toString(): string {
    return `Error: ${this.message}`
  }
}

/** The result of a call. `output` is the JSON of the output's schema; `text` is for the model. */
export interface CrossedResult {
  readonly output: Schema.Json
  readonly text: string
  /** One sentence that describes the result to users. */
  readonly display: string
  readonly details?: string
  readonly media: ReadonlyArray<Message.Media>
}

/** The judgement that a user is shown. An approval covers only this judgement. */
export type PendingApproval = Extract<Judgement, { readonly decision: "ask" }>

export interface CrossedCall {
  readonly tool: Tool.Any
  readonly input: unknown
  /** The id that the framework gave the call. An approval cannot be bound to a preview without it. */
  readonly toolCallId?: string | undefined
}

export interface Crossing {
  /** Judges a call. `isNew`: the call is shown to a user, who has not decided yet. */
  readonly judge: (call: CrossedCall, isNew: boolean) => Promise<Judgement>
  /** Returns the judgement of a call that is pending approval. */
  readonly shown: (toolCallId: string) => PendingApproval | undefined
  /**
   * Runs a call. If the preview of the call was shown before, the framework has asked the user, and the approval covers
   * that preview.
   */
  readonly call: (call: CrossedCall, options?: CallOptions) => Promise<CrossedResult>
}

/** The maximum number of undecided calls; beyond it, the oldest calls are removed. */
const maxShown = 1_000

export const make = (opened: AnyOpenedPack): Crossing => {
  const waiting = new Map<string, PendingApproval>()
  return {
    judge: ({ input, tool, toolCallId }, isNew) =>
      opened.judge(tool.name, input).then((judgement) => {
        // The first preview is binding, because a framework judges an approved call again before it runs the call.
        if (judgement.decision === "ask" && isNew && toolCallId !== undefined && !waiting.has(toolCallId)) {
          waiting.set(toolCallId, judgement)
          for (const oldest of waiting.keys()) {
            if (waiting.size <= maxShown) break
            waiting.delete(oldest)
          }
        }
        return judgement
      }),
    shown: (toolCallId) => waiting.get(toolCallId),
    call: ({ input, tool, toolCallId }, options = {}) => {
      const asked = toolCallId === undefined ? undefined : waiting.get(toolCallId)
      // An approval covers one call.
      if (toolCallId !== undefined) waiting.delete(toolCallId)
      return opened
        .call(tool.name, input, asked === undefined ? options : { ...options, approve: approveShown(asked.digest) })
        .then((envelope) => toResult(tool, envelope))
    }
  }
}

const toResult = (tool: Tool.Any, envelope: EnvelopeOf<unknown>): CrossedResult => {
  switch (envelope.status) {
    case "success": {
      const { details, display, media = [], output, text } = envelope.result
      return { output: jsonOf(tool, output, text), text, display, ...(details === undefined ? {} : { details }), media }
    }
    case "error":
      throw failed(envelope.error)
    case "rejected": {
      const { reason, userMessage } = envelope
      throw failed({
        _tag: "PermissionDenied",
        tier: tool.tier,
        reason,
        ...(userMessage === undefined ? {} : { userMessage })
      })
    }
  }
}

const failed = (error: ToolError.ToolErrorData): CallFailed => new CallFailed({ message: textOf(error), error })

/** Returns the text of an error for the model, including the issues of each argument. */
export const textOf = (error: ToolError.ToolErrorData): string => {
  const description = ToolError.describe(error)
  const issues = error._tag === "ValidationError" ? error.issues : []
  return [
    description,
    ...issues
      .filter(({ message }) => !description.includes(message))
      .map(({ message, path }) => (path === "" ? `- ${message}` : `- ${path}: ${message}`))
  ].join("\n")
}

const jsonOf = (tool: Tool.Any, output: unknown, text: string): Schema.Json => {
  const codec = Schema.toCodecJson(tool.output as Schema.Codec<unknown, unknown>)
  return Result.getOrElse(Schema.encodeUnknownResult(codec)(ToolSchema.ownFields(tool.output)(output)), () => text)
}

/** Returns the reason and the preview for a user. */
export const approvalText = ({ preview, reason }: Pick<PendingApproval, "preview" | "reason">): string =>
  `${reason}\n${preview}`
