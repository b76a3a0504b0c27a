/**
 * If several notes fit about equally well, moves the newer ones forward, because a fact that changed is often stored
 * twice. Pure.
 */
import type { NoteStore } from "@bough/tool"
import type { RankedRow } from "./Fusion.ts"
import * as Neighbours from "./Neighbours.ts"

/**
 * The share by which the newest candidate's score increases. It was tuned like the weights: a smaller value changes no
 * order, and a larger value loses right answers.
 */
const maxGain = 0.05

/** The number of first notes of a ranking that are compared for pairs on the same subject. */
const maxCompared = 20

/** Moves a note before the first older note on the same subject whose score is at most `maxGain` better. */
const newerFirst = (
  ranked: ReadonlyArray<RankedRow>,
  notes: ReadonlyMap<number, NoteStore.Row["note"]>
): ReadonlyArray<RankedRow> => {
  const placed: Array<RankedRow> = []
  for (const one of ranked.slice(0, maxCompared)) {
    const note = notes.get(one.row)
    const at = placed.findIndex(({ row, score }) => {
      const other = notes.get(row)
      return (
        note !== undefined &&
        other !== undefined &&
        score * (1 - maxGain) <= one.score &&
        other.updatedAtMillis < note.updatedAtMillis &&
        Neighbours.areNear(other.text, note.text)
      )
    })
    placed.splice(at === -1 ? placed.length : at, 0, one)
  }
  return [...placed, ...ranked.slice(maxCompared)]
}

/**
 * Returns the best notes first. The newest note gains most and the oldest nothing, by rank instead of age, since the
 * age itself means little. Of two notes on the same subject that fit about equally well, the newer comes first, however
 * close in time they are.
 */
export const preferNewer = (
  ranked: ReadonlyArray<RankedRow>,
  notes: ReadonlyMap<number, NoteStore.Row["note"]>
): ReadonlyArray<RankedRow> => {
  const changedAt = (row: number): number => notes.get(row)?.updatedAtMillis ?? 0
  const byAge = ranked
    .map(({ row }) => row)
    .toSorted((left, right) => changedAt(left) - changedAt(right) || left - right)
  const gains = new Map(byAge.map((row, place) => [row, (maxGain * (place + 1)) / byAge.length]))
  const favoured = ranked
    .map(({ row, score }) => ({ row, score: score * (1 + (gains.get(row) ?? 0)) }))
    .toSorted((left, right) => right.score - left.score)
  return newerFirst(favoured, notes)
}
