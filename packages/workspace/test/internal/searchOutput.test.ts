import { assert, describe, it } from "@effect/vitest"
import { thoroughOnly } from "../../../../test/thorough.ts"
import { matches, reader } from "../../src/internal/searchOutput.ts"

const record = (type: string, data: object): string => `${JSON.stringify({ type, data })}\n`
const path = { text: "./grün/a.ts" }
const match = (line: number, lines: object) =>
  record("match", { path, lines, line_number: line, submatches: [{ start: 3, end: 9 }] })

const first = match(1, { text: "ä needle\n" })
const second = match(7, { bytes: Buffer.from("\xe4x needle\n", "latin1").toString("base64") })
const output = Buffer.from(
  [
    record("begin", { path: { text: "none" } }),
    record("end", { path: { text: "none" } }),
    record("begin", { path }),
    first,
    second,
    record("end", { path }),
    record("begin", { path: { bytes: "/w==" } }),
    record("match", { path: { bytes: "/w==" }, lines: { text: "x" }, line_number: 1, submatches: [] }),
    record("end", { path: { bytes: "/w==" } })
  ].join("")
)
const expected = [
  { path: "grün/a.ts", line: 1, text: "ä needle\n", column: 2, endColumn: 8 },
  { path: "grün/a.ts", line: 7, text: "äx needle\n", column: 3, endColumn: 9 }
]

describe("The output of ripgrep", () => {
  it("is the same in pieces of any length", thoroughOnly, () => {
    for (let length = 1; length <= output.length; length++) {
      const files: Array<unknown> = []
      const { finish, push } = reader((found) => files.push(found))
      for (let at = 0; at < output.length; at += length) push(output.subarray(at, at + length))
      assert.deepStrictEqual(finish(), expected, `pieces of ${length}`)
      assert.deepStrictEqual(files, [expected], `pieces of ${length}`)
    }
  })

  it("names a file as soon as it is searched, and not before", () => {
    const end = output.indexOf(record("begin", { path: { bytes: "/w==" } }))
    const found: Array<unknown> = []
    const { push } = reader((file) => found.push(file))
    push(output.subarray(0, output.indexOf(second) + second.length))
    assert.deepStrictEqual(found, [])
    push(output.subarray(output.indexOf(second) + second.length, end))
    assert.deepStrictEqual(found, [expected])
  })

  it("is read up to a line that was cut", () => {
    assert.deepStrictEqual(matches(output.subarray(0, output.indexOf(second) + 20)), expected.slice(0, 1))
  })
})
