/** Tests that a project's notes can be reached only from that project, and the user's own notes from everywhere. */
import { Note } from "@bough/protocol"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as NoteStore from "../../NoteStore.ts"

const adversarial = [
  "/",
  "/home/a",
  "/home/a/",
  "/home/A",
  "1",
  "1xp1",
  "' OR 1=1 --",
  "%",
  "\u0000",
  "\ud800",
  "\udc00",
  ""
]

const Root = Schema.Union([Schema.Literals(adversarial), Schema.String])

const everyone = { tags: [], kinds: [] } as const

export const projects = (it: Vitest.MethodsNonLive<NoteStore.NoteStore>): void => {
  let users = 0
  const draft = (noteId: string, text: string): NoteStore.Draft => ({
    noteId: Note.NoteId.make(noteId),
    kind: "preference",
    text,
    tags: [],
    source: "",
    untrusted: false,
    createdAtMillis: null
  })

  it.effect.prop(
    "no project, id, hold or query reaches a note of another project",
    [Schema.Array(Root), Root, Schema.Boolean],
    ([notes, query, isHeld]) =>
      Effect.gen(function* () {
        const store = yield* NoteStore.NoteStore
        const user = `traveller ${users++}`
        const roots = [...new Set([...notes, "somewhere"])].slice(-3)
        const hold = isHeld ? `${user}/1` : null
        const textOf = (index: number) => `secret number ${index} xq xp1`
        yield* store.save({ user, hold: null }, draft("own", "secret of the user"))
        for (const [index, project] of roots.entries()) {
          yield* store.save({ user, hold, project }, { ...draft(`note-${index}`, textOf(index)), project })
        }
        const change = { text: "taken", kind: null, tags: null, untrusted: false }
        for (const [index, project] of [...roots.entries(), [-1, null] as const]) {
          const place = { user, hold, project }
          const seen = new Set(index < 0 ? ["own"] : ["own", `note-${index}`])
          const all = [
            ...(yield* store.search(place, { ...everyone, text: `secret ${query}`, limit: 100 })).map(
              ({ note }) => note
            ),
            ...(yield* store.list(place, { ...everyone, after: "", limit: 100 })),
            ...(yield* store.visible(place, [...(yield* store.rowNumbers)])).map(({ note }) => note)
          ]
          for (const { noteId } of all) assert.include([...seen], noteId)
          assert.isAtLeast(all.length, seen.size * 2)
          assert.lengthOf(yield* store.staged(place), isHeld && index >= 0 ? 1 : 0)
          for (const [other] of roots.entries()) {
            if (other === index) continue
            const noteId = Note.NoteId.make(`note-${other}`)
            assert.isNull(yield* store.get(place, noteId))
            assert.isNull(yield* store.sayingTheSame(place, textOf(other)))
            assert.isNull(yield* store.update(place, noteId, change))
            assert.isFalse(yield* store.remove(place, noteId))
            yield* store.save(place, {
              ...draft(`new-${index}-${other}`, `more ${index} ${other}`),
              project,
              supersedes: [noteId]
            })
            seen.add(`new-${index}-${other}`)
          }
          for (const noteId of seen) if (noteId !== "own") yield* store.update(place, Note.NoteId.make(noteId), change)
        }
        yield* store.settle(hold ?? "", "Keep")
        for (const [index, project] of roots.entries()) {
          const past = yield* store.history({ user, hold: null, project }, Note.NoteId.make(`note-${index}`))
          assert.isTrue(past.every(({ note }) => note.noteId === `note-${index}`))
          const elsewhere = { user, hold: null, project: `${project} elsewhere` }
          assert.deepStrictEqual(yield* store.history(elsewhere, Note.NoteId.make(`note-${index}`)), [])
          assert.isFalse(yield* store.remove(elsewhere, Note.NoteId.make(`note-${index}`)))
        }
        const allNotes = yield* store.list(
          { user, hold: null, everyProject: true },
          { ...everyone, after: "", limit: 1000 }
        )
        assert.includeMembers(
          allNotes.map(({ noteId }) => String(noteId)),
          ["own", ...roots.map((_, index) => `note-${index}`)]
        )
      }),
    { arbitrary: { runs: 25, size: 12 } }
  )

  it.effect("a note can be given to a project, and back to the user", () =>
    Effect.gen(function* () {
      const store = yield* NoteStore.NoteStore
      const user = `traveller ${users++}`
      const noteId = Note.NoteId.make("n")
      const change = { text: null, kind: null, tags: null, untrusted: false }
      const inOther = store.get({ user, hold: null, project: "/b" }, noteId)
      yield* store.save({ user, hold: null, project: null }, draft("n", "tabs"))
      yield* store.update({ user, hold: null, project: "/a" }, noteId, { ...change, project: "/a" })
      assert.isNull(yield* inOther)
      const found = yield* store.search({ user, hold: null, project: "/a" }, { ...everyone, text: "tabs", limit: 5 })
      assert.lengthOf(found, 1)
      yield* store.update({ user, hold: null, project: "/a" }, noteId, { ...change, project: null })
      assert.strictEqual((yield* inOther)?.project, null)
    })
  )

  it.effect("the same text is a note of two projects, and none where the user has it", () =>
    Effect.gen(function* () {
      const store = yield* NoteStore.NoteStore
      const user = `traveller ${users++}`
      const save = (noteId: string, project: string | null, text: string) =>
        Effect.map(
          store.save({ user, hold: null, project }, { ...draft(noteId, text), project }),
          ({ status }) => status
        )
      assert.strictEqual(yield* save("a", "/a", "tabs"), "Saved")
      assert.strictEqual(yield* save("b", "/b", "tabs"), "Saved")
      assert.strictEqual(yield* save("c", null, "tabs"), "Saved")
      assert.strictEqual(yield* save("d", "/d", "tabs"), "Kept")
    })
  )
}
