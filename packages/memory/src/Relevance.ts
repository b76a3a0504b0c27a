/**
 * Estimates the likelihood that a note answers a query, from 0 to 1. It depends on the weight of the shared words, both
 * absolute and as a share of the query, and on how much more similar in meaning the note is than the other compared
 * notes. It does not depend on the number of notes or on the embedding model. Pure. Fitted on one half of a labelled
 * set and measured on the other: `bench/src/Recall.ts`, adr/0052-how-likely-a-note-answers.md.
 */
import type { MemoryRead, NoteStore } from "@bough/tool"

/** The coefficients of a logistic regression over notes that were found for questions, right and wrong. */
const perShare = 5.5
const perWeight = 2.2
const perDeviation = 0.4
const threshold = 5.3
/** The weight above which more shared words do not make an answer likelier. */
const maxWeight = 3
/**
 * The maximum number of notes with an equal share of the query that may all be answers. Among more notes, some are
 * wrong.
 */
const alike = 3

export interface Similar {
  readonly row: number
  readonly similarity: number
}

const mean = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

/**
 * Returns by how many standard deviations each row is above the mean of the compared rows; 0 if all are equally
 * similar.
 */
const deviationsOf = (similar: ReadonlyArray<Similar>): ReadonlyMap<number, number> => {
  const values = similar.map(({ similarity }) => similarity)
  const middle = mean(values)
  const deviation = Math.sqrt(mean(values.map((value) => (value - middle) ** 2)))
  return new Map(
    similar.map(({ row, similarity }) => [
      row,
      deviation < Number.EPSILON ? 0 : Math.max(0, (similarity - middle) / deviation)
    ])
  )
}

/**
 * Returns the likelihood that a note answers, for every row that has a word of the query or was compared by meaning.
 */
export const relevanceOf = (
  weights: NoteStore.Weights,
  similar: ReadonlyArray<Similar>
): ReadonlyMap<number, number> => {
  const deviations = deviationsOf(similar)
  const heaviest = [...weights.found.values()].toSorted((left, right) => right - left)
  /** The number of notes with at least this share of the query. */
  const ranks = new Map(heaviest.map((weight, index) => [weight, index + 1]))
  return new Map(
    [...new Set([...weights.found.keys(), ...deviations.keys()])].map((row) => {
      const weight = weights.found.get(row) ?? 0
      const share = weights.all === 0 ? 0 : weight / weights.all
      const evidence =
        perShare * share + perWeight * Math.min(maxWeight, weight) + perDeviation * (deviations.get(row) ?? 0)
      const likely = 1 / (1 + Math.exp(threshold - evidence))
      return [row, likely / Math.max(1, (ranks.get(weight) ?? 1) / alike)]
    })
  )
}

/** The likelihood from which an answer counts as certain: in the held-out half, 29 of 30 such notes were right. */
const minSure = 0.8
/** The likelihood above which a note is more likely right than wrong. */
const minFitting = 0.5

export const confidenceOf = (score: number): MemoryRead.Confidence => (score >= minSure ? "sure" : "maybe")

export const fits = (score: number): boolean => score >= minFitting
