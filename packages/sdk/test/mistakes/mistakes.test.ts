/** Tests of the messages for mistakes in calls of an opened pack. */
import { assert, describe, it } from "@effect/vitest"
import { mistakes } from "./calls.ts"

describe("a mistake in a call", () => {
  it.each(mistakes)("$name is named", async ({ make, says }) => {
    assert.include(await make(), says)
  })
})
