/** Ids of frames. */
import { Frame } from "@bough/gateway-api"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"

const Place = Schema.Struct({ commit: Schema.Natural, index: Schema.Natural })

describe("Frame", () => {
  it.prop("reads every id that it writes", [Place], ([place]) => {
    const small = { commit: place.commit % 1e15, index: place.index % 1e15 }
    assert.deepStrictEqual(Frame.parse(Frame.format(small)), small)
  })

  it.prop("orders two positions in one way", [Place, Place], ([a, b]) => {
    const isSame = a.commit === b.commit && a.index === b.index
    assert.strictEqual(Number(Frame.isAfter(a, b)) + Number(Frame.isAfter(b, a)), isSame ? 0 : 1)
  })

  it("parses no other text", () => {
    for (const text of ["", "1", "1.", ".1", "01.2", "1.2.3", "-1.2", "1.2 ", "latest"]) {
      assert.isNull(Frame.parse(text), text)
    }
  })
})
