import { assert, describe, it } from "@effect/vitest"
import { Registry, SmallModels } from "../src/index.ts"
import * as KnownModels from "../src/KnownModels.ts"

const keys = { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k", GOOGLE_GENERATIVE_AI_API_KEY: "k" }

describe("the small model of a provider", () => {
  it("is a known model of the same provider, and much cheaper than its default model", () => {
    const sum = (name: string) => {
      const price = KnownModels.find(name)?.price
      return (price?.inputPerMillionUsd ?? NaN) + (price?.outputPerMillionUsd ?? NaN)
    }
    const paid = Registry.listConfigured(keys).filter(({ name }) => KnownModels.find(name) !== null)
    assert.isAtLeast(paid.length, 3)
    for (const { name } of paid) {
      const small = SmallModels.smallModelOf(name, keys)
      assert.strictEqual(small?.split("/")[0], name.split("/")[0])
      assert.isBelow(sum(small ?? ""), sum(name) / 1.5, name)
    }
  })

  it("does not exist for the small model itself, a model that is as cheap, other providers, or a replaced server", () => {
    for (const provider of Object.keys(KnownModels.tables)) {
      const small = SmallModels.smallModelOf(`${provider}/a-new-one`, {})
      assert.isNotNull(small)
      assert.isNull(SmallModels.smallModelOf(small ?? "", {}))
    }
    assert.isNull(SmallModels.smallModelOf("openai/gpt-5-nano", {}))
    for (const name of ["ollama/llama3.2", "openai-compatible/x", "offline/planner", "toString/x", "x"]) {
      assert.isNull(SmallModels.smallModelOf(name, {}), name)
    }
    assert.isNull(SmallModels.smallModelOf("openai/gpt-6-sol", { OPENAI_BASE_URL: "http://localhost:1/v1" }))
  })
})
