import { cells } from "@bough/tui/text/Width"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Listing from "../../src/format/Listing.ts"

const word = Schema.Literals(["a", "idle", "漢字", "src/main.ts", "ses_01a2034068a5c607a22ff5f6ca95", "two words"])
const Thing = Schema.Struct({ title: word, facts: Schema.Array(word) })
const Columns = Schema.Literals([34, 40, 80, 120])

const listed = (things: ReadonlyArray<typeof Thing.Type>): ReadonlyArray<Listing.ListItem> =>
  things.map(({ facts, title }) => ({ line: [...facts, title].join("  "), title, facts }))

describe("Listing", () => {
  it.prop("is one line per item without a width", [Schema.Array(Thing)], ([things]) => {
    assert.deepStrictEqual<ReadonlyArray<string>>(
      Listing.rows(listed(things), null),
      listed(things).map(({ line }) => line)
    )
  })

  it.prop("fits the columns and loses no fact", [Schema.Array(Thing), Columns], ([things, columns]) => {
    const rows = Listing.rows(listed(things), columns)
    assert.deepStrictEqual(
      rows.filter((row) => cells(row) > columns),
      []
    )
    const text = rows.join("\n")
    for (const fact of things.flatMap(({ facts, title }) => [title, ...facts])) assert.include(text, fact)
  })

  it("escapes hidden characters in a title and in facts", () => {
    const [title, fact] = Listing.rows([{ line: "x".repeat(50), title: "\u001B[2J", facts: ["\u200B"] }], 40)
    assert.notInclude(title, "\u001B")
    assert.notInclude(fact, "\u200B")
  })
})
