/** Each test and each case is played by `pnpm test` or by the thorough run after it. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { type Report, unplayed } from "./PlayedTests.ts"

const thorough = fileURLToPath(new URL("thorough.ts", import.meta.url))

/** Evaluates an expression over the module's exports, in a process of that mode. */
const inMode = (mode: string | undefined, expression: string): unknown => {
  const { BOUGH_TEST_THOROUGH: _, ...env } = process.env
  const { stderr, stdout } = spawnSync(
    process.execPath,
    [
      "--input-type=module",
      "--eval",
      `const { sampled, someOf } = await import(${JSON.stringify(thorough)})
       console.log(JSON.stringify(${expression}))`
    ],
    { encoding: "utf8", env: mode === undefined ? env : { ...env, BOUGH_TEST_THOROUGH: mode } }
  )
  return stdout === "" ? assert.fail(stderr) : JSON.parse(stdout)
}

/** Returns the cases that are chosen among ten. */
const chosen = (mode: string | undefined, count: number) =>
  inMode(mode, `someOf([...Array(10).keys()], ${count})`) as ReadonlyArray<number>

const all = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]

describe("someOf", () => {
  it("leaves to the thorough run exactly the cases that it does not choose", () => {
    for (const count of [1, 4]) {
      const some = chosen(undefined, count)
      const rest = chosen("rest", count)
      assert.lengthOf(some, count)
      assert.deepStrictEqual(
        [...some, ...rest].toSorted((left, right) => left - right),
        all
      )
    }
    assert.deepStrictEqual(chosen("yes", 4), all)
  })
})

describe("sampled", () => {
  it("plays a few random cases of a property in every run, and all in a thorough one", () => {
    const property = (runs: number) => `sampled({ arbitrary: { runs: ${runs}, size: 40 } })`
    const options = (runs: number) => ({ tags: ["thorough"], arbitrary: { runs, size: 40 } })
    assert.deepStrictEqual(inMode(undefined, property(400)), options(20))
    assert.deepStrictEqual(inMode(undefined, property(3)), options(1))
    for (const mode of ["rest", "yes"]) assert.deepStrictEqual(inMode(mode, property(400)), options(400))
  })
})

describe("unplayed", () => {
  const report = (tests: Readonly<Record<string, ReadonlyArray<string>>>): Report => ({
    testResults: [
      {
        name: "a.test.ts",
        assertionResults: Object.entries(tests).map(([title, tags]) => ({ ancestorTitles: ["A"], title, tags }))
      }
    ]
  })

  it("finds nothing if each test is played in one of the runs", () => {
    const first = report({ plain: [], sampled: ["thorough"], left: ["thoroughOnly"] })
    assert.deepStrictEqual(unplayed(first, report({ sampled: ["thorough"], left: ["thoroughOnly"] })), [])
    assert.deepStrictEqual(unplayed(report({ plain: [] }), report({ plain: [], more: ["thorough"] })), [])
  })

  it("finds a test that the thorough run lacks, and a case that only an untagged test adds there", () => {
    assert.deepStrictEqual(unplayed(report({ plain: [], left: ["thoroughOnly"] }), report({ plain: [] })), [
      "a.test.ts > A > left"
    ])
    assert.deepStrictEqual(unplayed(report({ plain: [] }), report({ plain: [], more: [] })), ["a.test.ts > A > more"])
  })
})
