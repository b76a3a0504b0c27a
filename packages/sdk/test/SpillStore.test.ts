/** Tests of storing full outputs within limits. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SpillStore from "../src/SpillStore.ts"

const mebibytes = (count: number, fill: number): Uint8Array => new Uint8Array(count * 1024 ** 2).fill(fill)

describe("SpillStore", () => {
  it.effect("returns a stored output, by digest", () =>
    Effect.gen(function* () {
      const spilled = SpillStore.make()
      const digest = spilled.keep(new Uint8Array([1, 2, 3]))
      assert.deepStrictEqual(yield* spilled.capability.read(digest), new Uint8Array([1, 2, 3]))
      const missing = yield* Effect.flip(spilled.capability.read("sha256:0"))
      assert.strictEqual(missing._tag, "ExecutionError")
    })
  )

  it("evicts the oldest outputs first, and never the newest", () => {
    const spilled = SpillStore.make()
    const [first, second] = [spilled.keep(mebibytes(30, 1)), spilled.keep(mebibytes(30, 2))]
    // Stored again, so the newer of the two.
    spilled.keep(mebibytes(30, 1))
    const third = spilled.keep(mebibytes(30, 3))
    assert.isUndefined(spilled.get(second))
    assert.isDefined(spilled.get(first))
    const huge = spilled.keep(mebibytes(100, 4))
    assert.deepStrictEqual(
      [first, third, huge].map((digest) => spilled.get(digest)?.length ?? null),
      [null, null, 100 * 1024 ** 2]
    )
  })
})
