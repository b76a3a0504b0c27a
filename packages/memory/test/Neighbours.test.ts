import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Neighbours from "../src/Neighbours.ts"

const near = (text: string, others: ReadonlyArray<string>) =>
  Neighbours.nearestNotes(
    text,
    others.map((other) => ({ text: other }))
  ).map((note) => note.text)

describe("Neighbours", () => {
  it.each([
    ["The stand-up has moved to 10:15", "The stand-up is at 9:30 in the small room"],
    ["Stand-up takes place at 9:30, small room.", "The stand-up is at 9:30 in the small room"],
    ["Every day the team has its stand-up at 9:30", "The stand-up is at 9:30 in the small room"],
    ["Lives in Porto", "Lives in Lisbon"],
    ["ledgerd runs on Postgres 17", "ledgerd runs on Postgres 14."],
    ["Der Hausmeister heißt jetzt Weber", "Der Hausmeister heißt Krause"]
  ])("%s: %s", (text, other) => {
    assert.deepStrictEqual(near(text, [other]), [other])
  })

  it.each([
    ["The stand-up has moved to 10:15", "The kitchen table has moved into the cellar of the new house"],
    ["Is allergic to nuts", "Rides a bicycle to the office"],
    ["The release is on 2026-09-01", "The rent rose on 2026-09-01"]
  ])("%s is not about: %s", (text, other) => {
    assert.deepStrictEqual(near(text, [other]), [])
  })

  it("names three at most, the nearest first", () => {
    const others = [
      "the boiler is serviced by Kral in May",
      "the boiler is in the cellar",
      "boiler in the cellar, left",
      "cellar boiler"
    ]
    assert.deepStrictEqual(near("the boiler in the cellar is new", others).toSorted(), others.slice(1).toSorted())
  })

  it.prop("a text with words is its own neighbour, and an empty text has none", [Schema.String], ([text]) => {
    assert.isAtMost(near(text, [text, text, text, text]).length, 3)
    assert.deepStrictEqual(near("", [text]), [])
  })
})
