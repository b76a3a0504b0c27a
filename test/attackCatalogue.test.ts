/** The catalogue of attacks on Bough: each row names its test, or the reason why it has no surface. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"

interface Row {
  readonly id: string
  readonly attack: string
  readonly expected: string
  /** A file with tests, and the title of the one that plays the attack. */
  readonly file?: string
  readonly test?: string
  /** Why it has no surface. */
  readonly none?: string
}

const catalogue = JSON.parse(
  readFileSync(new URL("attackCatalogue.json", import.meta.url), "utf8")
) as ReadonlyArray<Row>
const texts = new Map<string, string>()
const textOf = (file: string): string => {
  const text = texts.get(file) ?? (existsSync(file) ? readFileSync(file, "utf8") : "")
  texts.set(file, text)
  return text
}

describe("The catalogue of attacks", () => {
  it("has a test for each row whose surface exists", () => {
    const uncovered = catalogue.filter(({ file = "", none, test = "" }) =>
      none === undefined ? test.length < 3 || !textOf(file).includes(test) : file !== ""
    )
    assert.deepStrictEqual(
      uncovered.map(({ id }) => id),
      []
    )
  })

  it("has each row once, and few rows without a surface", () => {
    assert.strictEqual(new Set(catalogue.map(({ id }) => id)).size, catalogue.length)
    assert.isAtLeast(catalogue.length, 180)
    assert.isAtMost(catalogue.filter(({ none }) => none !== undefined).length, 5)
  })
})
