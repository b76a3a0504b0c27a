/** Tests of the table of prices and context sizes, and of its precedence. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as KnownModels from "../src/KnownModels.ts"
import { costUsd, highestPrices } from "../src/Price.ts"
import * as Registry from "../src/Registry.ts"

const environment = { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k", GEMINI_API_KEY: "k" }
const choose = (model: string | null, more: Partial<Registry.Settings> = {}) =>
  Registry.choose({ model, environment, ...more })

describe("KnownModels", () => {
  it("states for every figure when and where it was published, and knows no price that is free", () => {
    for (const { contextTokens, later, price, source } of Object.values(KnownModels.tables).flatMap(Object.values)) {
      assert.match(source.asOf, /^20\d\d-[01]\d-[0-3]\d$/)
      assert.match(source.url, /^https:\/\//)
      assert.isAbove(contextTokens, 8000)
      for (const rates of [price, price?.longPrompt, later?.price]) {
        if (rates === null || rates === undefined) continue
        assert.isAbove(rates.inputPerMillionUsd, 0)
        assert.isAbove(rates.outputPerMillionUsd, rates.inputPerMillionUsd)
        assert.isBelow(rates.cachedInputPerMillionUsd ?? Infinity, rates.inputPerMillionUsd)
      }
    }
  })

  it("resolves a dated name to the model of the snapshot, and no other name", () => {
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

  it("charges cache reads and writes at their own prices", () => {
    const { price } = KnownModels.find("anthropic/claude-sonnet-4-5")!
    const tokens = { input: 1_000_000, cachedInput: 600_000, writtenInput: 200_000, output: 100_000 }
    assert.closeTo(costUsd(price!, tokens), 0.2 * 3 + 0.6 * 0.3 + 0.2 * 3.75 + 1.5, 1e-9)
  })

  it("charges the entire request with a long prompt at the prices of long ones", () => {
    const { price } = KnownModels.find("anthropic/claude-haiku-5-5")!
    const tokens = { input: 100_000, cachedInput: 40_000, writtenInput: 10_000, output: 1_000_000 }
    assert.closeTo(costUsd(price!, tokens), 0.05 * 0.1 + 0.04 * 0.01 + 0.01 * 0.125 + 0.5, 1e-9)
    assert.closeTo(
      costUsd(price!, { ...tokens, input: 100_001, cachedInput: 40_001 }),
      0.05 * 0.5 + 0.040001 * 0.05 + 0.01 * 0.625 + 2.5,
      1e-9
    )
    // A step's limit is its maximum cost.
    assert.deepStrictEqual(highestPrices(price!), { inputPerMillionUsd: 0.625, outputPerMillionUsd: 2.5 })
  })

  it.effect("uses an announced price from its first day on", () =>
    Effect.gen(function* () {
      for (const [day, model, price] of [
        ["2026-11-30T23:59:59Z", "google/gemini-4-argon", 10],
        ["2026-12-01T00:00:00Z", "google/gemini-4-argon", 20],
        ["2026-12-31T23:59:59Z", "google/gemini-3.8-flash", 3.75],
        ["2027-01-01T00:00:00Z", "google/gemini-3.8-flash", 7.5]
      ] as const) {
        yield* TestClock.setTime(Date.parse(day))
        assert.strictEqual((yield* choose(model)).model.outputPerMillionUsd, price)
      }
    })
  )

  it.effect("prices the models that providers use by default", () =>
    Effect.gen(function* () {
      for (const provider of ["anthropic", "openai", "google"]) {
        const { model } = yield* choose(provider)
        assert.isTrue(model.priced, provider)
        assert.isNotNull(model.contextTokens)
      }
    })
  )

  it.effect("leaves unknown models and models with unclear prices unpriced", () =>
    Effect.gen(function* () {
      for (const name of ["anthropic/claude-next", "google/gemini-3.5-flash", "ollama/llama"]) {
        assert.isFalse((yield* choose(name)).model.priced, name)
      }
      assert.strictEqual((yield* choose("google/gemini-3.5-flash")).model.contextTokens, 1_048_576)
      assert.isNull((yield* choose("anthropic/claude-next")).model.contextTokens)
    })
  )

  it.effect("yields to configured prices", () =>
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
