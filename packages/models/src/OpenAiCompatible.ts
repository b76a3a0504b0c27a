/**
 * Any server that speaks OpenAI's chat completions: at `OPENAI_COMPATIBLE_BASE_URL` (Ollama, llama.cpp, vLLM,
 * OpenRouter, a gateway), or OpenAI itself. The provider package is loaded with the first reply.
 */
import type { LanguageModelV4 } from "@ai-sdk/provider"
import type { Model } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as AiSdkBridge from "./AiSdkBridge.ts"
import * as Failure from "./Failure.ts"
import type { Fetch } from "./NodeFetch.ts"
import type { Price } from "./Price.ts"
import { type Provider, variable } from "./Provider.ts"
import { served } from "./ServedModels.ts"

export interface Options {
  /** `provider/model`. */
  readonly name: string
  /** The model's name as the server knows it; null: the only one that the server has. */
  readonly model: string | null
  readonly baseUrl: string
  /** Null: none, which only a server on this machine or its network may do without. */
  readonly key: string | null
  /** The variables that set the two, for hints. */
  readonly keyName: string
  readonly baseUrlName: string
  readonly price: Price | null
  readonly contextTokens: number | null
}

const baseUrlNames = ["OPENAI_COMPATIBLE_BASE_URL", "OPENAI_BASE_URL"]
const keyNames = ["OPENAI_COMPATIBLE_API_KEY", "OPENAI_API_KEY"]

/** Without a named model the server's only one is used. */
export const provider: Provider = {
  name: "openai-compatible",
  defaultModel: "default",
  configured: (environment) => {
    const baseUrl = variable(environment, baseUrlNames)
    return baseUrl === null ? null : `${baseUrl.name} is set`
  },
  make: ({ contextTokens, environment, model, name, price }) => {
    const baseUrl = variable(environment, baseUrlNames)
    const key = variable(environment, keyNames)
    return make({
      name,
      model: model === provider.defaultModel ? null : model,
      baseUrl: baseUrl?.value ?? "",
      key: key?.value ?? null,
      keyName: "OPENAI_COMPATIBLE_API_KEY",
      baseUrlName: baseUrl?.name ?? "OPENAI_COMPATIBLE_BASE_URL",
      price,
      contextTokens
    })
  }
}

/** Fails at once with a base URL that is none, and without a key for a public server. */
export const make = Effect.fnUntraced(function* (options: Options) {
  const provider: Failure.Provider = {
    model: options.name,
    baseUrl: printable(options.baseUrl),
    keyName: options.keyName,
    baseUrlName: options.baseUrlName,
    secrets: options.key === null ? [] : [options.key]
  }
  if (!/^https?:$/.test(URL.parse(options.baseUrl)?.protocol ?? "")) {
    return yield* Failure.noAddress(provider, options.baseUrl)
  }
  if (options.key === null && !isLocal(options.baseUrl)) return yield* Failure.missingKey(provider)
  return AiSdkBridge.make({
    provider,
    contextTokens: options.contextTokens,
    price: options.price,
    mediaInToolResults: false,
    load: yield* Effect.cachedWithTTL(load(options, provider), (exit) => (Exit.isSuccess(exit) ? Infinity : 0))
  })
})

const idleMillis = 300_000

const load = (options: Options, provider: Failure.Provider): Effect.Effect<LanguageModelV4, Model.ModelError> =>
  Effect.gen(function* () {
    const [{ createOpenAICompatible }, NodeFetch] = yield* Effect.promise(() =>
      Promise.all([import("@ai-sdk/openai-compatible"), import("./NodeFetch.ts")])
    )
    const fetch: Fetch = NodeFetch.make({ idleMillis })
    const model = options.model ?? (yield* served({ fetch, key: options.key, baseUrl: options.baseUrl, provider }))
    return createOpenAICompatible({
      name: "openai-compatible",
      baseURL: options.baseUrl,
      includeUsage: true,
      fetch,
      ...(options.key === null ? {} : { apiKey: options.key })
    }).chatModel(model)
  })

/** Without what an address may carry for the server alone: user, password, query. */
const printable = (baseUrl: string): string => {
  const url = URL.parse(baseUrl)
  return url === null ? JSON.stringify(baseUrl) : `${url.protocol}//${url.host}${url.pathname}`.replace(/\/$/, "")
}

const localHost =
  /^(localhost|.*\.localhost|.*\.local|host\.docker\.internal|127\..*|10\..*|192\.168\..*|172\.(1[6-9]|2\d|3[01])\..*|0\.0\.0\.0|\[::1\]|\[f[cd].*\])$/i

/** A server on this machine or its private network. */
const isLocal = (baseUrl: string): boolean => localHost.test(URL.parse(baseUrl)?.hostname ?? "")
