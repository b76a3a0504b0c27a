/** Tests of the truncated output for the model. */
import { Canonical } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Ledger } from "../src/index.ts"
import * as TruncateOutput from "../src/TruncateOutput.ts"

const bounded = (text: string) => {
  const spilled: Array<Uint8Array> = []
  return Effect.map(
    Effect.provideService(TruncateOutput.truncate(text), Ledger.Ledger, {
      started: () => Effect.void,
      secure: Effect.void,
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
  ({ offset, unit }) => unit.repeat(Math.ceil((TruncateOutput.maxBytes + offset) / Buffer.byteLength(unit)))
)

describe("Bound", () => {
  it.effect.prop("never exceeds the limit, never splits a character, never loses text that fits", [around], ([text]) =>
    Effect.gen(function* () {
      const { blob, digest, spilled, text: kept } = yield* bounded(text)
      const bytes = Buffer.byteLength(text)
      assert.isTrue(Buffer.byteLength(kept) <= TruncateOutput.maxBytes)
      assert.isTrue(kept.isWellFormed() && !kept.includes("\ufffd"))
      assert.strictEqual(digest, Canonical.digest(text))
      if (bytes <= TruncateOutput.maxBytes) {
        assert.strictEqual(kept, text)
        assert.isNull(blob)
        assert.lengthOf(spilled, 0)
        return
      }
      assert.strictEqual(blob, digest)
      assert.strictEqual(new TextDecoder().decode(spilled[0]), text)
      const marker = `\n[output truncated — original size: ${bytes} bytes]\nread_file with path "blob:${blob}" pages through the whole\n`
      const [head = "", tail = "", ...more] = kept.split(marker)
      assert.lengthOf(more, 0)
      assert.isTrue(text.startsWith(head) && text.endsWith(tail))
      const room = TruncateOutput.maxBytes - Buffer.byteLength(marker)
      assert.isTrue(Math.abs(Buffer.byteLength(head) - room * 0.2) <= 4)
      assert.isTrue(Buffer.byteLength(head) + Buffer.byteLength(tail) > room - 8)
    })
  )

  it.prop("a shortened message never exceeds the limit, never splits a character", [around], ([text]) => {
    const short = TruncateOutput.shorten(text)
    assert.isTrue(Buffer.byteLength(short) <= TruncateOutput.maxBytes)
    assert.isTrue(short.isWellFormed() && !short.includes("\ufffd"))
    assert.strictEqual(short === text, Buffer.byteLength(text) <= TruncateOutput.maxBytes)
  })

  it.effect("truncates text that no model reads further", () =>
    Effect.gen(function* () {
      const text = "x".repeat(TruncateOutput.maxBytes + 1)
      const spilled: Array<Uint8Array> = []
      const bounded = yield* Effect.provideService(TruncateOutput.boundUnread(text), Ledger.Ledger, {
        started: () => Effect.void,
        secure: Effect.void,
        ended: () => Effect.void,
        spill: (bytes) => Effect.sync(() => Canonical.digest(spilled[spilled.push(bytes) - 1]))
      })
      assert.isBelow(bounded.text.length, 1100)
      assert.notInclude(bounded.text, "blob:")
      assert.strictEqual(bounded.blob, Canonical.digest(text))
      assert.lengthOf(spilled, 1)
    })
  )
})
