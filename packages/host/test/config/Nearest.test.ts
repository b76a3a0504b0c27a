/** A misspelled name stands for the nearest known one. */
import { assert, describe, it } from "@effect/vitest"
import { nearest } from "../../src/config/Nearest.ts"

describe("nearest", () => {
  it("finds what was meant, and nothing where nothing is near", () => {
    const known = ["model", "limits", "read_file"]
    assert.deepStrictEqual(
      ["modle", "limit", "raed_file", "colour", ""].map((name) => nearest(name, known)),
      ["model", "limits", "read_file", null, null]
    )
  })
})
