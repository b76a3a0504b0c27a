/** A first start offers the models that the environment and this machine have. */
import { assert, describe, it } from "@effect/vitest"
import * as ModelCandidates from "../../src/model/ModelCandidates.ts"

describe("ModelCandidates", () => {
  const server = { baseUrl: "http://127.0.0.1:8080/v1", models: ["a", "b c", "d".repeat(101)] }
  const offline = { name: "offline/planner", reason: "no model is configured" }

  it("are the models with a key in the environment, then local ones with a name that can be configured", () => {
    const found = ModelCandidates.modelCandidates(
      [{ name: "openai/gpt", reason: "OPENAI_API_KEY is set" }, offline],
      [{ ...server, provider: "openai-compatible", isConfigured: false }]
    )
    assert.deepStrictEqual(found, [
      { model: "openai/gpt", reason: "OPENAI_API_KEY is set", baseUrl: null },
      { model: "openai-compatible/a", reason: "runs here, at 127.0.0.1:8080", baseUrl: server.baseUrl }
    ])
  })

  it("are the models of a configured server that answers, and the default of one that does not", () => {
    const ollama = { name: "ollama/default", reason: "OLLAMA_HOST is set" }
    assert.deepStrictEqual(
      ModelCandidates.modelCandidates([ollama, offline], [{ ...server, provider: "ollama", isConfigured: true }]),
      [{ model: "ollama/a", reason: "runs here, at 127.0.0.1:8080", baseUrl: null }]
    )
    assert.deepStrictEqual(ModelCandidates.modelCandidates([ollama, offline], []), [
      { model: "ollama/default", reason: "OLLAMA_HOST is set", baseUrl: null }
    ])
    assert.deepStrictEqual(ModelCandidates.modelCandidates([offline], []), [])
  })
})
