/** Tests of a search's confidence, of the notes that are recalled for a message, and of their short ids. */
import { Note } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { caller, open, staticModel, temporaryDirectory } from "./World.ts"

const place = (user: string) => ({ user, hold: null })

describe("Memory", () => {
  it.live("accepts a unique prefix of an id, and names the notes that share one", () =>
    Effect.gen(function* () {
      const { memory, store } = yield* open(yield* temporaryDirectory, { model: null })
      const draft = { kind: "fact", tags: [], source: "test", untrusted: false, createdAtMillis: null } as const
      const saved = (user: string, id: string, text: string) =>
        store.save(place(user), { ...draft, noteId: Note.NoteId.make(id), text })
      yield* saved("ann", "note-aaaaaaaa-1", "The harbour master is called Brenda Oake")
      yield* saved("ann", "note-aaaaaaaa-2", "The harbour gate opens at seven")
      yield* saved("ann", "note-bbbbbbbb-1", "Deploys go out on Tuesdays after lunch")
      yield* saved("bob", "note-bbbbbbbb-2", "Deploys go out on Fridays after lunch")
      const bearing = (text: string) =>
        Effect.map(memory.findBearing(place("ann"), text, new Set()), (lines) => lines.map(({ shortId }) => shortId))
      assert.deepStrictEqual(yield* bearing("deploys after lunch"), ["note-bbbbbbbb"])
      assert.deepStrictEqual(yield* bearing("who is the harbour master?"), ["note-aaaaaaaa-1"])
      const read = memory.read(caller("ann"), () => {})
      const write = memory.write(caller("ann"))
      const get = (id: string) => Effect.map(read.get(Note.NoteId.make(id)), (note) => note?.noteId ?? null)
      assert.strictEqual(yield* get("note-bbbbbbbb"), "note-bbbbbbbb-1")
      assert.isNull(yield* get("note-bb"))
      const several = yield* Effect.flip(write.remove(Note.NoteId.make("note-aaaaaaaa")))
      assert.match(several.message, /several notes begin with note-aaaaaaaa: note-aaaaaaaa-1, note-aaaaaaaa-2/)
      const change = { text: "Deploys go out on Mondays", tags: null, kind: null, secrets: "refuse" } as const
      const { note } = yield* write.update(Note.NoteId.make("note-bbbbbbbb"), change)
      assert.strictEqual(note.noteId, "note-bbbbbbbb-1")
      yield* write.remove(Note.NoteId.make("note-bbbbbbbb"))
      assert.isNull(yield* get("note-bbbbbbbb"))
      const gone = yield* Effect.flip(write.remove(Note.NoteId.make("note-bbbbbbbb")))
      assert.match(gone.message, /there is no note note-bbbbbbbb/)
    })
  )

  it.live("recalls a note for a message by two of its rare words, not by one, and no secret by any", () =>
    Effect.gen(function* () {
      const { memory, save, store } = yield* open(yield* temporaryDirectory, { model: null })
      yield* save("Integration tests need the container of the ledger")
      const secrets = [
        "The password for the staging ledger is hunter2222",
        "IBAN of the ledger account in staging: DE89 3704 0044 0532 0130 00",
        "The card of the staging ledger is 4111 1111 1111 1111"
      ]
      const draft = { kind: "fact", tags: [], source: "test", untrusted: false, createdAtMillis: null } as const
      for (const [index, text] of secrets.entries())
        yield* store.save(place("ann"), { ...draft, noteId: Note.NoteId.make(`note-${index}`), text })
      const bearing = (text: string, without: ReadonlyArray<string> = []) =>
        Effect.map(memory.findBearing(place("ann"), text, new Set(without)), (lines) => lines.map(({ note }) => note))
      const [found] = yield* bearing("why do the integration tests hang?")
      assert.match(found.text, /^Integration tests/)
      for (const none of ["run the tests", "thanks, that is all for now", "wie sind die das und der", ""]) {
        assert.deepStrictEqual(yield* bearing(none), [])
      }
      assert.deepStrictEqual(yield* bearing("why do the integration tests hang?", [found.noteId]), [])
      assert.deepStrictEqual(yield* bearing("password card and IBAN account of the staging ledger"), [])
    })
  )

  it.live("reports the confidence of each note, and when nothing matches", () =>
    Effect.gen(function* () {
      for (const model of [null, staticModel]) {
        const { memory, save } = yield* open(yield* temporaryDirectory, { model })
        yield* save("The harbour office opens at seven on weekdays")
        yield* save("Deploys go out on Tuesdays after lunch")
        yield* save("The chimney sweep comes in September")
        const search = (text: string) => memory.search(place("ann"), { text, limit: 5, tags: [], kinds: [] })
        const sure = yield* search("when does the harbour office open")
        assert.deepStrictEqual([sure.fits, sure.notes[0].confidence], [true, "sure"])
        assert.isAtLeast(sure.notes[0].score, 0.8)
        for (const text of ["colour of the new curtains", "which printer is in the office on the second floor"]) {
          const none = yield* search(text)
          assert.isFalse(none.fits, text)
          for (const { confidence, score } of none.notes) {
            assert.isTrue(confidence === "maybe" && score >= 0 && score < 0.5, `${text}: ${score}`)
          }
        }
      }
    })
  )
})
