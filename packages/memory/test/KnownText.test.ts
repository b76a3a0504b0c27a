/** Text that is saved again, over a real database. */
import { Note } from "@bough/protocol"
import type { MemoryRead } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { thoroughOnly } from "../../../test/thorough.ts"
import * as Deduplicate from "../src/Deduplicate.ts"
import { Recollection } from "../src/index.ts"
import { caller, open, temporaryDirectory } from "./World.ts"

/** Formats notes like the lines of a prompt: with a prefix of the id, and a date. */
const recalled = (notes: ReadonlyArray<MemoryRead.RecalledNote>): string => {
  const lines = notes.map(({ note }) => ({ note, shortId: note.noteId.slice(0, "note-12345678".length) }))
  return Recollection.make(lines, 2000)?.text ?? ""
}

describe("KnownText", () => {
  it.live(
    "recalls and saves for 24 turns, and adds no note",
    () =>
      Effect.gen(function* () {
        const { memory, store, save } = yield* open(yield* temporaryDirectory)
        for (let n = 0; n < 12; n++) yield* save(`preference ${n}: likes thing ${n}`)
        const read = memory.read(caller("ann"), () => {})
        for (let turn = 0; turn < 24; turn++) {
          const { notes } = yield* read.search({ text: `what about thing ${turn % 12}`, limit: 4, tags: [], kinds: [] })
          assert.isNotEmpty(notes)
          const again = [
            notes[0].note.text.toUpperCase(),
            notes.map(({ note }) => `- [${note.noteId}] ${note.text}`).join("\n"),
            `\n* ${notes.map(({ note }) => note.text).join("\n\n> ")}`,
            notes.map(({ note }, n) => `${n + 1}. "${note.text}."`).join("\n"),
            `The user has ${notes.map(({ note }) => note.text.replace("likes", "liked")).join(", and ")}.`,
            notes.map(({ note }) => `Note: ${note.text.replaceAll(" ", "\n")}`).join("\n"),
            `<context source="memory">\n${recalled(notes)}\n</context>`,
            recalled(notes).replaceAll(/^- \[\S+\] /gmu, ""),
            `The user has ${recalled(notes).split("\n").slice(1).join(", and ")}.`,
            recalled(notes).replaceAll(" (", "\n(")
          ]
          for (const text of again) assert.strictEqual((yield* save(text)).status, "Kept")
        }
        assert.deepStrictEqual(yield* store.users, [{ user: "ann", notes: 12 }])
        assert.strictEqual((yield* save("Likes C")).status, "Saved")
        assert.strictEqual((yield* save("Likes C++")).status, "Saved")
        const mixed = yield* save("- preference 1: likes thing 1\nand is allergic to nuts")
        assert.strictEqual(mixed.note.text, "and is allergic to nuts")
      }),
    thoroughOnly
  )

  it.live("names the notes that are restated, in their current text, if the caller may see them", () =>
    Effect.gen(function* () {
      const { memory, save } = yield* open(yield* temporaryDirectory, { model: null })
      const tea = (yield* save("Likes tea with milk")).note.noteId
      const porto = (yield* save("Lives in Porto")).note.noteId
      const joined = "The user likes tea with milk and lives in Porto"
      const known = yield* save(joined)
      assert.deepStrictEqual([known.status, known.known.map(({ noteId }) => noteId)], ["Kept", [tea, porto]])
      assert.strictEqual((yield* save(joined, "bob")).status, "Saved")
      assert.strictEqual((yield* save("The user likes tea with lemon")).status, "Saved")
      const change = { text: "Likes coffee", tags: null, kind: null, secrets: "refuse" } as const
      yield* memory.write(caller("ann")).update(tea, change)
      assert.strictEqual((yield* save("The user likes their tea with milk")).status, "Saved")
      yield* memory.read(caller("ann"), () => {}).get(porto)
      yield* memory.write(caller("ann")).remove(porto)
      assert.strictEqual((yield* save("They live in Porto")).status, "Saved")
      const inTurn = memory.write(caller("ann", "in a turn"), "s/1")
      assert.strictEqual((yield* inTurn.save({ ...change, text: "Is allergic to nuts" })).status, "Saved")
      assert.strictEqual((yield* save("The user is allergic to nuts")).status, "Saved")
    })
  )

  it.live("caches the notes of the 512 users who were served last, and gets the same result for the others", () =>
    Effect.gen(function* () {
      const { save, store } = yield* open(yield* temporaryDirectory, { model: null })
      const long = yield* save(
        "In the cold months up north, before the first meeting of the day and after the walk with both dogs, likes tea with milk"
      )
      const place = { user: "ann", hold: null }
      // Each word of the text below is on so many notes that the database only reads the notes with one of the words,
      // the newest first.
      const draft = { kind: "fact", tags: [], source: "", untrusted: false, createdAtMillis: null } as const
      const frequent = Array.from(
        { length: 1050 },
        (_, n) => `${["likes tea", "likes milk", "tea, milk"][n % 3]} z${n}`
      )
      yield* Effect.forEach(
        frequent,
        (text, n) => store.save(place, { ...draft, noteId: Note.NoteId.make(`note-${n}`), text }),
        { concurrency: 500 }
      )
      const others = Array.from({ length: 512 }, (_, n) => `other${n}`)
      const noteId = Note.NoteId.make("note-x")
      const served = (knownText: Deduplicate.KnownText, users: ReadonlyArray<string>) => {
        for (const user of users) knownText.remember(user, [{ ...long.note, noteId }])
      }
      const reworded = "They like their tea with milk"
      const known = (knownText: Deduplicate.KnownText, text: string) =>
        Effect.map(knownText.part(place, text), (part) => (part.fresh === "" ? part.known[0].noteId : null))

      const held = Deduplicate.make(store)
      held.remember("ann", [long.note])
      served(held, others.slice(1))
      assert.strictEqual(yield* known(held, reworded), long.note.noteId)
      // A user who saves is cached, too, not only one who recalled a note; a user without a result is not.
      served(held, others.slice(1))
      for (let n = 0; n < 600; n++) held.remember(`nothing${n}`, [])
      assert.strictEqual(yield* known(held, reworded), long.note.noteId)
      served(held, others)
      assert.isNull(yield* known(held, reworded))
      assert.strictEqual(yield* known(held, `- ${long.note.text.toUpperCase()}.`), long.note.noteId)
    })
  )
})
