/** The mistakes that a foreign project makes of the packed packages name rows of the packages' own tables. */
import { assert, describe, it } from "@effect/vitest"
import * as calls from "../packages/sdk/test/mistakes/calls.ts"
import * as declarations from "../packages/tool/test/mistakes/declarations.ts"
import { mistakes } from "./slow/mistakes.ts"

describe("a mistake of a foreign project", () => {
  it.each([
    ["declared", declarations.mistakes],
    ["called", calls.mistakes]
  ] as const)("that is %s is a row of a table", (by, rows) => {
    const names = new Set(rows.map(({ name }) => name))
    const made = mistakes.flatMap((mistake) => mistake.made).filter((each) => each.by === by)
    assert.isNotEmpty(made)
    assert.deepStrictEqual(
      made.filter(({ name }) => !names.has(name)),
      []
    )
  })
})
