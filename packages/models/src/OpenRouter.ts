/** OpenRouter: models of many providers with one account, through its chat completions API. */
import * as OpenAiCompatible from "./OpenAiCompatible.ts"
import { type Environment, describeSet, type Provider, variable } from "./Provider.ts"

const keyNames = ["OPENROUTER_API_KEY"]

/** The address of the API. */
export const baseUrl = (environment: Environment): string =>
  variable(environment, ["OPENROUTER_BASE_URL"])?.value ?? "https://openrouter.ai/api/v1"

/** If no model is named, OpenRouter chooses one for each prompt. */
export const provider: Provider = {
  name: "openrouter",
  defaultModel: "openrouter/auto",
  configured: (environment) => describeSet(environment, keyNames),
  secretNames: keyNames,
  make: ({ environment, model, ...request }) =>
    OpenAiCompatible.make({
      ...request,
      environment,
      model: model ?? provider.defaultModel,
      baseUrl: baseUrl(environment),
      key: variable(environment, keyNames)?.value ?? null,
      keyName: "OPENROUTER_API_KEY",
      baseUrlName: "OPENROUTER_BASE_URL"
    })
}
