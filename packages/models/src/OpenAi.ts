/** OpenAI itself, through its chat completions. */
import * as OpenAiCompatible from "./OpenAiCompatible.ts"
import { type Provider, variable } from "./Provider.ts"

export const defaultBaseUrl = "https://api.openai.com/v1"

export const provider: Provider = {
  name: "openai",
  defaultModel: "gpt-5-mini",
  configured: (environment) => (variable(environment, ["OPENAI_API_KEY"]) === null ? null : "OPENAI_API_KEY is set"),
  make: ({ contextTokens, environment, model, name, price }) =>
    OpenAiCompatible.make({
      name,
      model: model ?? provider.defaultModel,
      baseUrl: variable(environment, ["OPENAI_BASE_URL"])?.value ?? defaultBaseUrl,
      key: variable(environment, ["OPENAI_API_KEY"])?.value ?? null,
      keyName: "OPENAI_API_KEY",
      baseUrlName: "OPENAI_BASE_URL",
      price,
      contextTokens
    })
}
