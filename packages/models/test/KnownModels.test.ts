/** Tests of the table of prices and context sizes, and of who wins over it. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as KnownModels from "../src/KnownModels.ts"
import { costUsd } from "../src/Price.ts"
import * as Registry from "../src/Registry.ts"

const environment = { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k", GEMINI_API_KEY: "k" }
const choose = (model: string | null, more: Partial<Registry.Settings> = {}) =>
  Registry.choose({ model, environment, ...more })

describe("KnownModels", () => {
  it("says of every table when and where it was read, and knows no price that is free", () => {
    for (const { asOf, models, source } of Object.values(KnownModels.tables)) {
      assert.match(asOf, /^20\d\d-[01]\d-[0-3]\d$/)
      assert.match(source, /^https:\/\//)
      for (const { contextTokens, price } of Object.values(models)) {
        assert.isAbove(contextTokens, 8000)
        if (price === null) continue
        assert.isAbove(price.inputPerMillionUsd, 0)
        assert.isAbove(price.outputPerMillionUsd, price.inputPerMillionUsd)
        assert.isBelow(price.cachedInputPerMillionUsd ?? 0, price.inputPerMillionUsd)
      }
    }
  })

  it("takes a dated name for the model that it is a snapshot of, and nothing else", () => {
    const sonnet = KnownModels.find("anthropic/claude-sonnet-4-5")
    assert.isNotNull(sonnet)
    assert.strictEqual(KnownModels.find("anthropic/claude-sonnet-4-5-20250929"), sonnet)
    assert.isNotNull(KnownModels.find("openai/gpt-5-mini-2025-08-07"))
    for (const name of [
      "anthropic/claude-sonnet-4-5-fast",
      "openai/claude-sonnet-4-5",
      "openai-compatible/gpt-5-mini",
      "openai/toString",
      "constructor/name",
      "gpt-5-mini"
    ]) {
      assert.isNull(KnownModels.find(name), name)
    }
  })

  it("charges what was read from and written to the cache at their own prices", () => {
    const { price } = KnownModels.find("anthropic/claude-sonnet-4-5")!
    const tokens = { input: 1_000_000, cachedInput: 600_000, writtenInput: 200_000, output: 100_000 }
    assert.closeTo(costUsd(price!, tokens), 0.2 * 3 + 0.6 * 0.3 + 0.2 * 3.75 + 1.5, 1e-9)
  })

  it.effect("prices the models that providers stand for where none is named", () =>
    Effect.gen(function* () {
      for (const provider of ["anthropic", "openai", "google"]) {
        const { model } = yield* choose(provider)
        assert.isTrue(model.priced, provider)
        assert.isNotNull(model.contextTokens)
      }
    })
  )

  it.effect("leaves a model unpriced that it does not know, or whose price it cannot say", () =>
    Effect.gen(function* () {
      for (const name of ["anthropic/claude-next", "google/gemini-2.5-pro", "ollama/llama"]) {
        assert.isFalse((yield* choose(name)).model.priced, name)
      }
      assert.strictEqual((yield* choose("google/gemini-2.5-pro")).model.contextTokens, 1_048_576)
      assert.isNull((yield* choose("anthropic/claude-next")).model.contextTokens)
    })
  )

  it.effect("gives way to what is configured", () =>
    Effect.gen(function* () {
      const name = "anthropic/claude-next"
      const prices = { [name]: { inputPerMillionUsd: 1, outputPerMillionUsd: 2 } }
      const contextTokens = { [name]: 5, "openai/gpt-5": 7 }
      assert.isTrue((yield* choose(name, { prices })).model.priced)
      assert.strictEqual((yield* choose(name, { contextTokens })).model.contextTokens, 5)
      assert.strictEqual((yield* choose("openai/gpt-5", { contextTokens })).model.contextTokens, 7)
    })
  )
})
