/** The tests that every NoteStore adapter passes; call it once per adapter's layer. */
import { Note } from "@bough/protocol"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as NoteStore from "../NoteStore.ts"
import { history } from "./noteStore/history.ts"
import { holds } from "./noteStore/holds.ts"
import { namespaces } from "./noteStore/namespaces.ts"
import { projects } from "./noteStore/projects.ts"
import { draft, id, someone, usual } from "./noteStore/someone.ts"
import { weights } from "./noteStore/weights.ts"

export const noteStoreSpec = <E>(name: string, adapter: Layer.Layer<NoteStore.NoteStore, E>): void =>
  layer(adapter)(`NoteStore (${name})`, (it) => {
    it.effect("a note is found by its words as soon as it is saved, and under its id as it was given", () =>
      Effect.gen(function* () {
        const { found, place, store } = yield* someone
        const saved = yield* store.save(place(), draft("n1", "The harbour opens at seven", { tags: ["port"] }))
        assert.strictEqual(saved.status, "Saved")
        assert.deepStrictEqual(yield* found("when does the harbour open?"), ["n1"])
        const note = yield* store.get(place(), id("n1"))
        assert.deepStrictEqual(note, saved.note)
        assert.deepStrictEqual(note?.tags, ["port"])
        assert.strictEqual(note?.createdAtMillis, note?.updatedAtMillis)
      })
    )

    it.effect("the same id, and the same text but for case, spacing and list marks, is kept once", () =>
      Effect.gen(function* () {
        const { all, place, store } = yield* someone
        yield* store.save(place(), draft("n1", "Tea, no sugar"))
        for (const again of [draft("n1", "something else"), draft("n2", "- tea,  NO\nsugar ")]) {
          const duplicate = yield* store.save(place(), again)
          assert.deepStrictEqual([duplicate.status, duplicate.note.noteId], ["Kept", id("n1")])
        }
        assert.deepStrictEqual(yield* all(), ["Tea, no sugar"])
      })
    )

    it.effect("a change keeps the id and the time of birth, and the old words find it no more", () =>
      Effect.gen(function* () {
        const { found, place, store } = yield* someone
        yield* store.save(place(), draft("n1", "lives in Lisbon", { createdAtMillis: 5 }))
        const changed = yield* store.update(place(), id("n1"), {
          text: "lives in Porto",
          kind: null,
          tags: ["home"],
          untrusted: false
        })
        assert.strictEqual(changed?.createdAtMillis, 5)
        assert.deepStrictEqual([yield* found("Lisbon"), yield* found("Porto")], [[], ["n1"]])
        assert.deepStrictEqual(yield* found("Porto", { tags: ["home"] }), ["n1"])
        assert.isNull(
          yield* store.update(place(), id("nowhere"), { text: "x", kind: null, tags: null, untrusted: false })
        )
      })
    )

    it.effect("a change of the note that was read changes no other one", () =>
      Effect.gen(function* () {
        const { place, store } = yield* someone
        const { note } = yield* store.save(place(), draft("n1", "lives in Lisbon"))
        const change = (text: string) =>
          store.update(place(), id("n1"), { text, kind: null, tags: null, untrusted: false, expected: note })
        assert.strictEqual((yield* change("lives in Porto"))?.text, "lives in Porto")
        assert.isNull(yield* change("lives in Faro"))
        assert.strictEqual((yield* store.get(place(), id("n1")))?.text, "lives in Porto")
      })
    )

    it.effect("an imported note keeps its times", () =>
      Effect.gen(function* () {
        const { place, store } = yield* someone
        const { note } = yield* store.save(place(), draft("n1", "tea", { createdAtMillis: 5, updatedAtMillis: 7 }))
        assert.deepStrictEqual([note.createdAtMillis, note.updatedAtMillis], [5, 7])
        yield* store.update(place(), id("n1"), {
          text: "tea, green",
          kind: null,
          tags: null,
          untrusted: false,
          updatedAtMillis: 9
        })
        const changed = yield* store.get(place(), id("n1"))
        assert.deepStrictEqual([changed?.createdAtMillis, changed?.updatedAtMillis], [5, 9])
      })
    )

    it.effect("an untrusted change makes a note untrusted for ever", () =>
      Effect.gen(function* () {
        const { place, store, user } = yield* someone
        const { note } = yield* store.save(place(), draft("told", "as the page says", { untrusted: true }))
        assert.isTrue(note.untrusted)
        yield* store.save(place(), draft("own", "likes tea"))
        const change = { text: null, kind: null, tags: ["x"] }
        yield* store.update(place(), id("told"), { ...change, untrusted: false })
        yield* store.update(place(`${user}/1`), id("own"), { ...change, untrusted: true })
        const labels = Effect.map(store.list(place(), { ...usual, after: "", limit: 10 }), (notes) =>
          notes.map(({ noteId, untrusted }) => [String(noteId), untrusted])
        )
        assert.deepStrictEqual(yield* labels, [
          ["own", false],
          ["told", true]
        ])
        yield* store.settle(`${user}/1`, "Keep")
        assert.deepStrictEqual(yield* labels, [
          ["own", true],
          ["told", true]
        ])
      })
    )

    it.effect("a removed note is not found", () =>
      Effect.gen(function* () {
        const { found, place, store } = yield* someone
        yield* store.save(place(), draft("n1", "ephemeral words"))
        const rows = yield* store.search(place(), { ...usual, text: "ephemeral", limit: 5 })
        assert.isTrue(yield* store.remove(place(), id("n1")))
        assert.isFalse(yield* store.remove(place(), id("n1")))
        assert.deepStrictEqual(yield* found("ephemeral"), [])
        assert.isNull(yield* store.get(place(), id("n1")))
        assert.deepStrictEqual(
          yield* store.visible(
            place(),
            rows.map(({ row }) => row)
          ),
          []
        )
      })
    )

    it.effect("all tags asked for must be there, any of the kinds; conversations only when they are asked for", () =>
      Effect.gen(function* () {
        const { found, place, store } = yield* someone
        yield* store.save(place(), draft("a", "red apple pie", { tags: ["food", "red"], kind: "preference" }))
        yield* store.save(place(), draft("b", "red brick wall", { tags: ["red"] }))
        yield* store.save(place(), draft("c", "said: red", { kind: "conversation" }))
        assert.deepStrictEqual((yield* found("red")).toSorted(), ["a", "b"])
        assert.deepStrictEqual(yield* found("red", { tags: ["red", "food"] }), ["a"])
        assert.deepStrictEqual(yield* found("red", { tags: ["red", "nobody's"] }), [])
        assert.deepStrictEqual(yield* found("red", { kinds: ["conversation"] }), ["c"])
        assert.deepStrictEqual((yield* found("red", { kinds: ["conversation", "fact"] })).toSorted(), ["b", "c"])
      })
    )

    it.effect("the rarer word counts for more; a question of mere stop words is still answered", () =>
      Effect.gen(function* () {
        const { found, place, store } = yield* someone
        for (let n = 0; n < 20; n++) yield* store.save(place(), draft(`n${n}`, `meeting number ${n} is about lunch`))
        yield* store.save(place(), draft("rare", "meeting with the zoologist"))
        assert.strictEqual((yield* found("meeting zoologist"))[0], "rare")
        assert.isNotEmpty(yield* found("is about"))
        assert.deepStrictEqual(yield* found(" \u0000 ?!"), [])
      })
    )

    it.effect("finds words of scripts without spaces, and whatever the diacritics", () =>
      Effect.gen(function* () {
        const { found, place, store } = yield* someone
        yield* store.save(place(), draft("ja", "毎朝コーヒーを飲む"))
        yield* store.save(place(), draft("hi", "नमस्ते दुनिया"))
        assert.deepStrictEqual(yield* found("コーヒー"), ["ja"])
        assert.deepStrictEqual(yield* found("朝"), ["ja"])
        assert.deepStrictEqual(yield* found("दुनिया"), ["hi"])
      })
    )

    it.effect("a word that no note has stands for the nearest of the user's own, unless words are to be exact", () =>
      Effect.gen(function* () {
        const { place, store } = yield* someone
        const another = yield* someone
        yield* store.save(place(), draft("n1", "Our dentist is in Ghent"))
        yield* another.store.save(another.place(), draft("n2", "a dentsst"))
        yield* another.store.save(another.place(), draft("n3", "tea at five"))
        const query = { ...usual, text: "dentst", limit: 5 }
        const ids = (of: NoteStore.NoteScope, exact: boolean) =>
          Effect.map(store.search(of, { ...query, exact }), (rows) => rows.map(({ note }) => String(note.noteId)))
        assert.deepStrictEqual(yield* ids(place(), false), ["n1"])
        assert.deepStrictEqual(yield* ids(another.place(), false), ["n2"])
        assert.deepStrictEqual(yield* ids(place(), true), [])
      })
    )

    it.effect("a vector goes with its row, and is given only to who names its model", () =>
      Effect.gen(function* () {
        const { place, store } = yield* someone
        const { written } = yield* store.counters
        yield* store.save(place(), draft("n1", "one"))
        yield* store.save(place(), draft("n2", "two"))
        const page = { after: written, limit: 10 }
        const [first, second] = yield* store.vectors("a", page)
        assert.deepStrictEqual([first.vector, first.text, second.text], [null, "one", "two"])
        const vector = Float32Array.of(0.5, -1, 1e-30)
        const nowhere = { row: second.row + 1000, vector }
        yield* store.keepVectors("a", [{ row: first.row, vector }, { row: second.row, vector }, nowhere])
        const storedVectors = (modelId: string) =>
          Effect.map(store.vectors(modelId, page), (rows) => rows.map((row) => row.vector))
        assert.deepStrictEqual(yield* storedVectors("a"), [vector, vector])
        assert.deepStrictEqual(yield* storedVectors("b"), [null, null])
        yield* store.keepVectors("b", [{ row: first.row, vector }])
        assert.deepStrictEqual(yield* storedVectors("a"), [null, vector])
        yield* store.remove(place(), id("n2"))
        assert.deepStrictEqual(yield* storedVectors("b"), [vector])
        yield* store.clearVectors
        assert.deepStrictEqual([yield* storedVectors("b"), yield* store.vectorReport], [[null], null])
      })
    )

    it.effect("the vectors of the rows that pass a filter are given together, and the others are counted", () =>
      Effect.gen(function* () {
        const { place, store, user } = yield* someone
        const another = yield* someone
        const { written } = yield* store.counters
        yield* store.save(place(), draft("n1", "one"))
        yield* store.save(place(), { ...draft("n2", "two"), kind: "decision", tags: ["x", "y"] })
        yield* store.save(place(), { ...draft("n3", "three"), kind: "conversation", tags: ["x"] })
        yield* store.save(place(), { ...draft("n4", "four"), project: "/p" })
        yield* store.save(another.place(), draft("n5", "five"))
        yield* store.save(place(`${user}/1`), draft("n6", "six"))
        const all = yield* store.rows(written, 10)
        const rows = Object.fromEntries(all.map(({ row, text }) => [text, row]))
        const vectorOf = (row: number) => Float32Array.of(row, -row, 0.1)
        const passing = Effect.fnUntraced(function* (
          { among = null, ...filters }: Partial<NoteStore.Filter> & { readonly among?: ReadonlyArray<number> | null },
          project: string | null = null
        ) {
          const filter = yield* store.numbered({ ...place(), project }, { ...usual, ...filters })
          return filter === null ? null : yield* store.passingVectors("a", filter, among)
        })
        assert.deepInclude(yield* passing({}), { rows: [], withoutVector: 2 })
        yield* store.keepVectors(
          "a",
          all.filter(({ text }) => text !== "one").map(({ row }) => ({ row, vector: vectorOf(row) }))
        )
        const joinWords = (texts: ReadonlyArray<string>, withoutVector: number) => ({
          rows: texts.map((text) => rows[text]),
          vectors: Float32Array.from(texts.flatMap((text) => [...vectorOf(rows[text])])),
          withoutVector
        })
        assert.deepStrictEqual(yield* passing({}), joinWords(["two"], 1))
        assert.deepStrictEqual(yield* passing({}, "/p"), joinWords(["two", "four"], 1))
        assert.deepStrictEqual(yield* passing({ kinds: ["conversation"] }), joinWords(["three"], 0))
        assert.deepStrictEqual(yield* passing({ tags: ["x", "y"] }), joinWords(["two"], 0))
        assert.isNull(yield* passing({ tags: ["z"] }))
        const among = [rows["four"], rows["three"], rows["five"], rows["four"] + 1000]
        assert.deepStrictEqual(yield* passing({ among }, "/p"), joinWords(["four"], 0))
        assert.deepStrictEqual(yield* passing({ among }), joinWords([], 0))
        yield* store.remove(place(), id("n2"))
        assert.deepStrictEqual(yield* passing({}), joinWords([], 1))
      })
    )

    it.effect("an index can follow every change of the notes by rows, drops and counters", () =>
      Effect.gen(function* () {
        const { place, store, user } = yield* someone
        const start = yield* store.counters
        yield* store.save(place(), draft("a", "alpha"))
        yield* store.save(place(), draft("b", "beta"))
        yield* store.update(place(), id("a"), { text: "alpha again", kind: null, tags: null, untrusted: false })
        yield* store.remove(place(), id("b"))
        yield* store.save(place(`${user}/1`), draft("c", "gamma"))
        yield* store.settle(`${user}/1`, "Keep")
        const rows = yield* store.rows(start.written, 100)
        assert.deepStrictEqual(
          rows.map(({ text }) => text),
          ["alpha again", "gamma"]
        )
        const now = yield* store.counters
        assert.isAtLeast(now.written, rows[1].row)
        const drops = yield* store.drops(start.dropped, 100)
        assert.lengthOf(drops, now.dropped - start.dropped)
        assert.lengthOf(drops, 2)
        const numbers = yield* store.rowNumbers
        assert.deepStrictEqual(
          rows.map(({ row }) => numbers.includes(row)),
          [true, true]
        )
        assert.isFalse(drops.some((row) => numbers.includes(row)))
        assert.include(
          (yield* store.users).map((entry) => `${entry.user}: ${entry.notes}`),
          `${user}: 2`
        )
      })
    )

    it.effect("pages through all notes by id, each once", () =>
      Effect.gen(function* () {
        const { place, store } = yield* someone
        for (let n = 0; n < 25; n++) yield* store.save(place(), draft(`n${n}`, `text ${n}`))
        const seen: Array<string> = []
        for (let after = ""; ; after = seen.at(-1) ?? "") {
          const page = yield* store.list(place(), { ...usual, after, limit: 10 })
          seen.push(...page.map(({ noteId }) => noteId))
          if (page.length < 10) break
        }
        assert.deepStrictEqual(seen, Array.from({ length: 25 }, (_, n) => `n${n}`).toSorted())
      })
    )

    it.effect.prop(
      "a note with any text and tags is read as it was saved",
      [Schema.String, Schema.Array(Schema.String), Schema.String],
      ([text, tags, source]) =>
        Effect.gen(function* () {
          const { place, store } = yield* someone
          const wanted = draft("n", `x${text}`, { tags: Note.normaliseTags(tags), source })
          const { note } = yield* store.save(place(), wanted)
          const stored = yield* store.get(place(), wanted.noteId)
          assert.deepStrictEqual(stored, note)
          assert.deepStrictEqual([stored?.text, stored?.tags], [wanted.text.toWellFormed(), wanted.tags])
        }),
      { arbitrary: { runs: 50, size: 40 } }
    )

    namespaces(it)
    holds(it)
    projects(it)
    weights(it)
    history(it)
  })
