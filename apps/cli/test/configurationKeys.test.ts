/** docs/configuration.md lists every key of the published schema. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { configurationText, renewed } from "../build/configurationText.ts"

describe("docs/configuration.md", () => {
  it("matches the schema; apps/cli/build/configuration.ts writes it", () => {
    const written = readFileSync(new URL("../../../docs/configuration.md", import.meta.url), "utf8")
    assert.strictEqual(written, renewed(written))
  })

  it("describes keys in maps, lists and groups", () => {
    const text = configurationText()
    assert.include(text, "- `limits.maxSteps`: integer from 1")
    assert.include(text, "- `providers.NAME.apiKey`: string. API key")
    assert.isAbove(text.split("\n").length, 100)
  })
})
