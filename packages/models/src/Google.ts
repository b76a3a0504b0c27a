/** Google's Gemini. Its thought signatures are sent back with the calls to which they belong. */
import * as Effect from "effect/Effect"
import * as AiSdkProvider from "./AiSdkProvider.ts"
import { describeSet, type Provider, variable } from "./Provider.ts"
import * as RequestOptions from "./RequestOptions.ts"

const keyNames = ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"]
const baseUrlNames = ["GOOGLE_GENERATIVE_AI_BASE_URL", "GOOGLE_BASE_URL"]

export const provider: Provider = {
  name: "google",
  defaultModel: "gemini-3.8-flash",
  configured: (environment) => describeSet(environment, keyNames),
  secretNames: keyNames,
  make: (request) => {
    const { effort, environment, model } = request
    const key = variable(environment, keyNames)
    const address = variable(environment, baseUrlNames)
    const baseURL = AiSdkProvider.withVersion(address?.value ?? "https://generativelanguage.googleapis.com", "v1beta")
    return AiSdkProvider.make({
      request,
      endpoint: {
        baseUrl: baseURL,
        baseUrlName: address?.name ?? baseUrlNames[0],
        keyName: key?.name ?? keyNames[0],
        secrets: key === null ? [] : [key.value],
        opened: key !== null
      },
      manners: {
        mediaInToolResults: true,
        declares: null,
        cacheMark: null,
        terms: RequestOptions.requestOptionsOf(
          effort,
          effort !== "none" && thinks(model ?? provider.defaultModel)
            ? { google: { thinkingConfig: { includeThoughts: true } } }
            : null
        )
      },
      load: ({ fetch }) =>
        Effect.map(
          Effect.promise(() => import("@ai-sdk/google")),
          ({ createGoogleGenerativeAI }) =>
            createGoogleGenerativeAI({ baseURL, apiKey: key?.value ?? "", fetch }).languageModel(
              model ?? provider.defaultModel
            )
        )
    })
  }
}

/** True for a model that supports thoughts; other models refuse requests for them. */
const thinks = (model: string): boolean =>
  /gemini-(2\.5|[3-9]|[a-z-]+-latest)/.test(model) && !/image|tts|audio/.test(model)
