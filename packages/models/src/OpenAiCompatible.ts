/**
 * Any server with OpenAI's chat completions API, at `OPENAI_COMPATIBLE_BASE_URL` (llama.cpp, vLLM, OpenRouter, a
 * gateway). Bough's own client sends the requests: adr/0004-model-port.md.
 */
import * as Effect from "effect/Effect"
import * as AiSdkBridge from "./AiSdkBridge.ts"
import * as AiSdkProvider from "./AiSdkProvider.ts"
import type { Effort } from "./Effort.ts"
import type { Login } from "./Login.ts"
import type { Price } from "./Price.ts"
import { type Environment, describeSet, type Provider, variable } from "./Provider.ts"
import * as RequestOptions from "./RequestOptions.ts"
import { onlyModel } from "./ServedModels.ts"

export interface OpenAiCompatibleOptions {
  /** `provider/model`. */
  readonly name: string
  /** The name under which the server knows the model; null: the server's only model. */
  readonly model: string | null
  readonly baseUrl: string
  /** The key; null: none, which is allowed only for a server on this machine or its network. */
  readonly key: string | null
  /** The variables that set the key and the address, for hints. */
  readonly keyName: string
  readonly baseUrlName: string
  readonly price: Price | null
  readonly contextTokens: number | null
  /** Null: the server's default. */
  readonly effort: Effort | null
  /** The environment that selects the proxy of requests. */
  readonly environment: Environment
  readonly login?: Login
}

const baseUrlNames = ["OPENAI_COMPATIBLE_BASE_URL", "OPENAI_BASE_URL"]
const keyNames = ["OPENAI_COMPATIBLE_API_KEY", "OPENAI_API_KEY"]

/** Null: none is configured. */
export const configuredBaseUrl = (environment: Environment): string | null =>
  variable(environment, baseUrlNames)?.value ?? null

/** If no model is named, the server's only one is used. */
export const provider: Provider = {
  name: "openai-compatible",
  defaultModel: "default",
  configured: (environment) => describeSet(environment, baseUrlNames),
  secretNames: keyNames,
  make: ({ contextTokens, effort, environment, login, model, name, price }) => {
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
      contextTokens,
      effort,
      environment,
      ...(login === undefined ? {} : { login })
    })
  }
}

/** Fails at once for an invalid base URL, and without a key for a public server. */
export const make = ({ baseUrl, baseUrlName, effort, key, keyName, model, ...request }: OpenAiCompatibleOptions) =>
  AiSdkProvider.make({
    request,
    endpoint: {
      baseUrl,
      baseUrlName,
      keyName,
      secrets: key === null ? [] : [key],
      opened: key !== null || isLocal(baseUrl)
    },
    manners: { ...AiSdkBridge.plainManners, terms: RequestOptions.requestOptionsOf(effort) },
    load: Effect.fnUntraced(function* ({ fetch, send }, provider) {
      const ChatCompletions = yield* Effect.promise(() => import("./ChatCompletions.ts"))
      const chosen = model ?? (yield* onlyModel({ fetch, key, baseUrl, provider }))
      return ChatCompletions.make({ send, baseUrl, key, model: chosen })
    })
  })

const localHost =
  /^(localhost|.*\.localhost|.*\.local|host\.docker\.internal|127\..*|10\..*|192\.168\..*|172\.(1[6-9]|2\d|3[01])\..*|0\.0\.0\.0|\[::1\]|\[f[cd].*\])$/i

/** True for a server on this machine or in its private network. */
const isLocal = (baseUrl: string): boolean => localHost.test(URL.parse(baseUrl)?.hostname ?? "")
