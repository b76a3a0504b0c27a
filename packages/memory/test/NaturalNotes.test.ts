/**
 * Tests of a search's confidence, over notes that a user wrote by hand: alone, and among enough notes of the templates
 * for a larger memory. Words alone are compared: they decide which notes are recalled, and most of a score.
 */
import { Note } from "@bough/protocol"
import { SessionStoreSql } from "@bough/store-sqlite"
import { NoteStore } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Corpus from "../../../bench/src/retrieval/Corpus.ts"
import * as Measures from "../../../bench/src/retrieval/Measures.ts"
import * as NaturalSet from "../../../bench/src/retrieval/natural/NaturalSet.ts"
import { chosenOf, thorough } from "../../../test/thorough.ts"
import { Memory } from "../src/index.ts"

const place = { user: "somebody", hold: null }
const weights = { words: 1, meaning: 1, smoothing: 20 }

interface Text {
  readonly id: string
  readonly text: string
}

const withNotes = <A, E>(texts: ReadonlyArray<Text>, body: (memory: Memory.Memory) => Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const directory = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "bough-relevance-"))),
      (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
    )
    const answer = Effect.gen(function* () {
      const store = yield* NoteStore.NoteStore
      const draft = { kind: "fact", tags: [], source: "", untrusted: false, createdAtMillis: null } as const
      const save = ({ id, text }: Text) => store.save(place, { ...draft, noteId: Note.NoteId.make(id), text })
      yield* Effect.forEach(texts, save, { concurrency: 200 })
      const memory = yield* Memory.make({ directory, embedder: null, weights, onProgress: () => {} })
      return yield* body(memory)
    })
    return yield* Effect.provide(answer, SessionStoreSql.layer({ directory }))
  }).pipe(Effect.scoped)

const classes: ReadonlySet<string> = new Set(["exact", "typo", "same-language", "updated"])
const questions = NaturalSet.questions.filter((one) => classes.has(one.class))
const negative = NaturalSet.questions.filter((one) => one.class === "negative")

const needed = new Set(questions.flatMap(({ grades }) => Object.keys(grades)))
const few = NaturalSet.notes.filter(({ id }) => needed.has(id))

/** Spread over all templates. */
const ballast = (count: number): ReadonlyArray<Text> =>
  Array.from({ length: count }, (_, index) => Corpus.notes[Math.floor((index * Corpus.notes.length) / count)])

const best = (memory: Memory.Memory, text: string) =>
  Effect.map(memory.search(place, { text, limit: 10, tags: [], kinds: [] }), ({ fits, notes }) => ({
    fits,
    score: Math.max(0, ...notes.map(({ score }) => score)),
    first: String(notes[0]?.note.noteId),
    sure: notes.filter(({ confidence }) => confidence === "sure").map(({ note }) => String(note.noteId))
  }))

describe("a search", () => {
  it.live.each(
    chosenOf<readonly [string, ReadonlyArray<Text>]>(
      [
        ["a few dozen", few],
        ["two hundred", [...few, ...ballast(200 - few.length)]],
        ["two thousand", [...few, ...ballast(2000 - few.length)]]
      ],
      (index) => index < 2
    )
  )(
    "knows among %s notes when one answers and when none does",
    ([, texts]) =>
      withNotes(texts, (memory) =>
        Effect.gen(function* () {
          const answered = yield* Effect.forEach(questions, (question) =>
            Effect.map(best(memory, question.text), (found) => ({ ...found, question }))
          )
          const none = yield* Effect.forEach(negative, ({ text }) => best(memory, text))
          const right = answered.filter(({ first, question }) => question.grades[first] === 2)
          const scores = (all: ReadonlyArray<{ readonly score: number }>) => all.map(({ score }) => score)
          assert.isAtLeast(Measures.areaUnderCurve(scores(right), scores(none)), 0.9)
          assert.isAtLeast(right.filter(({ fits }) => fits).length / right.length, 0.75)
          assert.isAtLeast(none.filter(({ fits }) => !fits).length / none.length, 0.8)
          const sure = answered.flatMap(({ question, sure: ids }) => ids.map((id) => question.grades[id] !== undefined))
          assert.isAtLeast(sure.length, 40)
          assert.isAtLeast(sure.filter(Boolean).length / sure.length, 0.9)
        })
      ),
    thorough
  )
})

describe("the notes recalled for a message", () => {
  it.live.each(
    chosenOf<readonly [string, ReadonlyArray<Text>]>(
      [
        ["two hundred", NaturalSet.notes],
        ["two thousand", [...NaturalSet.notes, ...ballast(2000 - NaturalSet.notes.length)]]
      ],
      (index) => index === 0
    )
  )(
    "are right more often than not among %s notes, seldom recalled needlessly, and never secrets",
    ([, texts]) =>
      withNotes(texts, (memory) =>
        Effect.gen(function* () {
          const joined = yield* Effect.forEach(NaturalSet.messages, ({ served, text }) =>
            Effect.map(memory.findBearing(place, text, new Set()), (lines) => ({
              served,
              ids: lines.map(({ note }) => String(note.noteId))
            }))
          )
          const sent = joined.flatMap(({ ids, served }) => ids.map((id) => served.includes(id)))
          assert.isAtLeast(sent.filter(Boolean).length / sent.length, 0.6)
          const needing = joined.filter(({ served }) => served.length > 0)
          const helped = needing.filter(({ ids, served }) => served.some((id) => ids.includes(id)))
          assert.isAtLeast(helped.length / needing.length, 0.6)
          const needless = joined.filter(({ served }) => served.length === 0)
          assert.isAtMost(needless.filter(({ ids }) => ids.length > 0).length / needless.length, 0.2)
          for (const id of NaturalSet.secrets) {
            const text = NaturalSet.notes.find((note) => note.id === id)?.text ?? ""
            const own = yield* memory.findBearing(place, text, new Set())
            assert.notInclude(
              own.map(({ note }) => String(note.noteId)),
              id
            )
          }
        })
      ),
    thorough
  )
})
