/**
 * Any AI SDK language model, or what asks in its words, as our model port. The bridge imports types alone: provider packages are loaded by whoever
 * makes the language model, when it is first used.
 */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  SharedV4ProviderOptions
} from "@ai-sdk/provider"
import type { Model } from "@bough/runtime"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Parts from "./AiSdkParts.ts"
import * as AiSdkPrompt from "./AiSdkPrompt.ts"
import * as Failure from "./Failure.ts"
import { mostPerMillionUsd, type Price } from "./Price.ts"

export interface Manners extends AiSdkPrompt.Manners {
  /** Sent with every request; null: nothing. */
  readonly requestOptions: SharedV4ProviderOptions | null
}

/** A provider that does no more than it must. */
export const plainManners: Manners = { mediaInToolResults: false, cacheMark: null, requestOptions: null }

/** Asks a server for one reply, in the words of the AI SDK: a client of our own, where a provider has one. */
export interface Client {
  readonly ask: (options: LanguageModelV4CallOptions) => PromiseLike<Answer>
}

export interface Answer {
  /** Null: not known. */
  readonly contentType: string | null
  /** One part after the other, until nothing more comes. */
  readonly read: () => Promise<Item>
}

export type Item = { readonly done: false; readonly value: LanguageModelV4StreamPart } | { readonly done: true }

export interface Options {
  readonly provider: Failure.Provider
  readonly contextTokens: number | null
  /** Null: replies carry no cost. */
  readonly price: Price | null
  readonly manners: Manners
  /** Run for every reply: cache it. */
  readonly load: Effect.Effect<LanguageModelV4 | Client, Model.ModelError>
}

export const make = (options: Options): Model.Model["Service"] => ({
  name: options.provider.model,
  contextTokens: options.contextTokens,
  priced: options.price !== null,
  ...(options.price === null ? {} : { outputPerMillionUsd: mostPerMillionUsd(options.price) }),
  stream: (prompt) => Stream.unwrap(open(options, prompt))
})

/** Asks, and hands on what comes; the scope's end aborts the request unless the answer was read to its end. */
const open = Effect.fnUntraced(function* (options: Options, prompt: Model.Prompt) {
  const { manners } = options
  const client = clientOf(yield* options.load)
  const connection = yield* Effect.acquireRelease(
    Effect.sync(() => ({ abort: new AbortController(), complete: false })),
    (connection) =>
      Effect.sync(() => {
        if (!connection.complete) connection.abort.abort()
      })
  )
  const declared = AiSdkPrompt.tools(prompt)
  const fail = (error: unknown) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.fail(Failure.of(options.provider, error, now)))
  const answer = yield* Effect.tryPromise({
    try: () =>
      client.ask({
        prompt: AiSdkPrompt.messages(prompt, manners),
        ...(manners.requestOptions === null ? {} : { providerOptions: manners.requestOptions }),
        ...(declared.length === 0 ? {} : { tools: declared }),
        ...(prompt.maxOutputTokens === undefined ? {} : { maxOutputTokens: prompt.maxOutputTokens }),
        abortSignal: connection.abort.signal
      }),
    catch: thrown
  }).pipe(Effect.catch(({ error }) => fail(error)))

  const reader = Parts.reader(options.price)
  const { contentType } = answer
  const cut = () =>
    Effect.fail(
      reader.started() || contentType === null || isEventStream(contentType)
        ? Failure.cut(options.provider, reader.inside())
        : Failure.notAStream(options.provider, contentType)
    )
  const stopped = (error: unknown) => (Failure.isCut(error) ? cut() : fail(error))
  const next = Effect.tryPromise({ try: () => answer.read(), catch: thrown })

  const pull: Effect.Effect<readonly [Model.ModelPart, ...Array<Model.ModelPart>], Model.ModelError | Cause.Done> =
    next.pipe(
      Effect.catch(({ error }) => stopped(error)),
      Effect.flatMap((item) => {
        if (item.done) {
          connection.complete = true
          return reader.ended() ? Cause.done() : cut()
        }
        return handOn(item.value)
      })
    )

  const handOn = (part: LanguageModelV4StreamPart): typeof pull => {
    const reading = reader.read(part)
    if (reading._tag === "Failed") return stopped(reading.error)
    if (reading._tag === "Unfinished") return cut()
    const [first, ...rest] = reading.parts
    return first === undefined ? pull : Effect.succeed([first, ...rest])
  }

  return Stream.fromPull(Effect.succeed(pull))
})

const clientOf = (model: LanguageModelV4 | Client): Client =>
  "ask" in model
    ? model
    : {
        ask: (options) =>
          model.doStream(options).then(({ response, stream }) => {
            const source = stream.getReader()
            return { contentType: response?.headers?.["content-type"] ?? null, read: () => source.read() }
          })
      }

/** Whatever a provider threw, as one type. */
const thrown = (error: unknown): { readonly error: unknown } => ({ error })

const isEventStream = (contentType: string): boolean => /event-?stream/i.test(contentType)
