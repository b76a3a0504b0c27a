/** The search for anchors finds each of them at any position, also across the chunks in which a text is read. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as AnchorSearch from "../../src/secrets/AnchorSearch.ts"
import { furtherRules } from "../../src/secrets/FurtherRules.ts"
import { secretlintRules } from "../../src/secrets/SecretlintRules.ts"

const anchors = [...new Set([...secretlintRules, ...furtherRules].flatMap(({ anchors }) => anchors))]
const search = AnchorSearch.make(anchors)

type FoundAnchors = ReadonlyArray<readonly [at: number, anchor: string]>

const foundIn = (text: string, from = 0): FoundAnchors => {
  const found: Array<readonly [number, string]> = []
  search.each(text, from, (at, anchor) => found.push([at, anchor]))
  return found
}

const occurrences = (text: string, from = 0): FoundAnchors =>
  Array.from({ length: Math.max(0, text.length - from) }, (_, index) => from + index).flatMap((at) =>
    anchors.filter((anchor) => text.startsWith(anchor, at)).map((anchor) => [at, anchor] as const)
  )

/** Anchors, prefixes and suffixes of them, and anchors with a character whose low byte is that of the right one. */
const Pieces = Schema.Array(
  Schema.Union([
    Schema.Literals(anchors),
    Schema.Literals(anchors.map((anchor) => anchor.slice(0, -1))),
    Schema.Literals(anchors.map((anchor) => anchor.slice(2))),
    Schema.Literals(anchors.map((anchor) => String.fromCharCode(0x100 + anchor.charCodeAt(0)) + anchor.slice(1))),
    Schema.String
  ])
)

describe("the search for anchors", () => {
  it.prop("finds the same as a check at each position", [Pieces, Schema.Literals([0, 1, 2, 7])], ([pieces, from]) => {
    const text = pieces.join("")
    assert.deepStrictEqual(foundIn(text, from), occurrences(text, from))
  })

  it("finds each anchor once at each place around the end of a chunk", () => {
    const longest = Math.max(...anchors.map(({ length }) => length))
    const oneOfEachLength = new Map(anchors.map((anchor) => [anchor.length, anchor])).values()
    for (const anchor of oneOfEachLength) {
      for (let at = 65_536 - longest - 1; at <= 65_537; at++) {
        const text = " ".repeat(at) + anchor
        assert.deepStrictEqual(foundIn(text), occurrences(text, at - 10), `${anchor} at ${at}`)
      }
      const text = `${" ".repeat(65_536 - 2)}${anchor}${" ".repeat(131_072)}${anchor}`
      assert.strictEqual(foundIn(text).filter(([, found]) => found === anchor).length, 2, anchor)
    }
  })

  it("refuses an anchor that its tables cannot hold", () => {
    for (const anchor of ["ab", "", "schl\u00fcssel"])
      assert.throws(() => AnchorSearch.make([anchor]), /cannot be an anchor/)
  })
})
