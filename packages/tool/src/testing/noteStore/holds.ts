/** Tests that a staged change is visible only under its own staging key until it is committed or discarded. */
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as NoteStore from "../../NoteStore.ts"
import { draft, id, someone, usual } from "./someone.ts"

export const holds = (it: Vitest.MethodsNonLive<NoteStore.NoteStore>): void => {
  it.effect("held changes are seen under their hold alone, until they are kept", () =>
    Effect.gen(function* () {
      const { all, found, place, store, user } = yield* someone
      yield* store.save(place(), draft("old", "first version"))
      yield* store.save(place(), draft("gone", "to be removed"))
      const hold = `${user}/1`
      yield* store.update(place(hold), id("old"), {
        text: "second version",
        kind: null,
        tags: null,
        untrusted: false
      })
      yield* store.remove(place(hold), id("gone"))
      yield* store.save(place(hold), draft("new", "brand new"))
      assert.deepStrictEqual((yield* all()).toSorted(), ["first version", "to be removed"])
      assert.deepStrictEqual((yield* all(hold)).toSorted(), ["brand new", "second version"])
      assert.deepStrictEqual(yield* found("second", {}, hold), ["old"])
      assert.deepStrictEqual(yield* found("first", {}, hold), [])
      assert.lengthOf(yield* store.staged(place(hold)), 2)
      assert.deepStrictEqual(yield* store.staged(place("another")), [])
      assert.strictEqual(yield* store.settle(hold, "Keep"), 3)
      assert.deepStrictEqual((yield* all()).toSorted(), ["brand new", "second version"])
      assert.deepStrictEqual(yield* store.staged(place(hold)), [])
      assert.strictEqual(yield* store.settle(hold, "Keep"), 0)
    })
  )

  it.effect("the best that a place may see is found, however many held ones rank before it", () =>
    Effect.gen(function* () {
      const { place, store, user } = yield* someone
      yield* store.save(place(), draft("seen", "the harbour and much else that is said of ships and of the sea"))
      const hold = `${user}/1`
      for (const n of [1, 2, 3]) yield* store.save(place(hold), draft(`held ${n}`, `harbour ${n}`))
      const best = (hold: string | null) =>
        Effect.map(store.search(place(hold), { ...usual, text: "harbour", limit: 1 }), ([{ note }]) => note.noteId)
      assert.strictEqual(yield* best(null), "seen")
      assert.match(yield* best(hold), /^held/)
    })
  )

  it.effect("dropping staged changes restores the earlier notes", () =>
    Effect.gen(function* () {
      const { all, found, place, store, user } = yield* someone
      yield* store.save(place(), draft("old", "first version"))
      const before = yield* store.get(place(), id("old"))
      const hold = `${user}/1`
      yield* store.update(place(hold), id("old"), {
        text: "second version",
        kind: null,
        tags: null,
        untrusted: false
      })
      yield* store.remove(place(hold), id("old"))
      yield* store.save(place(hold), draft("new", "brand new"))
      yield* store.settle(hold, "Drop")
      assert.deepStrictEqual(yield* all(hold), ["first version"])
      assert.deepStrictEqual(yield* store.get(place(), id("old")), before)
      assert.deepStrictEqual(yield* found("brand second", {}, hold), [])
    })
  )

  it.effect("the same text, held twice and kept twice, is one note", () =>
    Effect.gen(function* () {
      const { all, place, store, user } = yield* someone
      for (const turn of ["1", "2"]) yield* store.save(place(`${user}/${turn}`), draft(turn, "said twice"))
      for (const turn of ["1", "2"]) yield* store.settle(`${user}/${turn}`, "Keep")
      assert.deepStrictEqual(yield* all(), ["said twice"])
    })
  )
}
