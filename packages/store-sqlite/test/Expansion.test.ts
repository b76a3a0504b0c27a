/**
 * Tests of a search's matches beside its exact words: near spellings and short forms, of the user's own notes alone.
 */
import { Note } from "@bough/protocol"
import { EditDistance } from "@bough/text"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { sampled } from "../../../test/thorough.ts"
import * as Database from "../src/driver/Database.ts"
import * as Migration from "../src/Migration.ts"
import * as Expansion from "../src/notes/Expansion.ts"
import * as NoteRows from "../src/notes/NoteRows.ts"
import * as NoteSearch from "../src/notes/NoteSearch.ts"
import * as NoteWrites from "../src/notes/NoteWrites.ts"

const filled = (notes: ReadonlyArray<readonly [user: string, text: string]>) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => Database.open({ filename: ":memory:" })),
      (database) => Effect.sync(database.close)
    ),
    (database) => {
      Migration.migrate(database, 0)
      NoteRows.makeUser(database, "ann")
      notes.forEach(([user, text], index) => {
        NoteWrites.save(
          { user, hold: null },
          {
            noteId: Note.NoteId.make(`note-${index}`),
            kind: "fact",
            text,
            tags: [],
            source: "test",
            untrusted: false,
            createdAtMillis: null
          }
        )(database, 0)
      })
      return database
    }
  )

const found = (database: Database.Database, text: string, exact = false) =>
  NoteSearch.search(database, { user: "ann", hold: null }, { text, limit: 20, tags: [], kinds: [], exact }).map(
    ({ note }) => note.text
  )

const notes = [
  "The staging login goes through Keycloak",
  "The chimney sweep comes in March",
  "Mia's vaccination booklet is in the blue drawer",
  "Our dentist is Dr Verhagen",
  "Paid time off has to be requested a week ahead",
  "The objectives and key results are due in April",
  "All texts need internationalisation before the launch",
  "Alert when the 99th percentile is above 300 ms",
  "p99 latency (99th percentile) is on the dashboard",
  "Authentication is done by the gateway",
  "The gardener was paid in June",
  "Meetings about results are on Friday",
  "Der Hausarzt hat mittwochs nachmittags geschlossen"
]

const own = (texts: ReadonlyArray<string>) => texts.map((text) => ["ann", text] as const)

describe("a search", () => {
  it.effect.each([
    ["Keycloack", "Keycloak"],
    ["chimny sweap", "chimney"],
    ["vacination booklett", "booklet"],
    ["dentst", "dentist"],
    ["who does the chmineys", "chimney"],
    ["PTO", "Paid time off"],
    ["pto", "Paid time off"],
    ["OKRs this quarter", "objectives"],
    ["i18n", "internationalisation"],
    ["p99", "p99 latency"],
    ["AuthN", "Authentication"],
    ["auth", "Authentication"],
    ["wann hat der Arzt zu", "Hausarzt"]
  ])("for %j finds %j first", ([query, wanted]) =>
    Effect.gen(function* () {
      const database = yield* filled(own(notes))
      assert.include(found(database, query)[0] ?? "", wanted)
    })
  )

  it.effect("finds notes that have just the short form by its expansion", () =>
    Effect.gen(function* () {
      const database = yield* filled(own(["30 days of PTO a year", "i18n is done by Lena", "p99 is 200 ms", "tea"]))
      assert.deepStrictEqual(found(database, "how much paid time off is there"), ["30 days of PTO a year"])
      assert.deepStrictEqual(found(database, "internationalisation"), ["i18n is done by Lena"])
      assert.deepStrictEqual(found(database, "99th percentile"), ["p99 is 200 ms"])
    })
  )

  it.effect("treats no words of a message as a short form that only some of their initials spell", () =>
    Effect.gen(function* () {
      const database = yield* filled(own(["Invoices are made as PDF", "30 days of PTO a year"]))
      assert.deepStrictEqual(found(database, "plan a dinner with fish"), [])
      assert.deepStrictEqual(found(database, "paid time off"), ["30 days of PTO a year"])
    })
  )

  it.effect(
    "does not treat the last part of a compound as the compound if a note has the word, or too little precedes it",
    () =>
      Effect.gen(function* () {
        const database = yield* filled(own(["Der Hausarzt ist Dr. Wieland", "Der Arzt kam spät"]))
        assert.deepStrictEqual(found(database, "Arzt"), ["Der Arzt kam spät"])
        const others = yield* filled(own(["the unripe pears"]))
        assert.deepStrictEqual(found(others, "ripe"), [])
      })
  )

  it.effect("finds a word that joins two neighbouring words of the query, though other notes have each of them", () =>
    Effect.gen(function* () {
      const database = yield* filled(
        own([
          "fetchNearbyStops returns nothing in the north",
          "The bus stops at the school",
          "Hopfenlieferant ist das Kontor Größl",
          "Der Lieferant der Gläser ist in Wien",
          "Vom Hopfen brauchen wir zwei Sorten",
          "Die Kühlungstechnik prüft Herr Çelik",
          "the manager is away"
        ])
      )
      assert.include(found(database, "nearby stops"), "fetchNearbyStops returns nothing in the north")
      assert.include(found(database, "Lieferant für Hopfen"), "Hopfenlieferant ist das Kontor Größl")
      assert.include(found(database, "Technik der Kühlung"), "Die Kühlungstechnik prüft Herr Çelik")
      assert.notInclude(found(database, "nearby, and it stops"), "fetchNearbyStops returns nothing in the north")
      // Short words join to many others by chance.
      assert.notInclude(found(database, "man age"), "the manager is away")
    })
  )

  it.effect("uses a word of the notes unchanged, and every word if it is asked to", () =>
    Effect.gen(function* () {
      const database = yield* filled(own(["the form is signed", "the firm is in Bonn"]))
      assert.deepStrictEqual(found(database, "firm"), ["the firm is in Bonn"])
      assert.deepStrictEqual(found(database, "farm").length, 2)
      assert.deepStrictEqual(found(database, "farm", true), [])
      assert.deepStrictEqual(found(database, "1234 fo rmx"), [])
    })
  )

  it.effect("uses notes that were saved and removed since the same query at once", () =>
    Effect.gen(function* () {
      const database = yield* filled(own(["the dentist is in Ghent"]))
      assert.deepStrictEqual(found(database, "dentits"), ["the dentist is in Ghent"])
      const noteId = Note.NoteId.make("note-x")
      const place = { user: "ann", hold: null }
      const draft = { kind: "fact", tags: [], source: "", untrusted: false, createdAtMillis: null } as const
      NoteWrites.save(place, { ...draft, noteId, text: "the dentits list" })(database, 0)
      assert.deepStrictEqual(found(database, "dentits"), ["the dentits list"])
      NoteWrites.remove(place, noteId)(database, 0)
      assert.deepStrictEqual(found(database, "dentits"), ["the dentist is in Ghent"])
    })
  )

  it.effect("ranks a note with the word before one with a similar spelling", () =>
    Effect.gen(function* () {
      const others = Array.from({ length: 20 }, (_, n) => `nothing of it, number ${n}`)
      const database = yield* filled(own(["the dentist is in Ghent", ...others, "Verhagen called", "the dentits list"]))
      assert.strictEqual(found(database, "dentits")[0], "the dentits list")
      assert.strictEqual(found(database, "dentst Verhagen")[0], "Verhagen called")
    })
  )

  const Letter = Schema.Literals(Array.from("aeinrst"))
  const Word = Schema.Array(Letter).check(Schema.isMinLength(8), Schema.isMaxLength(12))
  const Edit = Schema.Struct({ at: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 6 })), letter: Letter })

  it.effect.prop(
    "finds a long word in spite of one mistake anywhere within it",
    [Word, Edit, Schema.Literals(["replace", "insert", "delete", "swap"])],
    ([letters, { at, letter }, kind]) =>
      Effect.gen(function* () {
        const word = letters.join("")
        const written = {
          replace: [...letters.slice(0, at), letter, ...letters.slice(at + 1)],
          insert: [...letters.slice(0, at), letter, ...letters.slice(at)],
          delete: letters.toSpliced(at, 1),
          swap: [...letters.slice(0, at), letters[at + 1], letters[at], ...letters.slice(at + 2)]
        }[kind].join("")
        assert.isAtMost(EditDistance.distance(word, written), 1)
        const database = yield* filled(own([`the ${word} is here`, "something else"]))
        assert.deepStrictEqual(found(database, written), [`the ${word} is here`])
      }),
    { arbitrary: { runs: 40 } }
  )

  const Text = Schema.Literals([...notes, "30 days of PTO", "OKR", "i18n is done", "Dr Verhagan", "the repository"])
  const Query = Schema.Literals(["Keycloack", "chimny", "PTO", "okr", "paid time off", "i18n", "p99", "repo", "AuthN"])

  it.effect.prop(
    "uses nothing of another user's notes",
    [Schema.Array(Text).check(Schema.isMaxLength(4)), Schema.Array(Text).check(Schema.isMinLength(1)), Query],
    ([mine, theirs, query]) =>
      Effect.gen(function* () {
        const alone = yield* filled(own(mine))
        const together = yield* filled([...theirs.map((text) => ["bob", text] as const), ...own(mine)])
        const expansions = (database: Database.Database) =>
          Expansion.expandQuery(database, NoteRows.userNumber(database, "ann") ?? NaN, query)
        assert.deepStrictEqual(expansions(together), expansions(alone))
        assert.sameMembers(found(together, query), found(alone, query))
      }),
    sampled({ arbitrary: { runs: 40 } })
  )
})
