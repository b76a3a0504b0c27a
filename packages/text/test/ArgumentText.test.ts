/** The arguments of a call as a user reads them. */
import { assert, describe, it } from "@effect/vitest"
import * as ArgumentText from "../src/ArgumentText.ts"

const facts = (value: unknown): string => ArgumentText.facts(JSON.stringify(value)).join("\n")

describe("the arguments of a call", () => {
  it("have a line for each item of a list, and for each field of an object", () => {
    const items = [{ text: "Read it", status: "done" }, { text: "Change it\nin two places" }]
    assert.strictEqual(
      facts({ path: "a.txt", items, paths: ["one", "two"], none: [], ignoreCase: true, from: null }),
      `path: a.txt
items:
  - text: Read it
    status: done
  - text:
      Change it
      in two places
paths:
  - one
  - two
none: none
ignoreCase: true
from: none`
    )
  })

  it("are the written text if that is not a JSON object", () => {
    assert.deepStrictEqual(ArgumentText.facts('{"path": "a'), ['arguments: {"path": "a'])
    assert.deepStrictEqual(ArgumentText.facts(""), [])
  })

  it("cannot be imitated by a value or by a name", () => {
    assert.strictEqual(facts({ a: "x\nallow: y", "b\nc: d": 1 }), 'a:\n  x\n  allow: y\n"b\\nc: d": 1')
  })
})
