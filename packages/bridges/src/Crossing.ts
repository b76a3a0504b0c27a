/**
 * A call that enters Bough from another framework: judged first, bound to the preview that a user was shown, and ended
 * as a result or as one of the four errors.
 */
import { type Message, ToolError } from "@bough/protocol"
import { type AnyOpenedPack, approveShown, type CallOptions, type EnvelopeOf, type Judgement } from "@bough/sdk"
import { type Tool, ToolSchema } from "@bough/tool"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** A call that gave no result. `message` is for the model; `error` is one of the four ToolErrors. */
export class CallFailed extends Schema.TaggedError<CallFailed>()("CallFailed", {
  message: Schema.String,
  error: ToolError.ToolErrorData
}) {
  /** Frameworks show a model this text. */
  override toString(): string {
    return `Error: ${this.message}`
  }
}

/** The end of a call that succeeded. `output` is the JSON of the output's schema; `text` is for the model. */
export interface CrossedResult {
  readonly output: Schema.Json
  readonly text: string
  /** One sentence for users. */
  readonly display: string
  readonly details?: string
  readonly media: ReadonlyArray<Message.Media>
}

/** The judgement that a user is shown; an approval covers nothing else. */
export type PendingApproval = Extract<Judgement, { readonly decision: "ask" }>

export interface CrossedCall {
  readonly tool: Tool.Any
  readonly input: unknown
  /** The framework's id of the call; without one, its approval cannot be bound to a preview. */
  readonly toolCallId?: string | undefined
}

export interface Crossing {
  /** Judges a call. `isNew`: it is being shown to a user, who has not decided yet. */
  readonly judge: (call: CrossedCall, isNew: boolean) => Promise<Judgement>
  /** Returns the judgement of a call that is pending approval. */
  readonly shown: (toolCallId: string) => PendingApproval | undefined
  /** Runs a call. If it was shown before, the framework got it approved, and the approval covers that preview. */
  readonly call: (call: CrossedCall, options?: CallOptions) => Promise<CrossedResult>
}

/** Undecided calls beyond this number are forgotten, the oldest first. */
const maxShown = 1_000

export const make = (opened: AnyOpenedPack): Crossing => {
  const waiting = new Map<string, PendingApproval>()
  return {
    judge: ({ input, tool, toolCallId }, isNew) =>
      opened.judge(tool.name, input).then((judgement) => {
        // The first preview counts: a framework judges an approved call again before it runs it.
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

/** The error as the model reads it, with the issues of each argument. */
export const textOf = (error: ToolError.ToolErrorData): string => {
  const said = ToolError.describe(error)
  const issues = error._tag === "ValidationError" ? error.issues : []
  return [
    said,
    ...issues
      .filter(({ message }) => !said.includes(message))
      .map(({ message, path }) => (path === "" ? `- ${message}` : `- ${path}: ${message}`))
  ].join("\n")
}

const jsonOf = (tool: Tool.Any, output: unknown, text: string): Schema.Json => {
  const codec = Schema.toCodecJson(tool.output as Schema.Codec<unknown, unknown>)
  return Result.getOrElse(Schema.encodeUnknownResult(codec)(ToolSchema.ownFields(tool.output)(output)), () => text)
}

/** The reason and the preview, for a user. */
export const approvalText = ({ preview, reason }: Pick<PendingApproval, "preview" | "reason">): string =>
  `${reason}\n${preview}`
