/** Tests of what the bundle divides text with: the same graphemes as those of the platform. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { "Intl.Segmenter" as LateSegmenter } from "../build/LateSegmenter.ts"
import { lone } from "../build/LoneCharacters.ts"

const platform = new Intl.Segmenter(undefined, { granularity: "grapheme" })
const late = new LateSegmenter()

interface Divider {
  readonly segment: (text: string) => Pick<Intl.Segments, "containing"> & Iterable<Intl.SegmentData>
}

/** All graphemes of a text, then the one around each of its units. */
const divided = (segmenter: Divider, text: string) => {
  const segments = segmenter.segment(text)
  const around = Array.from({ length: text.length }, (_, index) => segments.containing(index)!)
  return [...segments, ...around].map(({ index, segment }) => ({ index, segment }))
}

describe("LateSegmenter", () => {
  it("knows no character as lone that joins one of its kind, whatever its neighbour", () => {
    const isLone = new RegExp(`^[${lone}]$`)
    const characters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter((character) =>
      isLone.test(character)
    )
    assert.isAbove(characters.length, 1_000)
    // What stands alone between others of all kinds has no kind that joins.
    const text = characters.map((character) => `${character}${character}a${character} ${character}\u001B`).join("")
    assert.strictEqual([...platform.segment(text)].length, text.length)
  })

  it.prop("divides any text as the platform does", [Schema.String], ([text]) => {
    assert.deepStrictEqual(divided(late, text), divided(platform, text))
  })

  it.each(["", "plain", "a\r\nb", "e\u0301", "👩‍👩‍👧 family", "한국어", "\u001B[1mbold\u001B[22m", "🇩🇪🇫🇷", "a\u200Db"])(
    "divides %j as the platform does",
    (text) => {
      assert.deepStrictEqual(divided(late, text), divided(platform, text))
    }
  )
})
