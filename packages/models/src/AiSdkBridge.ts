/**
 * Adapts any AI SDK language model, or a client with the same requests, to Bough's model port. The bridge imports only
 * types: `load`, which makes the language model, loads the provider package at first use.
 */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  SharedV4Warning
} from "@ai-sdk/provider"
import type { Model } from "@bough/runtime"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Parts from "./AiSdkParts.ts"
import * as AiSdkPrompt from "./AiSdkPrompt.ts"
import * as Bridge from "./Bridge.ts"
import * as Failure from "./Failure.ts"
import * as RequestOptions from "./RequestOptions.ts"

export interface Manners extends AiSdkPrompt.Manners {
  /** The options that are sent with every request. */
  readonly terms: RequestOptions.RequestOptionsOf
}

/** The features of a provider that supports no optional ones. */
export const plainManners: Manners = {
  mediaInToolResults: false,
  cacheMark: null,
  declares: null,
  terms: RequestOptions.requestOptionsOf(null)
}

/** Asks a server for one reply, in the types of the AI SDK; for some providers, Bough has its own client. */
export interface Client {
  readonly ask: (options: LanguageModelV4CallOptions) => PromiseLike<SdkAnswer>
}

export interface SdkAnswer {
  /** Null: not known. */
  readonly contentType: string | null
  /** Reads the next parts until the end: all that have arrived, or the first one that arrives. */
  readonly read: () => Promise<Item>
}

export type Item =
  | { readonly done: false; readonly values: ReadonlyArray<LanguageModelV4StreamPart> }
  | { readonly done: true }

export interface AiSdkBridgeOptions extends Bridge.ModelDescription {
  readonly manners: Manners
  /** Called for every reply, so it should be cached. */
  readonly load: Effect.Effect<LanguageModelV4 | Client, Model.ModelError>
}

/** Makes the port over the model that `load` returns, which is called for the first reply. */
export const make = (options: AiSdkBridgeOptions): Model.Model["Service"] =>
  Bridge.make(options, (asked) => Stream.unwrap(open(options, asked)))

/**
 * Sends the request and streams the answer; closing the scope aborts the request unless the answer was read completely.
 */
const open = Effect.fnUntraced(function* (
  options: AiSdkBridgeOptions,
  { prompt, reportedFaults }: Bridge.BridgeRequest
) {
  const { manners } = options
  const client = clientOf(yield* options.load)
  const connection = { abort: new AbortController(), complete: false }
  // Unlike `acquireRelease`, this merges no context at the end of each reply.
  yield* Scope.addFinalizer(
    yield* Effect.scope,
    Effect.sync(() => {
      if (!connection.complete) connection.abort.abort()
    })
  )
  const declared = AiSdkPrompt.tools(prompt, manners)
  const fail = (error: unknown) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.fail(Failure.toModelError(options.provider, error, now)))
  const answer = yield* Effect.tryPromise({
    try: () =>
      client.ask({
        prompt: AiSdkPrompt.messages(prompt, manners),
        ...manners.terms(prompt.maxOutputTokens, prompt.cacheKey),
        ...(declared.length === 0 ? {} : { tools: declared }),
        abortSignal: connection.abort.signal
      }),
    catch: toThrown
  }).pipe(Effect.catch(({ error }) => fail(error)))

  const reader = Parts.reader(options.price, reportedFaults)
  const { contentType } = answer
  const cut = () =>
    Effect.fail(
      reader.started() || contentType === null || isEventStream(contentType)
        ? Failure.cut(options.provider, reader.inside())
        : Failure.notAStream(options.provider, contentType)
    )
  const stopAfter = (error: unknown) => (Failure.isCut(error) ? cut() : fail(error))
  const next = Effect.tryPromise({ try: () => answer.read(), catch: toThrown })

  /** The failure after parts that are passed on first; null: none. */
  let failed: Effect.Effect<never, Model.ModelError> | null = null
  const pull: Effect.Effect<readonly [Model.ModelPart, ...Array<Model.ModelPart>], Model.ModelError | Cause.Done> =
    Effect.suspend(() =>
      failed !== null
        ? failed
        : next.pipe(
            Effect.catch(({ error }) => stopAfter(error)),
            Effect.flatMap((item) => {
              if (!item.done) return handOn(item.values)
              connection.complete = true
              return reader.ended() ? Cause.done() : cut()
            })
          )
    )

  let notices: ReadonlyArray<Model.ModelPart> = []
  const handOn = (values: ReadonlyArray<LanguageModelV4StreamPart>): typeof pull => {
    const parts: Array<Model.ModelPart> = []
    for (const value of values) {
      if (value.type === "stream-start") notices = noticesOf(options.provider, value.warnings, reportedFaults)
      const readResult = reader.read(value)
      if (readResult._tag === "Parts") parts.push(...readResult.parts)
      else {
        failed = readResult._tag === "Failed" ? stopAfter(readResult.error) : cut()
        break
      }
      // Parts after the end of the reply are ignored.
      if (reader.ended()) break
    }
    if (parts.length === 0) return pull
    // Reported only after the first content, because the request may be retried until then.
    const [first, ...rest] = [...notices, ...parts]
    notices = []
    return Effect.succeed([first, ...rest])
  }

  return Stream.fromPull(Effect.succeed(pull))
})

/** Returns a notice for each option, such as the effort, that the package ignores. */
const noticesOf = (
  provider: Failure.Provider,
  warnings: ReadonlyArray<SharedV4Warning>,
  reportedFaults: Set<string>
): ReadonlyArray<Model.ModelPart> =>
  warnings.flatMap((warning) => {
    const feature = "feature" in warning ? warning.feature : ""
    const warningText = "message" in warning ? warning.message : (warning.details ?? `${feature} is not supported`)
    if (!/reasoning|thinking|effort|maxOutputTokens/iu.test(feature) || reportedFaults.has(warningText)) return []
    reportedFaults.add(warningText)
    return [{ _tag: "Notice", text: `${provider.model}: ${warningText}` }]
  })

const clientOf = (model: LanguageModelV4 | Client): Client =>
  "ask" in model
    ? model
    : {
        ask: (options) =>
          model.doStream(options).then(({ response, stream }) => {
            const source = stream.getReader()
            const read = () =>
              source.read().then((item): Item => (item.done ? { done: true } : { done: false, values: [item.value] }))
            return { contentType: response?.headers?.["content-type"] ?? null, read }
          })
      }

/** Wraps any thrown value in one type. */
const toThrown = (error: unknown): { readonly error: unknown } => ({ error })

const isEventStream = (contentType: string): boolean => /event-?stream/i.test(contentType)
