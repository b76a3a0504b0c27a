/** Reports of a server that publishes more than anyone reads. */
import type { CodeIntelligence } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as PublishedProblems from "../src/client/PublishedProblems.ts"

const problem: CodeIntelligence.Problem = {
  line: 1,
  column: 1,
  endLine: 1,
  endColumn: 2,
  severity: "error",
  message: "wrong",
  code: null,
  source: null
}
const report = (count: number) => ({ problems: Array.from({ length: count }, () => problem), version: null })

const kept = (published: PublishedProblems.PublishedProblems, files: number): ReadonlyArray<number> =>
  Array.from({ length: files }, (_, at) => at).filter((at) => published.problemsOf(`${at}.txt`) !== null)

describe("published problems", () => {
  it("of the oldest files are dropped beyond a number of files", () => {
    const published = PublishedProblems.make()
    for (let at = 0; at < 2100; at++) published.publish(`${at}.txt`, report(1))
    assert.lengthOf(kept(published, 2100), 2000)
    assert.isNull(published.problemsOf("99.txt"))
  })

  it("of the oldest files are dropped beyond a number of problems, however often a file is reported", () => {
    const published = PublishedProblems.make()
    for (let at = 0; at < 30; at++) published.publish(`${at}.txt`, report(1000))
    assert.deepStrictEqual(
      kept(published, 30),
      Array.from({ length: 20 }, (_, at) => at + 10)
    )
    for (let round = 0; round < 100; round++) published.publish("29.txt", report(1000))
    assert.lengthOf(kept(published, 30), 20)
    for (let at = 10; at < 30; at++) published.publish(`${at}.txt`, report(0))
    assert.lengthOf(kept(published, 30), 20)
  })
})
