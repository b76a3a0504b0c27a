/**
 * effect/ai's own provider packages, real and over the wire. Their newest releases target effect 4.0 and import its
 * modules by the names of before 4.1: here these resolve to today's.
 */
import type { LanguageModel } from "effect/ai/LanguageModel"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { registerHooks } from "node:module"
import * as EffectAiHttp from "../../src/EffectAiHttp.ts"
import { dialect as anthropicDialect } from "../wire/AnthropicDialect.ts"
import type { Dialect } from "../wire/Dialect.ts"
import { dialect as responsesDialect } from "../wire/ResponsesDialect.ts"
import { key } from "../wire/Wire.ts"

const names = registerHooks({
  resolve: (name, context, next) => {
    if (name === "effect/Encoding") return next(new URL("Encoding.ts", import.meta.url).href, context)
    return next(name.replace(/^effect\/unstable\//, "effect/"), context)
  }
})

// Imported once the names are known.
const [AnthropicClient, AnthropicLanguageModel, OpenAiClient, OpenAiLanguageModel] = await Promise.all([
  import("@effect/ai-anthropic/AnthropicClient"),
  import("@effect/ai-anthropic/AnthropicLanguageModel"),
  import("@effect/ai-openai/OpenAiClient"),
  import("@effect/ai-openai/OpenAiLanguageModel")
])

names.deregister()

export interface Package {
  readonly dialect: Dialect
  readonly keyName: string
  /** A language model of the server at this origin; null: the package's default number of tokens. */
  readonly model: (origin: string, maxOutputTokens: number | null) => Effect.Effect<LanguageModel>
}

/** The declarations of the packages name modules of effect 4.0 as well, so their requirements type as any. */
const provided = (model: Effect.Effect<LanguageModel, never, unknown>) =>
  Effect.provide(model, Layer.provide(EffectAiHttp.layer, FetchHttpClient.layer)) as Effect.Effect<LanguageModel>

const apiKey = Redacted.make(key)
const nameOf = ({ model }: Dialect): string => model.slice(model.indexOf("/") + 1)

const anthropic: Package = {
  dialect: anthropicDialect,
  keyName: "ANTHROPIC_API_KEY",
  model: (apiUrl, max_tokens) =>
    provided(
      AnthropicLanguageModel.make({
        model: nameOf(anthropicDialect),
        config: max_tokens === null ? {} : { max_tokens }
      }).pipe(Effect.provideServiceEffect(AnthropicClient.AnthropicClient, AnthropicClient.make({ apiKey, apiUrl })))
    )
}

const openAi: Package = {
  dialect: responsesDialect,
  keyName: "OPENAI_API_KEY",
  model: (origin, max_output_tokens) =>
    provided(
      OpenAiLanguageModel.make({
        model: nameOf(responsesDialect),
        config: { store: false, ...(max_output_tokens === null ? {} : { max_output_tokens }) }
      }).pipe(
        Effect.provideServiceEffect(OpenAiClient.OpenAiClient, OpenAiClient.make({ apiKey, apiUrl: `${origin}/v1` }))
      )
    )
}

/** The rows of test tables. */
export const each = [
  ["@effect/ai-anthropic", anthropic],
  ["@effect/ai-openai", openAi]
] as const
