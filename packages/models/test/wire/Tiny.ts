/** A small model that some server behind chat completions runs: no key, no price, no known window. */
import * as OpenAiCompatible from "../../src/OpenAiCompatible.ts"

export const connect = (baseUrl: string, options: Partial<OpenAiCompatible.OpenAiCompatibleOptions> = {}) =>
  OpenAiCompatible.make({
    name: "openai-compatible/tiny",
    model: "tiny",
    baseUrl,
    key: null,
    keyName: "OPENAI_COMPATIBLE_API_KEY",
    baseUrlName: "OPENAI_COMPATIBLE_BASE_URL",
    price: null,
    contextTokens: null,
    effort: null,
    environment: {},
    ...options
  })
