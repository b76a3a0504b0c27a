/** Notes ranked by what the full-text index says of each word. Pure. */
import { Bm25 } from "@bough/tool"
import type { Postings } from "./Postings.ts"
import * as WordEntry from "./WordEntry.ts"

/** A word. */
export interface Word extends Postings {
  /** On how many notes it is, whether or not they are among these. */
  readonly having: number
}

export interface Ranked {
  readonly row: number
  readonly score: number
}

const meanLength = (all: ReadonlyArray<Word>): number => {
  let sum = 0
  let count = 0
  for (const { notes } of all) {
    for (const note of notes) sum += WordEntry.lengthOf(note)
    count += notes.length
  }
  return Math.max(1, sum / Math.max(1, count))
}

/** The score of each note. Texts are compared with the mean of those that were found. */
const scored = (all: ReadonlyArray<Word>, total: number): ReadonlyMap<number, number> => {
  const mean = meanLength(all)
  const scores = new Map<number, number>()
  for (const { counts, having, notes } of all) {
    const weight = Bm25.rarity(total, having)
    for (let index = 0; index < notes.length; index++) {
      const note = notes[index]
      const share = Bm25.share(counts[index], WordEntry.lengthOf(note), mean)
      scores.set(note, (scores.get(note) ?? 0) + weight * share)
    }
  }
  return scores
}

const byScore = (left: Ranked, right: Ranked): number => right.score - left.score || left.row - right.row

/** The best first, of equals the older; `total`: how many notes there are. */
export const best = (all: ReadonlyArray<Word>, total: number, limit: number): ReadonlyArray<Ranked> => {
  let kept: Array<Ranked> = []
  // Most of thousands are no result: they are left out before anything is sorted.
  let last: Ranked | null = null
  for (const [note, score] of scored(all, total)) {
    const one = { row: WordEntry.rowOf(note), score }
    if (last !== null && byScore(one, last) > 0) continue
    kept.push(one)
    if (kept.length < 4 * limit) continue
    kept = kept.toSorted(byScore).slice(0, limit)
    last = kept[limit - 1]
  }
  return kept.toSorted(byScore).slice(0, limit)
}
