/** The result of a call for another framework, or the one error that such a call fails with. */
import { type Message, ToolError } from "@bough/protocol"
import type { EnvelopeOf } from "@bough/sdk"
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

/** An output in parts, for frameworks with preliminary results: lines of progress, then the result. */
export type CrossedUpdate =
  | { readonly status: "running"; readonly progress: string }
  | ({ readonly status: "success" } & CrossedResult)

export const fromEnvelope = (tool: Tool.Any, envelope: EnvelopeOf<unknown>): CrossedResult => {
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
const textOf = (error: ToolError.ToolErrorData): string => {
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
