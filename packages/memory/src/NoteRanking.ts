/** Notes by their words: BM25, with the constants that SQLite's full-text index has. Pure. */
import { NoteStore, NoteWords } from "@bough/tool"

/** Robertson & Zaragoza 2009, "The Probabilistic Relevance Framework". */
const saturation = 1.2
const lengthWeight = 0.75

interface Counted {
  readonly found: NoteStore.Row
  readonly length: number
  readonly counts: ReadonlyMap<string, number>
}

/** Those that have a word of the text, the best first. */
export const best = (rows: ReadonlyArray<NoteStore.Row>, text: string): ReadonlyArray<NoteStore.Found> => {
  const asked = NoteWords.asked(text)
  const all = rows.map(counted)
  const meanLength = all.reduce((sum, { length }) => sum + length, 0) / Math.max(1, all.length)
  const weights = new Map(asked.map((word) => [word, rarity(all, word)]))
  return all
    .flatMap((note) => {
      const words = asked.filter((word) => note.counts.has(word))
      if (words.length === 0) return []
      const score = words.reduce((sum, word) => sum + weights.get(word)! * share(note, word, meanLength), 0)
      return [{ row: note.found.row, note: note.found.note, score }]
    })
    .toSorted((left, right) => right.score - left.score || left.row - right.row)
}

const counted = (found: NoteStore.Row): Counted => {
  const words = NoteWords.stored(found.note.text)
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return { found, length: words.length, counts }
}

/** Never below nothing: a word that is in most notes still finds them. */
const rarity = (all: ReadonlyArray<Counted>, word: string): number => {
  const having = all.filter(({ counts }) => counts.has(word)).length
  return Math.max(1e-6, Math.log((all.length - having + 0.5) / (having + 0.5)))
}

const share = ({ counts, length }: Counted, word: string, meanLength: number): number => {
  const count = counts.get(word) ?? 0
  const norm = saturation * (1 - lengthWeight + (lengthWeight * length) / meanLength)
  return (count * (saturation + 1)) / (count + norm)
}
