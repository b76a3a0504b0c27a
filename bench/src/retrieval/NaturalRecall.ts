/**
 * The quality of finding notes over the natural set, by class and compared with other systems, and the notes that are
 * recalled for everyday messages.
 */
import { Note } from "@bough/protocol"
import type { NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import { figure, type Row } from "../Benchmark.ts"
import * as AutomaticRecall from "./AutomaticRecall.ts"
import * as Measures from "./Measures.ts"
import { classes } from "./natural/NaturalQuestion.ts"
import * as NaturalSet from "./natural/NaturalSet.ts"
import { type OpenedMemory, scope } from "./OpenMemory.ts"
import * as Systems from "./Systems.ts"

const draft = ({ id, kind, on, text }: (typeof NaturalSet.notes)[number]): NoteStore.Draft => ({
  noteId: Note.NoteId.make(id),
  kind,
  text,
  tags: [],
  source: "bench",
  untrusted: false,
  createdAtMillis: Date.parse(on),
  updatedAtMillis: Date.parse(on)
})

/** Saves the notes in the order in which they were written. */
export const save = ({ memory, store }: OpenedMemory) =>
  Effect.gen(function* () {
    const notes = NaturalSet.notes.toSorted((left, right) => left.on.localeCompare(right.on))
    yield* Effect.forEach(notes, (note) => store.save(scope, draft(note)))
    yield* memory.index.settle(false)
  })

interface AnsweredQuestion {
  readonly question: NaturalSet.Question
  readonly found: ReadonlyArray<Systems.Scored>
  /** The quality; null: the question has no answer. */
  readonly quality: Measures.Quality | null
}

const ask = async (system: Systems.System): Promise<ReadonlyArray<AnsweredQuestion>> => {
  const queries: Array<AnsweredQuestion> = []
  for (const question of NaturalSet.questions) {
    const found = await system.search(question.text)
    const ids = found.map(({ id }) => id)
    const quality = question.class === "negative" ? null : Measures.qualityOf(ids, question.grades)
    queries.push({ question, found, quality })
  }
  return queries
}

const qualities = (asked: ReadonlyArray<AnsweredQuestion>): ReadonlyArray<Measures.Quality> =>
  asked.flatMap(({ quality }) => quality ?? [])

const ndcgs = (asked: ReadonlyArray<AnsweredQuestion>): ReadonlyArray<number> =>
  qualities(asked).map((one) => one.ndcgAt10)

/** Measures how well the best score distinguishes a right first note from a question without an answer. */
const tellsNothing = (asked: ReadonlyArray<AnsweredQuestion>): number => {
  const best = ({ found }: AnsweredQuestion): number => Math.max(0, ...found.map(({ score }) => score))
  const right = asked.filter(({ found, question }) => question.grades[found[0]?.id ?? ""] === 2)
  return Measures.areaUnderCurve(right.map(best), asked.filter(({ quality }) => quality === null).map(best))
}

type All = ReadonlyMap<string, ReadonlyArray<AnsweredQuestion>>

const inHalf = (all: All, half: NaturalSet.Half): All =>
  new Map([...all].map(([name, asked]) => [name, asked.filter(({ question }) => question.half === half)]))

/** The difference by which Bough must exceed the baseline. */
const minLead = 0.08
const minArea = 0.9

const overall = (all: All, half: NaturalSet.Half): ReadonlyArray<Row> => {
  const baseline = ndcgs(all.get(Systems.baseline) ?? [])
  return [...all].map(([name, asked]) => {
    const { ndcgAt10, recallAt5, reciprocalRank } = Measures.mean(qualities(asked))
    const { high, low, mean } = Measures.difference(ndcgs(asked), baseline)
    const isOurs = name === Systems.hybrid
    return {
      label: `${name} (${half})`,
      ratio: null,
      figures: [
        figure("recall@5", recallAt5, ""),
        figure("MRR@10", reciprocalRank, ""),
        figure("nDCG@10", ndcgAt10, ""),
        figure("lead", mean, ""),
        figure("from", low, ""),
        figure("to", high, ""),
        figure("AUC of nothing fits", tellsNothing(asked), "")
      ],
      aim: isOurs ? { words: `nDCG@10 ${minLead} above ${Systems.baseline}`, met: mean >= minLead } : null
    }
  })
}

const byClass = (all: All): ReadonlyArray<Row> =>
  classes
    .filter((one) => one !== "negative")
    .map((one) => {
      const figures = [...all].map(([name, asked]) => {
        const classNdcgs = ndcgs(asked.filter(({ question }) => question.class === one))
        return figure(name, classNdcgs.reduce((sum, value) => sum + value, 0) / classNdcgs.length, "")
      })
      const of = (name: string): number => figures.find((each) => each.name === name)?.value ?? 0
      const met = of(Systems.hybrid) >= of(Systems.baseline)
      return {
        label: `nDCG@10, ${one}`,
        ratio: null,
        figures,
        aim: { words: `no worse than ${Systems.baseline}`, met }
      }
    })

/** How well the score of the first note shows that no note matches, with its interval. */
const certainty = (all: All, half: NaturalSet.Half): Row => {
  const { high, low, mean } = Measures.interval(all.get(Systems.hybrid) ?? [], tellsNothing)
  return {
    label: `AUC of nothing fits, ${Systems.hybrid} (${half})`,
    ratio: null,
    figures: [figure("AUC", mean, ""), figure("from", low, ""), figure("to", high, "")],
    aim: { words: `at least ${minArea}`, met: mean >= minArea }
  }
}

/** `folder`: an empty one for LanceDB by itself. */
export const rows = async (opened: OpenedMemory, folder: string): Promise<ReadonlyArray<Row>> => {
  const all = new Map<string, ReadonlyArray<AnsweredQuestion>>()
  for (const system of await Systems.open(opened, NaturalSet.notes, folder)) all.set(system.name, await ask(system))
  const joined = await Effect.runPromise(AutomaticRecall.join(opened))
  return [
    ...NaturalSet.halves.flatMap((half) => overall(inHalf(all, half), half)),
    ...byClass(all),
    ...NaturalSet.halves.map((half) => certainty(inHalf(all, half), half)),
    ...NaturalSet.halves.flatMap((half) => AutomaticRecall.rows(joined, half))
  ]
}
