/** The quality of rankings and their scores. Pure. */

export interface Quality {
  readonly recallAt5: number
  readonly reciprocalRank: number
  readonly ndcgAt10: number
}

/** The grades by the ids of notes; a missing note has grade 0. */
export type Grades = Readonly<Record<string, number>>

/**
 * Returns the share of the answering notes, at most five of them, that are among the first five. Helping notes do not
 * count.
 */
const recallAt5 = (ranking: ReadonlyArray<string>, grades: Grades): number => {
  const best = Math.max(...Object.values(grades))
  const right = Object.keys(grades).filter((id) => grades[id] === best)
  return ranking.slice(0, 5).filter((id) => right.includes(id)).length / Math.min(5, right.length)
}

const reciprocalRank = (ranking: ReadonlyArray<string>, grades: Grades): number => {
  const best = Math.max(...Object.values(grades))
  const first = ranking.slice(0, 10).findIndex((id) => grades[id] === best)
  return first === -1 ? 0 : 1 / (first + 1)
}

const gainOf = (ordered: ReadonlyArray<number>): number =>
  ordered.slice(0, 10).reduce((sum, grade, place) => sum + (2 ** grade - 1) / Math.log2(place + 2), 0)

const ndcgAt10 = (ranking: ReadonlyArray<string>, grades: Grades): number =>
  gainOf(ranking.map((id) => grades[id] ?? 0)) / gainOf(Object.values(grades).toSorted((a, b) => b - a))

/** Measures one question that has an answer. `ranking`: ids, the best first. */
export const qualityOf = (ranking: ReadonlyArray<string>, grades: Grades): Quality => ({
  recallAt5: recallAt5(ranking, grades),
  reciprocalRank: reciprocalRank(ranking, grades),
  ndcgAt10: ndcgAt10(ranking, grades)
})

const meanOf = (values: ReadonlyArray<number>): number => values.reduce((sum, value) => sum + value, 0) / values.length

export const mean = (all: ReadonlyArray<Quality>): Quality => ({
  recallAt5: meanOf(all.map((one) => one.recallAt5)),
  reciprocalRank: meanOf(all.map((one) => one.reciprocalRank)),
  ndcgAt10: meanOf(all.map((one) => one.ndcgAt10))
})

/** Returns a generator of the same numbers at every run: a linear congruence (Numerical Recipes). */
const seededRandom = (): (() => number) => {
  let state = 1
  return () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32
}

const resamples = 4000

export interface Interval {
  readonly mean: number
  readonly low: number
  readonly high: number
}

/**
 * Returns a measure of a sample, and the interval that contains 95 of 100 resamples. Resamples without a value are
 * ignored.
 */
export const interval = <A>(sample: ReadonlyArray<A>, measure: (sample: ReadonlyArray<A>) => number): Interval => {
  const random = seededRandom()
  const measures = Array.from({ length: resamples }, () =>
    measure(sample.map(() => sample[Math.floor(random() * sample.length)]))
  )
    .filter((value) => !Number.isNaN(value))
    .toSorted((a, b) => a - b)
  const at = (part: number): number => measures[Math.min(measures.length - 1, Math.floor(measures.length * part))]
  return { mean: measure(sample), low: at(0.025), high: at(0.975) }
}

/** Returns the mean difference of two systems over the same questions, and its interval. */
export const difference = (left: ReadonlyArray<number>, right: ReadonlyArray<number>): Interval =>
  interval(
    left.map((value, index) => value - right[index]),
    meanOf
  )

/** Returns the probability that the score of a right note exceeds that of a wrong note; 0.5 is chance. */
export const areaUnderCurve = (right: ReadonlyArray<number>, wrong: ReadonlyArray<number>): number =>
  meanOf(right.map((one) => meanOf(wrong.map((other) => (one > other ? 1 : one === other ? 0.5 : 0)))))
