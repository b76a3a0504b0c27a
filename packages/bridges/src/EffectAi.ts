/** Tools of an opened pack as a toolkit of Effect's `ai` module. */
import type { AnyOpenedPack } from "@bough/sdk"
import { ToolSchema } from "@bough/tool"
import * as Prompt from "effect/ai/Prompt"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { CallFailed } from "./internal/CrossedResult.ts"
import * as Crossing from "./internal/Crossing.ts"
import * as PendingApprovals from "./internal/PendingApprovals.ts"
import { UpdateSchema } from "./internal/UpdateSchema.ts"

export { CallFailed, type CrossedResult } from "./internal/CrossedResult.ts"
export type { PendingApproval } from "./internal/PendingApprovals.ts"

export interface EffectAiTools extends PendingApprovals.WithApprovals {
  /** The `toolkit` of `LanguageModel.generateText`. Its tools request approvals through `needsApproval`. */
  readonly toolkit: Toolkit.Toolkit<Tools>
  readonly layer: Layer.Layer<Tool.HandlersFor<Tools>>
}

/** Converts an opened pack. An approval covers only the preview that was shown, and only in the same process. */
export const toEffectAi = (opened: AnyOpenedPack): EffectAiTools => {
  const crossing = Crossing.make(opened)
  const toolkit = Toolkit.make(...crossing.tools.map(toolOf))
  const handlers = Crossing.byName(crossing, handlerOf)
  return { shown: crossing.shown, toolkit, layer: toolkit.toLayer(handlers as never) }
}

type CrossedAiTool = ReturnType<typeof toolOf>
type Tools = Readonly<Record<string, CrossedAiTool>>

const toolOf = ({ asks, declaration, description, name }: Crossing.CrossedTool) =>
  Tool.dynamic(name, {
    description,
    parameters: ToolSchema.parameters(declaration) as never,
    success: UpdateSchema,
    failure: CallFailed,
    failureMode: "return",
    needsApproval: (input: unknown, { messages, toolCallId: id }) =>
      Effect.promise(() => asks({ input, id }, PendingApprovals.isNewIn(messages, id))),
    toModelOutput: (result: typeof UpdateSchema.Type) =>
      result.status === "running"
        ? [Prompt.textPart({ text: result.progress })]
        : [Prompt.textPart({ text: result.text }), ...result.media.map((file) => Prompt.filePart(file))]
  })

const handlerOf =
  ({ runInParts }: Crossing.CrossedTool) =>
  (input: unknown, { preliminary, toolCallId: id }: Toolkit.HandlerContext<CrossedAiTool>) =>
    Effect.tryPromise({
      try: (signal) => runInParts({ input, id }, (update) => Effect.runSync(preliminary(update)), signal),
      catch: (error) => error as CallFailed
    })
