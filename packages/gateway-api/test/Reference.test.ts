/** The reference of the API matches the definition. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { referenceText } from "../build/referenceText.ts"

describe("docs/gateway-api.md", () => {
  it("matches the definition; node packages/gateway-api/build/reference.ts writes it", () => {
    const written = readFileSync(new URL("../../../docs/gateway-api.md", import.meta.url), "utf8")
    assert.isTrue(written === referenceText(), "the reference is out of date")
  })

  it("gives a name to each long type within another", () => {
    assert.deepStrictEqual(
      referenceText()
        .split("\n")
        .filter((line) => line.length > 700),
      []
    )
  })

  it("names every operation", () => {
    const text = referenceText()
    assert.include(text, "### `POST /api/v1/sessions`\n\nCreate a session. `sessions.create`")
    assert.notMatch(text, /^(\w+\.\w+)\. `\1`$/mu)
  })
})
