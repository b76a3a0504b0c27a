import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { UpdatePlan } from "../src/index.ts"
import { run } from "./Harness.ts"

type Status = "pending" | "active" | "done"
const items = (...statuses: ReadonlyArray<Status>) =>
  statuses.map((status, index) => ({ text: `part ${index}`, status }))

describe("update_plan", () => {
  it.effect("shows the progress of the work, and the current item", () =>
    Effect.gen(function* () {
      const cases = [
        [items("done", "done", "active", "pending", "pending"), "Plan 2/5: part 2", 2, 5],
        [items("pending", "done", "pending"), "Plan 1/3: part 0", 1, 3],
        [items("done", "done"), "Plan 2/2", 2, 2],
        [[], "The plan is empty", 0, 0]
      ] as const
      for (const [input, display, done, total] of cases) {
        const result = yield* run(UpdatePlan, { items: input })
        assert.deepStrictEqual([result.display, result.output], [display, { done, total }])
      }
    })
  )

  it("accepts at most one active item, 32 items, 240 characters on one line", () => {
    const isFit = Schema.is(UpdatePlan.parameters)
    const texts = (...args: ReadonlyArray<string>) => args.map((text) => ({ text, status: "pending" as const }))
    assert.isTrue(isFit({ items: texts(...Array.from({ length: 32 }, () => "a".repeat(240))) }))
    assert.isFalse(isFit({ items: texts(...Array.from({ length: 33 }, () => "a")) }))
    assert.isFalse(isFit({ items: texts("a".repeat(241)) }))
    for (const text of ["", "one\ntwo", "\u001b[2J"])
      assert.isFalse(isFit({ items: texts(text) }), JSON.stringify(text))
    assert.isFalse(isFit({ items: items("active", "active") }))
  })
})
