/** Tests of the weights of a text's words and of the notes that have them. */
import { Note } from "@bough/protocol"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as NoteStore from "../../NoteStore.ts"
import { draft, usual } from "./someone.ts"

const ownScope = { user: "who weighs words", hold: null }
const otherScope = { user: "another who weighs words", hold: null }

export const weights = (it: Vitest.MethodsNonLive<NoteStore.NoteStore>): void => {
  it.effect(
    "a rare word weighs more, also a word that no note contains, and only rows with the word get its weight",
    () =>
      Effect.gen(function* () {
        const store = yield* NoteStore.NoteStore
        for (let n = 0; n < 20; n++) yield* store.save(ownScope, draft(`n${n}`, `berth ${n} of the harbour`))
        yield* store.save(ownScope, draft("rare", "the harbour has a lighthouse"))
        yield* store.save(otherScope, draft("theirs", "a lighthouse, a lighthouse keeper"))
        const rows = yield* store.search(ownScope, { ...usual, text: "harbour lighthouse", limit: 50 })
        const weigh = (text: string) =>
          Effect.map(
            store.weigh(
              ownScope,
              text,
              rows.map(({ row }) => row)
            ),
            (weights) => {
              const of = (noteId: string) =>
                weights.found.get(rows.find(({ note }) => note.noteId === noteId)?.row ?? -1) ?? 0
              return { all: weights.all, of }
            }
          )
        const { all, of } = yield* weigh("harbour lighthouse")
        assert.approximately(of("rare"), all, 1e-9)
        assert.isAbove(of("rare"), 2 * of("n1"))
        assert.isAbove(of("n1"), 0)
        const alone = yield* weigh("lighthouse")
        assert.isTrue(alone.of("rare") > 0.8 && alone.of("rare") <= 1, String(alone.of("rare")))
        assert.strictEqual(alone.of("n1"), 0)
        const missing = yield* weigh("harbour submarine")
        assert.isAbove(missing.all, all)
        assert.approximately(missing.of("rare"), of("n1"), 1e-9)
        assert.isBelow((yield* weigh("lightouse")).of("rare"), alone.of("rare"))
        assert.isAbove((yield* weigh("lightouse")).of("rare"), 0.5)
        assert.strictEqual((yield* weigh("wie ist das und der")).all, 0)
        // Hiragana is inflection beside other words, and the topic of a query without them.
        assert.isAbove((yield* weigh("にっぽり")).all, 0)
        assert.strictEqual((yield* weigh("lighthouse にっぽり")).all, alone.all)
        // The candidates for a misspelled word change with the notes.
        yield* store.save(ownScope, draft("late", "a lightship off the harbour"))
        const [late] = yield* store.search(ownScope, { ...usual, text: "lightshp", limit: 5 })
        assert.strictEqual(String(late.note.noteId), "late")
        assert.isAbove((yield* store.weigh(ownScope, "lightshp", [late.row])).found.get(late.row) ?? 0, 0.5)
        yield* store.remove(ownScope, Note.NoteId.make("late"))
        assert.deepStrictEqual([...(yield* store.weigh(ownScope, "lightshp", [late.row])).found], [])
        const weighed = yield* store.weigh(
          otherScope,
          "harbour lighthouse",
          rows.map(({ row }) => row)
        )
        assert.deepStrictEqual([...weighed.found], [])
      })
  )
}
