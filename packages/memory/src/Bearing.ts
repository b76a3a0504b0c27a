/**
 * Chooses the notes that are recalled with a message: those that share two or more of its rare words, since a single
 * word may be a mere mention. Pure. Measured on everyday messages, half of which need no note: `bench/src/Recall.ts`.
 */
import type { NoteStore } from "@bough/tool"

/** The minimum weight of a recalled note, which no single word reaches. */
const minWeight = 1.5
/** The minimum weight of a further note, relative to the best note's weight. */
const minOfBest = 1 / 2
const maxNotes = 3

/** Returns the rows that are relevant to a text with these weights; `ranked`: best first. */
export const bearingNotes = ({ found }: NoteStore.Weights, ranked: ReadonlyArray<number>): ReadonlySet<number> => {
  const threshold = Math.max(minWeight, minOfBest * Math.max(0, ...found.values()))
  return new Set(ranked.filter((row) => (found.get(row) ?? 0) >= threshold).slice(0, maxNotes))
}
