/** Notes by their words. Pure. */
import { Bm25, NoteStore, NoteWords } from "@bough/tool"

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

const rarity = (all: ReadonlyArray<Counted>, word: string): number =>
  Bm25.rarity(all.length, all.filter(({ counts }) => counts.has(word)).length)

const share = ({ counts, length }: Counted, word: string, meanLength: number): number =>
  Bm25.share(counts.get(word) ?? 0, length, meanLength)
