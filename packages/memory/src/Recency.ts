/**
 * Moves the newer one of notes that fit about equally well forward: a fact that changed is often stored twice. Pure.
 */
import type { NoteStore } from "@bough/tool"
import type { Ranked } from "./Fusion.ts"

/**
 * The share of its score that the newest candidate gains, chosen like the weights: a smaller one changes no order, a
 * larger one loses right answers.
 */
const mostGain = 0.05

/** Returns the best first. The newest gains most and the oldest nothing, by rank: the age itself says little. */
export const favour = (
  ranked: ReadonlyArray<Ranked>,
  notes: ReadonlyMap<number, NoteStore.Row["note"]>
): ReadonlyArray<Ranked> => {
  const changedAt = (row: number): number => notes.get(row)?.updatedAtMillis ?? 0
  const byAge = ranked
    .map(({ row }) => row)
    .toSorted((left, right) => changedAt(left) - changedAt(right) || left - right)
  const gains = new Map(byAge.map((row, place) => [row, (mostGain * (place + 1)) / byAge.length]))
  return ranked
    .map(({ row, score }) => ({ row, score: score * (1 + (gains.get(row) ?? 0)) }))
    .toSorted((left, right) => right.score - left.score)
}
