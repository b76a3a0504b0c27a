/**
 * Adapts any effect/ai language model to Bough's model port. Its tool calls arrive undecoded and are not run here.
 * Import it from `@bough/models/EffectAiBridge`: effect/ai is loaded with it.
 */
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider"
import type { Model } from "@bough/runtime"
import type * as AiError from "effect/ai/AiError"
import type { LanguageModel } from "effect/ai/LanguageModel"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Parts from "./AiSdkParts.ts"
import * as AiSdkPrompt from "./AiSdkPrompt.ts"
import * as Bridge from "./Bridge.ts"
import * as EffectAiFailure from "./EffectAiFailure.ts"
import * as EffectAiParts from "./EffectAiParts.ts"
import * as Failure from "./Failure.ts"

export interface EffectAiBridgeOptions extends Bridge.ModelDescription {
  readonly model: LanguageModel
  /**
   * Returns the model with a limit on the tokens of a reply, set in the provider's own way, because effect/ai has no
   * common one. Without a limit, a reply may exceed the remaining budget.
   */
  readonly limited?: (maxOutputTokens: number) => LanguageModel
  readonly manners: AiSdkPrompt.Manners
}

export const make = (options: EffectAiBridgeOptions): Model.Model["Service"] =>
  Bridge.make(options, (asked) => reply(options, asked))

const reply = (
  options: EffectAiBridgeOptions,
  { prompt, reportedFaults }: Bridge.BridgeRequest
): Stream.Stream<Model.ModelPart, Model.ModelError> => {
  const { limited, manners, price, provider } = options
  const { maxOutputTokens } = prompt
  const model = maxOutputTokens === undefined || limited === undefined ? options.model : limited(maxOutputTokens)
  const reader = Parts.reader(price, reportedFaults)
  const translator = EffectAiParts.translator()
  const cut = () => Failure.cut(provider, reader.inside())
  const handOn = (part: LanguageModelV4StreamPart): Step =>
    Effect.suspend(() => {
      const readResult = reader.read(part)
      if (readResult._tag === "Failed") return EffectAiFailure.fail(provider, readResult.error)
      return readResult._tag === "Unfinished" ? Effect.fail(cut()) : Effect.succeed(readResult.parts)
    })
  const read = (part: EffectAiParts.StreamPart): Step =>
    Effect.suspend(() => {
      const translated = translator.read(part)
      return translated === null ? Effect.succeed([]) : handOn(translated)
    })
  const stopped = (error: unknown): Stream.Stream<Step> => {
    const calls = EffectAiFailure.isRefusal(error) ? translator.refused() : []
    if (calls.length > 0) return Stream.fromIterable(calls.map(handOn))
    return Stream.succeed(
      reader.started() && EffectAiFailure.isBreak(error) ? Effect.fail(cut()) : EffectAiFailure.fail(provider, error)
    )
  }
  const replyParts = model.streamText({
    prompt: EffectAiParts.messages(AiSdkPrompt.messages(prompt, manners)),
    toolkit: toolkit(prompt),
    disableToolCallResolution: true,
    toolCallValidation: "deferred"
  }) as Stream.Stream<EffectAiParts.StreamPart, AiError.AiError>
  return replyParts.pipe(
    Stream.map(read),
    Stream.catchTag("AiError", stopped),
    // A defect of a package counts as a failure of the provider.
    Stream.catchDefect(stopped),
    Stream.mapEffect((step) => step),
    Stream.flatMap((parts) => Stream.fromIterable(parts)),
    Stream.concat(Stream.suspend(() => (reader.ended() ? Stream.empty : Stream.fail(cut()))))
  )
}

type Step = Effect.Effect<ReadonlyArray<Model.ModelPart>, Model.ModelError>

const toolkit = (prompt: Model.Prompt) => Toolkit.make(...prompt.tools.map(toEffectTool))

/**
 * Declares a tool by its unchanged JSON Schema, because some packages rewrite strict schemas and reject those that they
 * cannot rewrite. OpenAI's package also rejects calls of tools whose schema is an object without properties.
 */
const toEffectTool = ({ description, name, parameters }: Model.Prompt["tools"][number]) =>
  Object.assign(Tool.dynamic(name, { description, parameters }), { parametersSchema: anyObject }).annotate(
    Tool.Strict,
    false
  )

const anyObject = Schema.Struct({ anything: Schema.optionalKey(Schema.Unknown) })
