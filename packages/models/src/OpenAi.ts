/**
 * OpenAI itself: its Responses API as `openai`, its chat completions as `openai-chat`. Requests tell OpenAI to store
 * nothing: reasoning arrives encrypted and is sent back with the conversation.
 */
import * as Effect from "effect/Effect"
import * as AiSdkProvider from "./AiSdkProvider.ts"
import * as DeclaredInPlace from "./DeclaredInPlace.ts"
import type { Effort } from "./Effort.ts"
import { type Provider, type Request, variable } from "./Provider.ts"
import * as RequestOptions from "./RequestOptions.ts"

const defaultBaseUrl = "https://api.openai.com/v1"
const defaultModel = "gpt-6.1-terra"

/** Summaries of the reasoning are not requested, because they are only for organisations that OpenAI has verified. */
const termsOf = {
  responses: (effort: Effort | null) =>
    RequestOptions.requestOptionsOf(null, {
      openai: { store: false, ...(effort === null ? {} : { reasoningEffort: effort, reasoningSummary: null }) }
    }),
  chat: (effort: Effort | null) => RequestOptions.requestOptionsOf(effort, { openai: { store: false } })
}

const make = (api: "responses" | "chat") => {
  const mediaInToolResults = api === "responses"
  return (request: Request) => {
    const { effort, environment, model } = request
    const key = variable(environment, ["OPENAI_API_KEY"])
    const baseURL = variable(environment, ["OPENAI_BASE_URL"])?.value ?? defaultBaseUrl
    return AiSdkProvider.make({
      request,
      endpoint: {
        baseUrl: baseURL,
        baseUrlName: "OPENAI_BASE_URL",
        keyName: "OPENAI_API_KEY",
        secrets: key === null ? [] : [key.value],
        opened: key !== null
      },
      manners: {
        mediaInToolResults,
        cacheMark: null,
        declares:
          api === "responses"
            ? DeclaredInPlace.forGpt({ environment, model: model ?? defaultModel, baseUrl: baseURL })
            : null,
        terms: RequestOptions.withCacheKey(termsOf[api](effort), "openai", "promptCacheKey")
      },
      load: ({ fetch }) =>
        Effect.map(
          Effect.promise(() => import("@ai-sdk/openai")),
          ({ createOpenAI }) => createOpenAI({ baseURL, apiKey: key?.value ?? "", fetch })[api](model ?? defaultModel)
        )
    })
  }
}

export const provider: Provider = {
  name: "openai",
  defaultModel,
  configured: (environment) => (variable(environment, ["OPENAI_API_KEY"]) === null ? null : "OPENAI_API_KEY is set"),
  secretNames: ["OPENAI_API_KEY"],
  make: make("responses")
}

/**
 * Chosen only by name: for servers at `OPENAI_BASE_URL` that offer OpenAI's chat completions but not its Responses API.
 */
export const chatProvider: Provider = {
  name: "openai-chat",
  defaultModel,
  configured: () => null,
  secretNames: ["OPENAI_API_KEY"],
  make: make("chat")
}
