/** Both bridges over the same content: a source that streams these parts, in each bridge's input format. */
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider"
import type { Model } from "@bough/runtime"
import * as AiError from "effect/ai/AiError"
import * as LanguageModel from "effect/ai/LanguageModel"
import type * as Response from "effect/ai/Response"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as AiSdkBridge from "../src/AiSdkBridge.ts"
import type * as Bridge from "../src/Bridge.ts"
import * as EffectAiBridge from "../src/EffectAiBridge.ts"

/** The parts that both protocols can express. */
export type Word =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string; readonly signature?: string }
  | { readonly type: "opened"; readonly id: string; readonly name: string }
  | { readonly type: "arguments"; readonly id: string; readonly text: string }
  | { readonly type: "call"; readonly id: string; readonly name: string; readonly arguments: object }
  | {
      readonly type: "finish"
      readonly reason: "stop" | "tool-calls" | "length" | "content-filter" | "error" | "other"
    }

/** The end of a source after its parts. */
export type Ending =
  /** The stream ends. */
  | "ends"
  /** The stream stalls until it is interrupted. */
  | "hangs"
  /** The stream stalls, and ignores interruption. */
  | "deaf"
  /** The stream throws. */
  | "throws"

export interface Source {
  readonly words: ReadonlyArray<Word>
  readonly ending: Ending
}

export interface Bridged {
  readonly service: Model.Model["Service"]
  /** True if the source of the newest reply was told that its reader stopped. */
  readonly wasLeft: () => boolean
}

export type Make = (source: Source, described?: Partial<Bridge.ModelDescription>) => Effect.Effect<Bridged>

export const described: Bridge.ModelDescription = {
  provider: {
    model: "test/any",
    baseUrl: "http://test.example",
    keyName: "KEY",
    baseUrlName: "URL",
    secrets: ["s3cret"]
  },
  contextTokens: 1000,
  price: { inputPerMillionUsd: 1, outputPerMillionUsd: 2 }
}

const broken = new Error("out of order: s3cret")

/** `most`: the number of parts that the client returns at once. */
const aiSdkWith =
  (most: number): Make =>
  (source, options = {}) =>
    Effect.sync(() => {
      let signal: AbortSignal | undefined
      const client: AiSdkBridge.Client = {
        ask: ({ abortSignal }) => {
          signal = abortSignal
          const left = source.words.flatMap(sdkParts)
          const last = (): Promise<AiSdkBridge.Item> => {
            if (source.ending === "ends") return Promise.resolve({ done: true })
            if (source.ending === "throws") return Promise.reject(broken)
            return new Promise((_, reject) => {
              if (source.ending === "hangs") abortSignal?.addEventListener("abort", () => reject(new Error("aborted")))
            })
          }
          const read = (): Promise<AiSdkBridge.Item> => {
            const values = left.splice(0, most)
            return values.length === 0 ? last() : Promise.resolve({ done: false, values })
          }
          return Promise.resolve({ contentType: null, read })
        }
      }
      return {
        service: AiSdkBridge.make({
          ...described,
          ...options,
          manners: AiSdkBridge.plainManners,
          load: Effect.succeed(client)
        }),
        wasLeft: () => signal?.aborted === true
      }
    })

const sdkParts = (word: Word): ReadonlyArray<LanguageModelV4StreamPart> => {
  switch (word.type) {
    case "text":
      return [{ type: "text-delta", id: "t", delta: word.text }]
    case "reasoning":
      return [
        { type: "reasoning-start", id: "r" },
        { type: "reasoning-delta", id: "r", delta: word.text },
        {
          type: "reasoning-end",
          id: "r",
          ...(word.signature === undefined ? {} : { providerMetadata: signed(word.signature) })
        }
      ]
    case "opened":
      return [{ type: "tool-input-start", id: word.id, toolName: word.name }]
    case "arguments":
      return [{ type: "tool-input-delta", id: word.id, delta: word.text }]
    case "call":
      return [{ type: "tool-call", toolCallId: word.id, toolName: word.name, input: JSON.stringify(word.arguments) }]
    case "finish":
      return [
        {
          type: "finish",
          finishReason: { unified: word.reason, raw: word.reason },
          usage: {
            inputTokens: { total: 1_000_000, noCache: 900_000, cacheRead: 100_000, cacheWrite: undefined },
            outputTokens: { total: 1_000_000, text: 1, reasoning: undefined }
          }
        }
      ]
  }
}

const effectAi: Make = Effect.fnUntraced(function* (source, options = {}) {
  let left = false
  const rest: Record<Ending, Stream.Stream<never, AiError.AiError>> = {
    ends: Stream.empty,
    hangs: Stream.never,
    deaf: Stream.fromEffect(Effect.uninterruptible(Effect.never)),
    throws: Stream.die(broken)
  }
  const model = yield* LanguageModel.make({
    generateText: () => Effect.die("not streamed"),
    streamText: () => {
      left = false
      const parts = Stream.concat(Stream.fromIterable(source.words.flatMap(effectParts)), rest[source.ending])
      // One part at a time, as from a network.
      return Stream.onExit(Stream.rechunk(parts, 1), (exit) =>
        Effect.sync(() => {
          left = exit._tag === "Failure"
        })
      )
    }
  })
  const manners = { mediaInToolResults: true, cacheMark: null, declares: null }
  return { service: EffectAiBridge.make({ ...described, ...options, model, manners }), wasLeft: () => left }
})

const effectParts = (word: Word): ReadonlyArray<Response.StreamPartEncoded> => {
  switch (word.type) {
    case "text":
      return [
        { type: "text-start", id: "t" },
        { type: "text-delta", id: "t", delta: word.text },
        { type: "text-end", id: "t" }
      ]
    case "reasoning":
      return [
        { type: "reasoning-start", id: "r" },
        { type: "reasoning-delta", id: "r", delta: word.text },
        {
          type: "reasoning-end",
          id: "r",
          ...(word.signature === undefined ? {} : { metadata: signed(word.signature) })
        }
      ]
    case "opened":
      return [{ type: "tool-params-start", id: word.id, name: word.name }]
    case "arguments":
      return [{ type: "tool-params-delta", id: word.id, delta: word.text }]
    case "call":
      return [{ type: "tool-call", id: word.id, name: word.name, params: word.arguments }]
    case "finish":
      return [
        {
          type: "finish",
          reason: word.reason,
          usage: {
            inputTokens: { total: 1_000_000, uncached: 900_000, cacheRead: 100_000, cacheWrite: 0 },
            outputTokens: { total: 1_000_000, text: 1, reasoning: 0 }
          }
        }
      ]
  }
}

const signed = (signature: string) => ({ anthropic: { signature } })

/** The rows of test tables. */
export const each: ReadonlyArray<readonly [name: string, make: Make]> = [
  ["AiSdkBridge", aiSdkWith(1)],
  ["AiSdkBridge, parts together", aiSdkWith(Infinity)],
  ["EffectAiBridge", effectAi]
]
