/** A misspelled name resolves to the nearest known one. */
import { assert, describe, it } from "@effect/vitest"
import { nearest } from "../../src/config/Nearest.ts"

describe("nearest", () => {
  it("finds the intended name, and nothing if no name is near", () => {
    const known = ["model", "limits", "read_file"]
    assert.deepStrictEqual(
      ["modle", "limit", "raed_file", "colour", ""].map((name) => nearest(name, known)),
      ["model", "limits", "read_file", null, null]
    )
  })
})
