/** Tests that an earlier text of a note is found only in its history and is deleted with the note. */
import { Note } from "@bough/protocol"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as NoteStore from "../../NoteStore.ts"
import { draft, id, someone } from "./someone.ts"

const change = { text: null, kind: null, tags: null, untrusted: false, by: "somebody" } as const

/** A random user's change of the notes a, b or c. */
const Act = Schema.Struct({
  note: Schema.Literals(["a", "b", "c"]),
  does: Schema.Literals(["save", "update", "supersede", "erase", "remove"]),
  held: Schema.Boolean
})

export const history = (it: Vitest.MethodsNonLive<NoteStore.NoteStore>): void => {
  const historian = Effect.map(someone, (user) => ({
    ...user,
    past: (noteId: string) =>
      Effect.map(user.store.history(user.place(), id(noteId)), (versions) =>
        versions.map(({ endedBy, note, noteId: of, reason }) => `${of}: ${note.text} (${reason} by ${endedBy})`)
      )
  }))

  it.effect("a change of the text adds the earlier text to the history, and other changes do not", () =>
    Effect.gen(function* () {
      const { past, place, store } = yield* historian
      yield* store.save(place(), draft("n", "first"))
      yield* store.update(place(), id("n"), { ...change, text: "second" })
      yield* store.update(place(), id("n"), { ...change, text: "second" })
      yield* store.update(place(), id("n"), { ...change, validUntilMillis: 5 })
      assert.deepStrictEqual(yield* past("n"), ["n: second (updated by somebody)", "n: first (updated by somebody)"])
    })
  )

  it.effect("a note takes over the histories of the notes that it supersedes, also along a chain", () =>
    Effect.gen(function* () {
      const { all, past, place, store } = yield* historian
      yield* store.save(place(), draft("a", "at nine"))
      yield* store.update(place(), id("a"), { ...change, text: "at ten" })
      yield* store.save(place(), draft("b", "at eleven", { supersedes: [id("a"), id("nowhere")], source: "b's" }))
      yield* store.save(place(), draft("c", "at noon", { supersedes: [id("b"), id("c")], source: "c's" }))
      assert.deepStrictEqual(yield* all(), ["at noon"])
      const fullHistory = [
        "c: at eleven (superseded by c's)",
        "c: at ten (superseded by b's)",
        "c: at nine (updated by somebody)"
      ]
      assert.deepStrictEqual(yield* past("c"), fullHistory)
      assert.deepStrictEqual(yield* past("a"), fullHistory.slice(1))
      assert.deepStrictEqual(
        yield* store.search(place(), { text: "ten eleven nine", tags: [], kinds: [], limit: 5 }),
        []
      )
    })
  )

  it.effect("a duplicate of a stored note makes that note supersede the others", () =>
    Effect.gen(function* () {
      const { all, past, place, store } = yield* historian
      yield* store.save(place(), draft("old", "at nine"))
      yield* store.save(place(), draft("new", "at ten"))
      const { note, status } = yield* store.save(
        place(),
        draft("again", "At ten", { supersedes: [id("old"), id("new")] })
      )
      assert.deepStrictEqual([status, String(note.noteId)], ["Kept", "new"])
      assert.deepStrictEqual(yield* all(), ["at ten"])
      assert.deepStrictEqual(yield* past("new"), ["new: at nine (superseded by test)"])
    })
  )

  it.effect("staged changes have no history until they are kept, and none if they are dropped", () =>
    Effect.gen(function* () {
      const { all, past, place, store, user } = yield* historian
      yield* store.save(place(), draft("a", "at nine"))
      yield* store.save(place(), draft("b", "on Monday"))
      const hold = `${user}/1`
      const supersede = store.save(place(hold), draft("c", "at ten", { supersedes: [id("a")] }))
      const update = store.update(place(hold), id("b"), { ...change, text: "on Tuesday" })
      yield* Effect.all([supersede, update])
      assert.deepStrictEqual(yield* all(hold), ["on Tuesday", "at ten"])
      assert.deepStrictEqual(yield* all(), ["at nine", "on Monday"])
      assert.deepStrictEqual([yield* past("a"), yield* past("b"), yield* past("c")], [[], [], []])
      yield* store.settle(hold, "Drop")
      assert.deepStrictEqual(yield* all(), ["at nine", "on Monday"])
      assert.deepStrictEqual(yield* past("a"), [])
      yield* Effect.all([supersede, update])
      yield* store.settle(hold, "Keep")
      assert.deepStrictEqual(yield* all(), ["on Tuesday", "at ten"])
      assert.deepStrictEqual(yield* past("c"), ["c: at nine (superseded by test)"])
      assert.deepStrictEqual(yield* past("b"), ["b: on Monday (updated by somebody)"])
    })
  )

  it.effect("a staged note that supersedes others merges into an equal note that was saved meanwhile", () =>
    Effect.gen(function* () {
      const { past, place, store, user } = yield* historian
      yield* store.save(place(), draft("a", "at nine"))
      yield* store.save(place(`${user}/1`), draft("b", "at ten", { supersedes: [id("a")] }))
      yield* store.save(place(), draft("meanwhile", "at ten"))
      yield* store.settle(`${user}/1`, "Keep")
      assert.deepStrictEqual(yield* past("meanwhile"), ["meanwhile: at nine (superseded by test)"])
    })
  )

  it.effect("a note that is removed as wrong remains in its history, and an erased note does not", () =>
    Effect.gen(function* () {
      const { all, past, place, store } = yield* historian
      yield* store.save(place(), draft("a", "at nine"))
      yield* store.update(place(), id("a"), { ...change, text: "at ten" })
      assert.isTrue(yield* store.remove(place(), id("a"), { history: "Keep", by: "somebody" }))
      assert.deepStrictEqual(yield* all(), [])
      assert.deepStrictEqual(yield* past("a"), ["a: at ten (removed by somebody)", "a: at nine (updated by somebody)"])
      assert.isTrue(yield* store.remove(place(), id("a")))
      assert.isFalse(yield* store.remove(place(), id("a")))
      assert.deepStrictEqual(yield* past("a"), [])
    })
  )

  it.effect("erasing a note removes it from the histories of other notes", () =>
    Effect.gen(function* () {
      const { past, place, store } = yield* historian
      yield* store.save(place(), draft("a", "at nine"))
      yield* store.save(place(), draft("b", "at ten", { supersedes: [id("a")] }))
      yield* store.save(place(), draft("a", "at noon"))
      assert.deepStrictEqual(yield* past("b"), ["b: at nine (superseded by test)"])
      yield* store.remove(place(), id("a"))
      assert.deepStrictEqual([yield* past("a"), yield* past("b")], [[], []])
    })
  )

  it.effect("a history keeps only the newest texts, up to its limit", () =>
    Effect.gen(function* () {
      const { past, place, store } = yield* historian
      yield* store.save(place(), draft("a", "0"))
      for (let n = 1; n <= Note.maxHistory + 3; n++) yield* store.update(place(), id("a"), { ...change, text: `${n}` })
      const texts = yield* past("a")
      assert.lengthOf(texts, Note.maxHistory)
      assert.include(texts[0], `a: ${Note.maxHistory + 2} `)
    })
  )

  it.effect("an imported history is added once, before or after its note", () =>
    Effect.gen(function* () {
      const { place, store, user } = yield* historian
      yield* store.save(place(), draft("a", "first"))
      yield* store.update(place(), id("a"), { ...change, text: "second" })
      yield* store.save(place(), draft("b", "third", { supersedes: [id("a")] }))
      const versions = yield* store.history(place(), id("b"))
      const other: NoteStore.NoteScope = { user: `${user} elsewhere`, hold: null }
      yield* store.addHistory(other, id("b"), versions)
      yield* store.save(other, draft("b", "third"))
      for (const _ of [1, 2]) yield* store.addHistory(other, id("b"), versions)
      assert.deepStrictEqual(yield* store.history(other, id("b")), versions)
    })
  )

  it.effect.prop(
    "no text is both a current note and an earlier one, and an erased text is found nowhere",
    [Schema.Array(Act), Schema.Boolean],
    ([acts, maxVersions]) =>
      Effect.gen(function* () {
        const { all, place, store, user } = yield* historian
        const hold = `${user}/1`
        for (const [turn, { does, held, note }] of acts.entries()) {
          const at = place(held ? hold : null)
          const text = `${note} said at ${turn}`
          if (does === "save") yield* store.save(at, draft(note, text))
          if (does === "update") yield* store.update(at, id(note), { ...change, text })
          if (does === "supersede") yield* store.save(at, draft(`${note}${turn}`, text, { supersedes: [id(note)] }))
          if (does === "remove") yield* store.remove(at, id(note), { history: "Keep", by: "" })
          if (does === "erase" && (yield* store.remove(at, id(note))) && !held) {
            assert.deepStrictEqual(yield* store.history(place(), id(note)), [])
          }
        }
        yield* store.settle(hold, maxVersions ? "Keep" : "Drop")
        const now = yield* all()
        for (const note of ["a", "b", "c"]) {
          for (const version of yield* store.history(place(), id(note))) assert.notInclude(now, version.note.text)
        }
        for (const text of now) {
          const found = yield* store.search(place(), { text, tags: [], kinds: [], limit: 100 })
          assert.include(
            found.map((each) => each.note.text),
            text
          )
        }
      }),
    { arbitrary: { runs: 60, size: 30 } }
  )
}
