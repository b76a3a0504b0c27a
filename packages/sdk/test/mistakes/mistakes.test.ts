/** Tests of what is said about mistakes that show when an opened pack is called. */
import { assert, describe, it } from "@effect/vitest"
import { mistakes } from "./calls.ts"

describe("a mistake in a call", () => {
  it.each(mistakes)("$name is named", async ({ make, says }) => {
    assert.include(await make(), says)
  })
})
