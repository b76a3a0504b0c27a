/** Tests of what is left of an output for the model. */
import { Canonical } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Bound from "../src/Bound.ts"
import { Ledger } from "../src/index.ts"

const bounded = (text: string) => {
  const spilled: Array<Uint8Array> = []
  return Effect.map(
    Effect.provideService(Bound.bound(text), Ledger.Ledger, {
      started: () => Effect.void,
      ended: () => Effect.void,
      spill: (bytes) =>
        Effect.sync(() => {
          spilled.push(bytes)
          return Canonical.digest(bytes)
        })
    }),
    (result) => ({ ...result, spilled })
  )
}

/** Around the limit, of characters of one to four bytes. */
const around = Arbitrary.map(
  Arbitrary.schema(
    Schema.Struct({
      unit: Schema.Literals(["a", "é", "€", "😀", "a😀", "€é"]),
      offset: Schema.Literals([-2_000, -40, -3, -2, -1, 0, 1, 2, 3, 40, 2_000, 40_000])
    })
  ),
  ({ offset, unit }) => unit.repeat(Math.ceil((Bound.maxBytes + offset) / Buffer.byteLength(unit)))
)

describe("Bound", () => {
  it.effect.prop("never exceeds the limit, never splits a character, never loses what fits", [around], ([text]) =>
    Effect.gen(function* () {
      const { output, outputBlob, outputDigest, spilled } = yield* bounded(text)
      const bytes = Buffer.byteLength(text)
      assert.isTrue(Buffer.byteLength(output) <= Bound.maxBytes)
      assert.isTrue(output.isWellFormed() && !output.includes("\ufffd"))
      assert.strictEqual(outputDigest, Canonical.digest(text))
      if (bytes <= Bound.maxBytes) {
        assert.strictEqual(output, text)
        assert.isNull(outputBlob)
        assert.lengthOf(spilled, 0)
        return
      }
      assert.strictEqual(outputBlob, outputDigest)
      assert.strictEqual(new TextDecoder().decode(spilled[0]), text)
      const kept = output.slice(0, output.indexOf("\n["))
      assert.isTrue(text.startsWith(kept))
      assert.isTrue(Buffer.byteLength(kept) > Bound.maxBytes - 300)
      assert.include(output, `[output truncated — original size: ${bytes} bytes]`)
      assert.include(output, `read_file with path "blob:${outputBlob}"`)
    })
  )

  it.prop("a shortened message never exceeds the limit, never splits a character", [around], ([text]) => {
    const short = Bound.shorten(text)
    assert.isTrue(Buffer.byteLength(short) <= Bound.maxBytes)
    assert.isTrue(short.isWellFormed() && !short.includes("\ufffd"))
    assert.strictEqual(short === text, Buffer.byteLength(text) <= Bound.maxBytes)
  })
})
