/** The model as shipped: small, complete, and with unchanged vectors. */
import { assert, describe, it } from "@effect/vitest"
import { hash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { thoroughOnly } from "../../../test/thorough.ts"
import { dimension } from "../src/index.ts"
import * as RowLookup from "../src/RowLookup.ts"
import * as StaticModel from "../src/StaticModel.ts"
import * as Table from "../src/Table.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

interface Reference {
  readonly text: string
  /** Numbers in 32 bits, little-endian, in base64. */
  readonly vector: string
}

/** Made by transformers.js 4.3.1 from the model as ONNX: of the retrieval set of the bench, and of odd texts. */
const reference = JSON.parse(
  readFileSync(new URL("fixtures/reference.json", import.meta.url), "utf8")
) as ReadonlyArray<Reference>

const numbersOf = (vector: string): ReadonlyArray<number> => {
  const bytes = Buffer.from(vector, "base64")
  return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4))
}

describe("embedding-static", () => {
  it("is under 6 MB, with its licence beside it", () => {
    const files = readdirSync(`${root}model`)
    assert.deepStrictEqual(files, ["vectors.bin", "words.txt"])
    assert.isBelow(
      files.reduce((sum, file) => sum + statSync(`${root}model/${file}`).size, 0),
      6_000_000
    )
    assert.isTrue(existsSync(`${root}NOTICE.md`))
  })

  it("has a scale and the declared number of values for each of 40,000 words", () => {
    const { numbers, scales, words } = Table.load()
    assert.deepStrictEqual([new Set(words).size, scales.length, numbers.length], [40_000, 40_000, 40_000 * dimension])
    assert.isTrue(scales.every((scale) => scale > 0 && Number.isFinite(scale)))
  })

  it("reads the two files unchanged", () => {
    const { bytes, text } = Table.encode(Table.load())
    assert.isTrue(readFileSync(`${root}model/vectors.bin`).equals(bytes))
    assert.strictEqual(readFileSync(`${root}model/words.txt`, "utf8"), text)
  })

  it(
    "finds the row of every word, by search in the text and by lookup in the map, and of no other",
    thoroughOnly,
    () => {
      const { text } = Table.open()
      const words = Table.wordsIn(text)
      // A new lookup searches; a lookup that was used often has a map.
      const often = RowLookup.make(text)
      for (const word of words.slice(0, 1000)) often(word)
      for (const [row, word] of words.entries()) {
        assert.strictEqual(often(word), row)
        if (row % 500 === 0 || row > words.length - 5) assert.strictEqual(RowLookup.make(text)(word), row, word)
      }
      for (const word of ["", "qqqqq", "th", "e", words.at(-1)?.slice(1) ?? ""]) {
        assert.strictEqual(RowLookup.make(text)(word), often(word), word)
      }
      assert.isUndefined(often("qqqqq"))
    }
  )

  it("gives the vectors of its identity", thoroughOnly, () => {
    const { embed, identity } = StaticModel.load()
    // An update to another one embeds all notes again: its number changes if these vectors change.
    assert.strictEqual(identity, "static-1 sha256:1f0859ace55d62553acf547a83a8e220bcf23a10c7e78a70595d5ac33b2acfb6")
    const files = ["words.txt", "vectors.bin"].map((file) => readFileSync(`${root}model/${file}`))
    assert.strictEqual(Table.digest, hash("sha256", Buffer.concat(files)))
    assert.isAbove(reference.length, 150)
    const { vectors } = embed(reference.map(({ text }) => text))
    reference.forEach(({ text, vector }, n) => {
      const expected = numbersOf(vector)
      assert.lengthOf(expected, dimension)
      const far = expected.map((x, i) => Math.abs(x - vectors[n * dimension + i]))
      assert.isBelow(Math.max(...far), 1e-4, text)
    })
  })
})
