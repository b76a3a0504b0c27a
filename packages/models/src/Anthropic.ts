/**
 * Anthropic's Messages API. The prompt's stable prefix is marked for its cache; reasoning is sent back with its
 * signature.
 */
import * as Effect from "effect/Effect"
import * as AiSdkProvider from "./AiSdkProvider.ts"
import * as DeclaredInPlace from "./DeclaredInPlace.ts"
import { describeSet, type Provider, variable } from "./Provider.ts"
import * as RequestOptions from "./RequestOptions.ts"

const keyNames = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"]

export const provider: Provider = {
  name: "anthropic",
  defaultModel: "claude-sonnet-5-5",
  configured: (environment) => describeSet(environment, keyNames),
  secretNames: keyNames,
  make: (request) => {
    const { effort, environment, model } = request
    const key = variable(environment, keyNames)
    const baseUrl = variable(environment, ["ANTHROPIC_BASE_URL"])?.value ?? "https://api.anthropic.com"
    const baseURL = AiSdkProvider.withVersion(baseUrl, "v1")
    return AiSdkProvider.make({
      request,
      endpoint: {
        baseUrl: baseURL,
        baseUrlName: "ANTHROPIC_BASE_URL",
        keyName: key?.name ?? keyNames[0],
        secrets: key === null ? [] : [key.value],
        opened: key !== null
      },
      manners: {
        mediaInToolResults: true,
        declares: DeclaredInPlace.forClaude({
          environment,
          model: model ?? provider.defaultModel,
          baseUrl: baseURL
        }),
        cacheMark: { anthropic: { cacheControl: { type: "ephemeral" } } },
        terms: RequestOptions.forClaude({
          model: model ?? provider.defaultModel,
          effort,
          budget: (budgetTokens) => ({ anthropic: { thinking: { type: "enabled", budgetTokens } } })
        })
      },
      load: ({ fetch }) =>
        Effect.map(
          Effect.promise(() => import("@ai-sdk/anthropic")),
          ({ createAnthropic }) =>
            createAnthropic({
              baseURL,
              fetch,
              ...(key?.name === "ANTHROPIC_AUTH_TOKEN" ? { authToken: key.value } : { apiKey: key?.value ?? "" })
            }).languageModel(model ?? provider.defaultModel)
        )
    })
  }
}
