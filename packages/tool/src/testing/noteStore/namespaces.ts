/** Tests that no user can reach the notes of another, with any user name and any query. */
import { Note } from "@bough/protocol"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as NoteStore from "../../NoteStore.ts"

/** Names, ids, tags and queries that have escaped filters in other programs. */
const adversarial = [
  "' OR 1=1 --",
  "x' OR user <> 'x",
  '" OR words : *',
  "1",
  "1x",
  "2xsecret",
  "1xk0",
  "*",
  "%",
  "_",
  "NEAR(secret)",
  "words:secret OR scope:1xk0",
  "secret) OR (secret",
  "null",
  "\u0000",
  "\ud800",
  "\udc00",
  "",
  "../other",
  "note-1",
  "secret"
]

const Name = Schema.Union([Schema.Literals(adversarial), Schema.String])

export const namespaces = (it: Vitest.MethodsNonLive<NoteStore.NoteStore>): void => {
  const save = (user: string, text: string, tags: ReadonlyArray<string>) =>
    Effect.flatMap(NoteStore.NoteStore, (store) =>
      store.save(
        { user, hold: null },
        {
          noteId: Note.NoteId.make("note-1"),
          kind: "fact",
          text,
          tags,
          source: "",
          untrusted: false,
          createdAtMillis: null
        }
      )
    )

  it.effect.prop(
    "no user, id, tag, hold or query reaches another user's note",
    [Schema.Array(Name), Name, Name, Name],
    ([names, query, tag, hold]) =>
      Effect.gen(function* () {
        const store = yield* NoteStore.NoteStore
        const users = [...new Set([...names, "somebody"])]
        // Distinguishes users by numbers, because names may be equal apart from case and spacing.
        const secretOf = (user: string) => `secret number ${users.indexOf(user)} 1xk0 2xsecret`
        for (const user of users) yield* save(user, secretOf(user), Note.normaliseTags([tag, "secret"]))
        const mine = (note: Note.Note, user: string) => assert.strictEqual(note.text, secretOf(user))
        for (const user of users) {
          const place = { user, hold: hold === "" ? null : hold }
          const filter = { tags: Note.normaliseTags([tag]), kinds: [] }
          const found = yield* store.search(place, { ...filter, text: `${query} secret`, limit: 100 })
          assert.lengthOf(found, 1)
          for (const { note } of found) mine(note, user)
          for (const note of yield* store.list(place, { ...filter, after: "", limit: 100 })) mine(note, user)
          const note = yield* store.get(place, Note.NoteId.make("note-1"))
          assert.isNotNull(note)
          if (note !== null) mine(note, user)
          const everything = [...(yield* store.rowNumbers)]
          for (const row of yield* store.visible(place, everything)) mine(row.note, user)
          const same = yield* store.sayingTheSame(place, secretOf(users[0]))
          assert.strictEqual(same === null, user !== users[0])
        }
        const [first, second = "nobody"] = users
        const change = { text: "changed", kind: null, tags: null, untrusted: false }
        yield* store.update({ user: second, hold: null }, Note.NoteId.make("note-1"), change)
        for (const user of users) {
          const note = yield* store.get({ user, hold: null }, Note.NoteId.make("note-1"))
          assert.strictEqual(note?.text, user === second ? "changed" : secretOf(user))
        }
        yield* store.remove({ user: second, hold: null }, Note.NoteId.make("note-1"))
        assert.isNotNull(yield* store.get({ user: first, hold: null }, Note.NoteId.make("note-1")))
        yield* store.remove({ user: first, hold: null }, Note.NoteId.make("note-1"))
        for (const user of users) yield* store.remove({ user, hold: null }, Note.NoteId.make("note-1"))
      }),
    { arbitrary: { runs: 60, size: 20 } }
  )
}
