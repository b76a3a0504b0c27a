/**
 * Any effect/ai language model as our model port. Its tool calls come undecoded and are run by nobody here. Import it
 * from `@bough/models/EffectAiBridge`: effect/ai is loaded with it.
 */
import { Model } from "@bough/runtime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as AiError from "effect/ai/AiError"
import type { LanguageModel } from "effect/ai/LanguageModel"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import * as Parts from "./AiSdkParts.ts"
import * as AiSdkPrompt from "./AiSdkPrompt.ts"
import * as EffectAiParts from "./EffectAiParts.ts"
import * as Failure from "./Failure.ts"
import { mostPerMillionUsd, type Price } from "./Price.ts"

export interface Options {
  readonly model: LanguageModel
  /**
   * The same model with replies of at most so many tokens, in its provider's own way: effect/ai has no common one. Without
   * it a reply may be longer than what is left of a budget.
   */
  readonly limited?: (maxOutputTokens: number) => LanguageModel
  readonly provider: Failure.Provider
  readonly contextTokens: number | null
  /** Null: replies carry no cost. */
  readonly price: Price | null
  readonly manners: AiSdkPrompt.Manners
}

export const make = (options: Options): Model.Model["Service"] => ({
  name: options.provider.model,
  contextTokens: options.contextTokens,
  priced: options.price !== null,
  ...(options.price === null ? {} : { outputPerMillionUsd: mostPerMillionUsd(options.price) }),
  stream: (prompt) => Stream.suspend(() => reply(options, prompt))
})

const reply = (options: Options, prompt: Model.Prompt): Stream.Stream<Model.ModelPart, Model.ModelError> => {
  const { limited, manners, price, provider } = options
  const { maxOutputTokens } = prompt
  const model = maxOutputTokens === undefined || limited === undefined ? options.model : limited(maxOutputTokens)
  const reader = Parts.reader(price)
  const translate = EffectAiParts.translator()
  const cut = () => Failure.cut(provider, reader.inside())
  const read = (part: EffectAiParts.StreamPart): Effect.Effect<ReadonlyArray<Model.ModelPart>, Model.ModelError> => {
    const translated = translate(part)
    if (translated === null) return Effect.succeed([])
    const reading = reader.read(translated)
    if (reading._tag === "Failed") return Effect.fail(failure(provider, reading.error))
    return reading._tag === "Unfinished" ? Effect.fail(cut()) : Effect.succeed(reading.parts)
  }
  const asked = model.streamText({
    prompt: EffectAiParts.messages(AiSdkPrompt.messages(prompt, manners)),
    toolkit: toolkit(prompt),
    disableToolCallResolution: true,
    toolCallValidation: "deferred"
  }) as Stream.Stream<EffectAiParts.StreamPart, AiError.AiError>
  return asked.pipe(
    Stream.mapError((error) => failure(provider, error)),
    Stream.mapEffect(read),
    Stream.flatMap((parts) => Stream.fromIterable(parts)),
    Stream.concat(Stream.suspend(() => (reader.ended() ? Stream.empty : Stream.fail(cut()))))
  )
}

const toolkit = (prompt: Model.Prompt) =>
  Toolkit.make(
    ...prompt.tools.map(({ description, name, parameters }) => Tool.dynamic(name, { description, parameters }))
  )

const reasons: Readonly<Record<string, readonly [Model.ModelFailure, hint: string]>> = {
  NetworkError: ["Unreachable", "check the address and the network"],
  RateLimitError: ["RateLimited", "wait, or choose another model"],
  QuotaExhaustedError: ["Refused", "the account has nothing left: check its billing"],
  AuthenticationError: ["Refused", "check the key"],
  ContentPolicyError: ["Unsupported", "the provider does not take this content"],
  InvalidRequestError: ["Unsupported", "the provider does not take this request: try another model"],
  InvalidResponseError: ["BadResponse", "check that the server speaks this API; if it does, ask again"],
  InvalidOutputError: ["BadResponse", "ask again"]
}

const failure = (provider: Failure.Provider, error: unknown): Model.ModelError => {
  if (error instanceof Model.ModelError) return error
  if (!isAiError(error)) return Failure.of(provider, error, 0)
  const [reason, hint] = reasons[error.reason._tag] ?? ["ServerFailed", "ask again"]
  return Failure.report(
    provider,
    { reason, hint, message: error.reason.message, retryable: error.isRetryable },
    error.retryAfter === undefined ? null : Duration.toMillis(error.retryAfter)
  )
}

const isAiError = (error: unknown): error is AiError.AiError =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "AiError"
