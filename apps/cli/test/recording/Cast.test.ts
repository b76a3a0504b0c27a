/** The file of a recording: it is read back unchanged, and playing it does no harm. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Cast from "../../recording/Cast.ts"

const event = Schema.Struct({
  seconds: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1000 })),
  kind: Schema.Literals(["o", "m"]),
  text: Schema.String
})

/** The output of a program, and sequences to the terminal below it. */
const harmless = [
  "words",
  "é世🌳",
  "\r\n",
  "\u001B[1m",
  "\u001B[39m",
  "\u001B[2K",
  "\u001B[?2026h",
  "\u001B[?25l",
  "\u001B[3A"
]
const talk = ["\u001B]11;?\u0007", "\u001B[?2004h", "\u001B[>1u", "\u001B[>4;1m", "\u001B[<u", "\u001B[?u", "\u001B[c"]
const anyOutput = Schema.Array(Schema.Literals([...harmless, ...talk]))

describe("Cast", () => {
  it.prop("reads its own output", [Schema.Array(event)], ([events]) => {
    const cast = { columns: 80, rows: 24, title: "A title", events }
    assert.deepStrictEqual(Cast.decode(Cast.encode(cast)), cast)
  })

  it("begins with a header that players know, and has an event a line", () => {
    const file = Cast.encode({
      columns: 80,
      rows: 24,
      title: "T",
      events: [{ seconds: 0.5, kind: "o", text: "a\r\n" }]
    })
    const [header, line] = file.split("\n").filter((row) => row !== "")
    assert.deepInclude(JSON.parse(header), { version: 2, width: 80, height: 24, title: "T" })
    assert.strictEqual(line, String.raw`[0.5,"o","a\r\n"]`)
  })

  it.prop(
    "removes queries that a terminal would answer, wherever the output is split, and nothing else",
    [anyOutput, Schema.Literals([1, 2, 5])],
    ([written, size]) => {
      const chunks = written.join("").match(new RegExp(`[^]{1,${size}}`, "gu")) ?? []
      let held = ""
      let kept = ""
      for (const chunk of chunks) {
        const [whole, rest] = Cast.cutAtSequence(held + chunk)
        held = rest
        kept += Cast.withoutTalk(whole)
      }
      assert.strictEqual(kept + held, written.filter((piece) => harmless.includes(piece)).join(""))
    },
    { arbitrary: { runs: 300 } }
  )
})
