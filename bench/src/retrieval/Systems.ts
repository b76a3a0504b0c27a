/** The compared searches. Each searches the same texts and, if it compares meaning, uses the same vectors. */
import type { Embedder, Memory } from "@bough/memory"
import type { NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import MiniSearch from "minisearch"
import * as Fts5 from "./Fts5.ts"
import { type OpenedMemory, scope } from "./OpenMemory.ts"
import * as RawLanceDb from "./RawLanceDb.ts"

export interface Scored {
  readonly id: string
  readonly score: number
}

type ScoredNotes = ReadonlyArray<Scored>

export interface System {
  readonly name: string
  /** Returns the notes, the best first. The score of the first is the system's confidence that a note matches. */
  readonly search: (text: string) => Promise<ScoredNotes>
}

interface Text {
  readonly id: string
  readonly text: string
}

const limit = 10
/** The length of each half of a fusion. */
const candidates = 50
const anything = { tags: [], kinds: [] }

const byWords =
  (store: NoteStore.NoteStore["Service"]) =>
  (text: string, most: number): Promise<ScoredNotes> =>
    Effect.runPromise(store.search(scope, { ...anything, text, limit: most })).then((found) =>
      found.map(({ note, score }) => ({ id: note.noteId, score }))
    )

const byMeaning =
  ({ memory, store }: OpenedMemory) =>
  (text: string, most: number): Promise<ScoredNotes> =>
    Effect.gen(function* () {
      const { rows } = yield* memory.index.similar(scope, { ...anything, text, limit: most })
      const visible = yield* store.visible(
        scope,
        rows.map(({ row }) => row)
      )
      const ids = new Map(visible.map(({ note, row }) => [row, note.noteId]))
      return rows.flatMap(({ row, similarity }) => {
        const id = ids.get(row)
        return id === undefined ? [] : [{ id, score: similarity }]
      })
    }).pipe(Effect.runPromise)

const byBoth =
  (memory: Memory.Memory) =>
  (text: string): Promise<ScoredNotes> =>
    Effect.runPromise(memory.search(scope, { ...anything, text, limit })).then(({ notes }) =>
      notes.map(({ note, score }) => ({ id: note.noteId, score }))
    )

/** Joins rankings by plain reciprocal rank fusion. */
const fuse = (...rankings: ReadonlyArray<ScoredNotes>): ScoredNotes => {
  const scores = new Map<string, number>()
  for (const ranking of rankings) {
    ranking.forEach(({ id }, rank) => scores.set(id, (scores.get(id) ?? 0) + 1 / (20 + rank + 1)))
  }
  return [...scores].map(([id, score]) => ({ id, score })).toSorted((left, right) => right.score - left.score)
}

const miniSearch = (texts: ReadonlyArray<Text>) => {
  const index = new MiniSearch<Text>({ fields: ["text"] })
  index.addAll(texts)
  return (text: string): ScoredNotes => index.search(text).map(({ id, score }) => ({ id: String(id), score }))
}

const lanceDb = async (folder: string, texts: ReadonlyArray<Text>, embedder: Embedder.Embedder) => {
  const raw = await RawLanceDb.open(folder, embedder)
  await raw.add(texts)
  await raw.finish(false)
  return async (text: string): Promise<ScoredNotes> =>
    (await raw.search(text, limit)).map((id, rank) => ({ id, score: 1 / (rank + 1) }))
}

export const hybrid = "Bough: both"
export const words = "Bough: words"
/** The systems that Bough must be better than. */
export const baseline = "FTS5 porter + same vectors"

/** Opens the systems. `texts`: the same as in the opened memory. */
export const open = async (
  opened: OpenedMemory,
  texts: ReadonlyArray<Text>,
  folder: string
): Promise<ReadonlyArray<System>> => {
  const porter = Fts5.open(texts, "porter")
  const trigram = Fts5.open(texts, "trigram")
  const mini = miniSearch(texts)
  const lance = await lanceDb(folder, texts, opened.embedder)
  const meaning = byMeaning(opened)
  const own = byWords(opened.store)
  return [
    { name: hybrid, search: byBoth(opened.memory) },
    { name: words, search: (text) => own(text, limit) },
    { name: "Bough: meaning", search: (text) => meaning(text, limit) },
    { name: "LanceDB hybrid", search: lance },
    { name: "FTS5 porter", search: async (text) => porter(text, limit) },
    { name: "FTS5 trigram", search: async (text) => trigram(text, limit) },
    {
      name: baseline,
      search: async (text) => fuse(porter(text, candidates), await meaning(text, candidates)).slice(0, limit)
    },
    { name: "MiniSearch", search: async (text) => mini(text).slice(0, limit) }
  ]
}
