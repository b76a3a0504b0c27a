/** Tools of an opened pack as a toolkit of Effect's `ai` module. */
import type { AnyOpenedPack } from "@bough/sdk"
import { ToolSchema } from "@bough/tool"
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

const make = ({ asks, declaration, description, name }: Crossing.CrossedTool) =>
  Tool.dynamic(name, {
    description,
    parameters: ToolSchema.parameters(declaration) as never,
    success: Success,
    failure: Crossing.CallFailed,
    failureMode: "return",
    needsApproval: (input: unknown, { messages, toolCallId: id }) =>
      Effect.promise(() => asks({ input, id }, Crossing.isNewIn(messages, id))),
    toModelOutput: (result: typeof Success.Type) =>
      result.status === "running"
        ? [Prompt.textPart({ text: result.progress })]
        : [Prompt.textPart({ text: result.text }), ...result.media.map((file) => Prompt.filePart(file))]
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
  const toolkit = Toolkit.make(...crossing.tools.map(make))
  const handlers = Crossing.byName(crossing, handlerOf)
  return { shown: crossing.shown, toolkit, layer: toolkit.toLayer(handlers as never) }
}

const handlerOf =
  ({ run }: Crossing.CrossedTool) =>
  (input: unknown, { preliminary, toolCallId: id }: Toolkit.HandlerContext<Crossed>) =>
    Effect.tryPromise({
      try: (signal) => {
        const onProgress = (progress: string) => Effect.runSync(preliminary(Crossing.running(progress)))
        return run({ input, id }, { signal, onProgress }).then(Crossing.ended)
      },
      catch: (error) => error as Crossing.CallFailed
    })
