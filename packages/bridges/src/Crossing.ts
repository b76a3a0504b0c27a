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

/** An output in parts, for frameworks with preliminary results: lines of progress, then the result. */
export type CrossedUpdate =
  | { readonly status: "running"; readonly progress: string }
  | ({ readonly status: "success" } & CrossedResult)

export const running = (progress: string): CrossedUpdate => ({ status: "running", progress })

export const ended = (result: CrossedResult): CrossedUpdate => ({ status: "success", ...result })

/** The judgement that a user is shown. An approval covers only this judgement. */
export type PendingApproval = Extract<Judgement, { readonly decision: "ask" }>

export interface CrossedCall {
  readonly input: unknown
  /** The id that the framework gave the call. An approval cannot be bound to a preview without it. */
  readonly id?: string | undefined
}

export interface CrossedOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((message: string) => void) | undefined
}

/** A tool of the pack, in the form that frameworks take. */
export interface CrossedTool {
  readonly name: string
  readonly description: string
  readonly declaration: Tool.Any
  /** The JSON Schema of the arguments, draft-07. Each framework has its own type for it. */
  readonly schema: never
  /** Judges a call. `isNew`: the call is shown to a user, who has not decided yet. */
  readonly judge: (call: CrossedCall, isNew: boolean) => Promise<Judgement>
  /** Judges a call in the same way; true: it requires an approval. */
  readonly asks: (call: CrossedCall, isNew: boolean) => Promise<boolean>
  /**
   * Runs a call. If the preview of the call was shown before, the framework has asked the user, and the approval covers
   * that preview.
   */
  readonly run: (call: CrossedCall, options?: CrossedOptions) => Promise<CrossedResult>
}

export interface Crossing {
  readonly tools: ReadonlyArray<CrossedTool>
  /** Returns the judgement of a call that is pending approval. */
  readonly shown: (id: string) => PendingApproval | undefined
}

/** The maximum number of undecided calls; beyond it, the oldest calls are removed. */
const maxShown = 1_000

export const make = (opened: AnyOpenedPack): Crossing => {
  // A program without types may pass any value.
  const given = opened as Partial<AnyOpenedPack> | null | undefined
  if (!Array.isArray(given?.tools) || typeof given.call !== "function") {
    throw new TypeError(
      'a bridge takes a pack that is open: pass the result of open(pack, { root: "." }) of @bough/sdk'
    )
  }
  const waiting = new Map<string, PendingApproval>()
  return { tools: opened.tools.map((tool) => toolOf(opened, tool, waiting)), shown: (id) => waiting.get(id) }
}

/** Makes a record of something for each tool, by the tool's name. */
export const byName = <A>({ tools }: Crossing, make: (tool: CrossedTool) => A): Record<string, A> =>
  Object.fromEntries(tools.map((tool) => [tool.name, make(tool)]))

const toolOf = (opened: AnyOpenedPack, tool: Tool.Any, waiting: Map<string, PendingApproval>): CrossedTool => {
  const judge: CrossedTool["judge"] = ({ id, input }, isNew) =>
    opened.judge(tool.name, input).then((judgement) => {
      // The first preview is binding, because a framework judges an approved call again before it runs the call.
      if (judgement.decision === "ask" && isNew && id !== undefined && !waiting.has(id)) {
        waiting.set(id, judgement)
        for (const oldest of waiting.keys()) {
          if (waiting.size <= maxShown) break
          waiting.delete(oldest)
        }
      }
      return judgement
    })
  return {
    name: tool.name,
    description: tool.description,
    declaration: tool,
    schema: ToolSchema.parameters(tool, "draft-07") as never,
    judge,
    asks: (call, isNew) => judge(call, isNew).then(({ decision }) => decision === "ask"),
    run: ({ id, input }, { onProgress, signal } = {}) => {
      const approved = id === undefined ? undefined : waiting.get(id)
      // An approval covers one call.
      if (id !== undefined) waiting.delete(id)
      const options: CallOptions = {
        ...(signal === undefined ? {} : { signal }),
        ...(onProgress === undefined ? {} : { onProgress }),
        ...(approved === undefined ? {} : { approve: approveShown(approved.digest) })
      }
      return opened.call(tool.name, input, options).then((envelope) => toResult(tool, envelope))
    }
  }
}

/** A message of a framework whose parts name the calls that the model requested. */
interface FrameworkMessage {
  readonly role: string
  readonly content:
    | string
    | ReadonlyArray<{ readonly type: string; readonly id?: string; readonly toolCallId?: string }>
}

/** True for a new call, whose messages end before the call. The messages of an approved call include it. */
export const isNewIn = (messages: ReadonlyArray<FrameworkMessage>, id: string): boolean =>
  !messages.some(
    ({ content, role }) =>
      role === "assistant" &&
      typeof content !== "string" &&
      content.some((part) => part.type === "tool-call" && (part.toolCallId ?? part.id) === id)
  )

interface TextPart {
  readonly type: "text"
  readonly text: string
}

/** Returns the text for the model alone, or the text and the files as parts. */
export const content = <File>(
  { media, text }: Pick<CrossedResult, "media" | "text">,
  file: (media: Message.Media) => File
): string | Array<TextPart | File> => (media.length === 0 ? text : [{ type: "text", text }, ...media.map(file)])

/** Returns the content of an update for the model. */
export const updateContent = <File>(
  update: CrossedUpdate,
  file: (media: Message.Media) => File
): string | Array<TextPart | File> => (update.status === "running" ? update.progress : content(update, file))

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
