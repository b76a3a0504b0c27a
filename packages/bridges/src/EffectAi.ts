/** Tools of an opened pack as a toolkit of Effect's `ai` module. */
import type { AnyOpenedPack } from "@bough/sdk"
import { type Tool as Declaration, ToolSchema } from "@bough/tool"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Prompt from "effect/ai/Prompt"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import * as Crossing from "./Crossing.ts"

export { type PendingApproval, CallFailed, type CrossedResult } from "./Crossing.ts"

/** The results of a tool: lines of progress as preliminary results, and then the final result. */
const Success = Schema.Union([
  Schema.Struct({ status: Schema.Literal("running"), progress: Schema.String }),
  Schema.Struct({
    status: Schema.Literal("success"),
    output: Schema.Json,
    text: Schema.String,
    display: Schema.String,
    details: Schema.optionalKey(Schema.String),
    media: Schema.Array(Schema.Struct({ mediaType: Schema.String, data: Schema.String }))
  })
])

const make = (crossing: Crossing.Crossing, declaration: Declaration.Any) =>
  Tool.dynamic(declaration.name, {
    description: declaration.description,
    parameters: ToolSchema.parameters(declaration) as never,
    success: Success,
    failure: Crossing.CallFailed,
    failureMode: "return",
    needsApproval: (input: unknown, { messages, toolCallId }) =>
      Effect.map(
        Effect.promise(() => crossing.judge({ tool: declaration, input, toolCallId }, isNew(messages, toolCallId))),
        ({ decision }) => decision === "ask"
      ),
    toModelOutput: (result: typeof Success.Type) =>
      result.status === "running"
        ? [Prompt.textPart({ text: result.progress })]
        : [
            Prompt.textPart({ text: result.text }),
            ...result.media.map(({ data, mediaType }) => Prompt.filePart({ data, mediaType }))
          ]
  })

type Crossed = ReturnType<typeof make>
type Tools = Readonly<Record<string, Crossed>>

export interface EffectAiTools {
  /** The `toolkit` of `LanguageModel.generateText`. Its tools request approvals through `needsApproval`. */
  readonly toolkit: Toolkit.Toolkit<Tools>
  readonly layer: Layer.Layer<Tool.HandlersFor<Tools>>
  /** Returns the judgements to show to the user, by the `toolCallId` of a request. */
  readonly shown: (toolCallId: string) => Crossing.PendingApproval | undefined
}

/**
 * Converts an opened pack. An approval covers only the preview that was shown when the call was made, and only in the
 * same process.
 */
export const toEffectAi = (opened: AnyOpenedPack): EffectAiTools => {
  const crossing = Crossing.make(opened)
  const toolkit = Toolkit.make(...opened.tools.map((declaration) => make(crossing, declaration)))
  const handlers = Object.fromEntries(
    opened.tools.map((declaration) => [
      declaration.name,
      (input: unknown, { preliminary, toolCallId }: Toolkit.HandlerContext<Crossed>) =>
        Effect.tryPromise({
          try: (signal) =>
            crossing.call(
              { tool: declaration, input, toolCallId },
              { signal, onProgress: (progress) => Effect.runSync(preliminary({ status: "running", progress })) }
            ),
          catch: (error) => error as Crossing.CallFailed
        }).pipe(Effect.map((result) => ({ status: "success" as const, ...result })))
    ])
  )
  return { shown: crossing.shown, toolkit, layer: toolkit.toLayer(handlers as never) }
}

/** Returns true for a new call, whose messages end before the call. The messages of an approved call include it. */
const isNew = (messages: ReadonlyArray<Prompt.Message>, toolCallId: string): boolean =>
  !messages.some(
    ({ content, role }) =>
      role === "assistant" &&
      typeof content !== "string" &&
      content.some((part) => part.type === "tool-call" && part.id === toolCallId)
  )
