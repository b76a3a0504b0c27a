import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as ContentWords from "../src/ContentWords.ts"
import * as ParaphraseMatch from "../src/ParaphraseMatch.ts"

const notes = [
  "Prefers tabs to spaces",
  "Likes tea with milk in the morning",
  "Lives in Porto since 2019 with two cats",
  "Deploys go out on Tuesdays from the release branch",
  "Ann reports to Bob",
  "The physician is on holiday until May",
  "Is allergic to nuts",
  "The staging database runs on port 5433",
  "Ann's birthday is on 3 May",
  "We decided to use SQLite instead of Postgres because there is one node"
]

const restated = (text: string, from: ReadonlyArray<string> = notes) =>
  ParaphraseMatch.restatedNotes(
    text,
    from.map((note, index) => ({ of: index, text: note }))
  )

const again: ReadonlyArray<readonly [string, ReadonlyArray<number>]> = [
  ["The user prefers tabs over spaces.", [0]],
  ["Tabs are preferred to spaces", [0]],
  ["Noted: the user's preference: tabs over spaces", [0]],
  ["In the morning the user likes tea with milk", [1]],
  ["likes their tea\nwith milk", [1]],
  ["They live in Porto", [2]],
  ["The user has lived in Porto since 2019, with two cats.", [2]],
  ["On Tuesdays, deploys go out from the release branch", [3]],
  ["Deploys go out\non Tuesdays\nfrom the release branch", [3]],
  ["The user likes tea with milk in the morning and lives in Porto since 2019 with two cats.", [1, 2]],
  ["The user is allergic to nuts and prefers tabs to spaces; Ann reports to Bob.", [6, 0, 4]],
  ["Remember that the user is allergic to nuts.", [6]],
  ["Noted: the physician's on holiday until May", [5]],
  ["The staging database is running on port 5433", [7]],
  ["ANN'S BIRTHDAY: 3 MAY", [8]],
  ["Decision: use SQLite instead of Postgres (one node)", [9]]
]

const fresh = [
  "Prefers spaces to tabs in Makefiles",
  "Does not prefer tabs to spaces",
  "Bob prefers tabs to spaces",
  "Likes tea with lemon in the morning",
  "The user no longer likes tea with milk in the morning",
  "Lives in Lyon since 2019 with two cats",
  "Since the move to Porto the user likes coffee",
  "Ann lives in Porto",
  "Bob has two cats",
  "Deploys go out on Thursdays from the release branch",
  "Deploys go out on Tuesdays from the release branch, but not in May",
  "Deploys are decided by Ann",
  "Bob reports to Ann",
  "The physician is on holiday until June",
  "The physician is Ann",
  "The user's physician Ann is on holiday until May",
  "Bob is allergic to nuts",
  "Was never allergic to nuts",
  "Ann is allergic to tabs",
  "The staging database runs on port 5434",
  "SQLite runs on staging",
  "Ann's birthday is on 4 May",
  "Bob's birthday is on 3 May",
  "Ann decided to use SQLite instead of Postgres because there is one node",
  "Tea",
  "",
  "C++"
]

describe("ParaphraseMatch", () => {
  it.each(again)("recognises a slightly rephrased or joined note: %s", (text, from) => {
    assert.deepStrictEqual(restated(text), from)
  })

  it.each(fresh)("treats a text that mentions a note and says something else as new: %s", (text) => {
    assert.isNull(restated(text))
  })

  it("treats half of one note and half of another together as new", () => {
    const servers = ["The staging server runs in Oslo", "The production server runs in Berlin"]
    assert.isNull(restated("The staging server runs in Berlin", servers))
    assert.deepStrictEqual(
      restated("The production server runs in Berlin, the staging server in Oslo", servers),
      [1, 0]
    )
  })

  it("treats the month May as a word, not as a verb", () => {
    assert.isNull(restated("The physician is on holiday in May", ["The physician is on holiday in June"]))
  })

  const Numbers = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40 })))
  const sentence = (numbers: ReadonlyArray<number>) => [...new Set(numbers)].map((n) => `w${n}x`).join(" ")
  const isFact = (text: string) => text.includes(" ")

  it.prop(
    "recognises any of the notes in any order, line by line, and as one sentence",
    [Schema.Array(Numbers)],
    ([all]) => {
      const facts = all.map(sentence).filter(isFact)
      if (facts.length === 0) return
      for (const text of [
        facts.join(" and "),
        facts.toReversed().join(".\n"),
        `The user is ${facts.join("; they are ")}.`
      ]) {
        assert.isNotNull(restated(text, facts), text)
      }
    },
    { arbitrary: { runs: 100, size: 20 } }
  )

  it.prop(
    "treats any text with a word that no note has as new",
    [Schema.Array(Numbers), Numbers, Schema.String],
    ([all, chosen, added]) => {
      const facts = all.map(sentence)
      const own = ContentWords.contentWords(added).filter(
        (text) => !facts.some((fact) => ContentWords.contentWords(fact).includes(text))
      )
      if (own.length > 0) assert.isNull(restated(`${sentence(chosen)} ${added}`, facts))
    },
    { arbitrary: { runs: 200, size: 20 } }
  )
})
