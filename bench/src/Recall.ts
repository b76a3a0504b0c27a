/** The quality of finding notes by words, by meaning, and by both, over a labelled set. */
import * as EmbeddingStatic from "@bough/embedding-static"
import { type Embedder, TransformersModel } from "@bough/memory"
import { Note } from "@bough/protocol"
import type { NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import { mkdtempSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { type Aim, type Benchmark, figure, type Row } from "./Benchmark.ts"
import * as Corpus from "./retrieval/Corpus.ts"
import * as Measures from "./retrieval/Measures.ts"
import * as NaturalSet from "./retrieval/natural/NaturalSet.ts"
import * as NaturalRecall from "./retrieval/NaturalRecall.ts"
import { type OpenedMemory, scope, withMemory } from "./retrieval/OpenMemory.ts"
import { baseline } from "./retrieval/Systems.ts"

const limit = 10
const anyNote = { tags: [], kinds: [] }

const draft = ({ id, text }: Corpus.LabelledNote): NoteStore.Draft => ({
  noteId: Note.NoteId.make(id),
  kind: "fact",
  text,
  tags: [],
  source: "bench",
  untrusted: false,
  createdAtMillis: null
})

type Ranking = ReadonlyArray<string>

/** Returns the ids that each search finds, the best first. */
const ask = ({ memory, store }: OpenedMemory, text: string) =>
  Effect.gen(function* () {
    const query = { ...anyNote, text, limit }
    const words = yield* store.search(scope, query)
    const { rows } = yield* memory.index.similar(scope, query)
    const ids = new Map(
      (yield* store.visible(
        scope,
        rows.map(({ row }) => row)
      )).map(({ note, row }) => [row, String(note.noteId)])
    )
    const both = yield* memory.search(scope, query)
    return {
      words: words.map(({ note }): string => note.noteId),
      meaning: rows.map(({ row }) => ids.get(row) ?? ""),
      both: both.notes.map(({ note }): string => note.noteId)
    } satisfies Record<string, Ranking>
  })

const rowOf = (label: string, { ndcgAt10, recallAt5, reciprocalRank }: Measures.Quality, aim: Aim | null): Row => ({
  label,
  ratio: null,
  figures: [figure("recall@5", recallAt5, ""), figure("MRR@10", reciprocalRank, ""), figure("nDCG@10", ndcgAt10, "")],
  aim
})

const modelOf = (embedding: string | null): Embedder.Model =>
  embedding === null
    ? EmbeddingStatic.model
    : TransformersModel.make(embedding, {
        name: basename(embedding),
        revision: null,
        localFolder: dirname(embedding),
        cacheFolder: null,
        hub: null,
        dtype: "fp32"
      })

const run: Benchmark["run"] = async ({ embedding, folder }) => {
  const model = modelOf(embedding)
  const answers = await withMemory(folder, model, (opened) =>
    Effect.gen(function* () {
      yield* Effect.forEach(Corpus.notes, (note) => opened.store.save(scope, draft(note)), { concurrency: 200 })
      yield* opened.memory.index.settle(false)
      return yield* Effect.forEach(Corpus.questions, ({ text }) => ask(opened, text))
    })
  )
  const quality = (way: "words" | "meaning" | "both", half: number) =>
    Measures.mean(
      Corpus.questions.flatMap(({ answer }, index) =>
        index % 2 === half ? [Measures.qualityOf(answers[index][way], { [answer]: 1 })] : []
      )
    )
  const halves = ["measured", "chosen on"].flatMap((name, half) => {
    const [words, meaning, both] = (["words", "meaning", "both"] as const).map((way) => quality(way, half))
    const measures = ["recallAt5", "reciprocalRank", "ndcgAt10"] as const
    const met = measures.every((measure) => both[measure] >= Math.max(words[measure], meaning[measure]))
    return [
      rowOf(`words (${name})`, words, null),
      rowOf(`meaning (${name})`, meaning, null),
      rowOf(`both (${name})`, both, { words: "no measure under the better of the two", met })
    ]
  })
  const newFolder = (name: string) => mkdtempSync(join(folder, name))
  const natural = await withMemory(newFolder("natural-"), model, (opened) =>
    Effect.andThen(
      NaturalRecall.save(opened),
      Effect.promise(() => NaturalRecall.rows(opened, newFolder("lancedb-")))
    )
  )
  return {
    rows: [...natural, ...halves.map((row) => ({ ...row, label: `templates: ${row.label}` }))],
    notes: [
      `${NaturalSet.notes.length} notes and ${NaturalSet.questions.length} questions by hand; each way of finding has the same texts and vectors. The lead is in nDCG@10 over ${baseline}, with its 95 % interval; AUC: how well the best score tells a right first note from a question without an answer.`,
      `${Corpus.notes.length} notes, ${Corpus.questions.length} questions with one right answer each; a third in the note's own words. Own text: bench/src/retrieval.`,
      `The weights were chosen on the odd questions; the even ones are what is measured. The model is ${model.name}.`
    ],
    notMeasured: embedding === null ? ["other models: name a folder that holds one, by --embedding"] : []
  }
}

export const benchmark: Benchmark = { name: "recall", title: "Finding notes: words, meaning, both", run }
