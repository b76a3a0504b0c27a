/** A question of the natural set, with its answers. */

export const classes = [
  "exact",
  "paraphrase",
  "abbreviation",
  "typo",
  "multi-answer",
  "same-language",
  "cross-language",
  "updated",
  "negative"
] as const
export type QuestionClass = (typeof classes)[number]

/** 2 answers the question; 1 only helps: for example, the older of two notes that contradict each other. */
export type Grade = 1 | 2

export interface NaturalQuestion {
  readonly class: QuestionClass
  readonly text: string
  /** The grades by the id of the note; empty if no note answers. */
  readonly grades: Readonly<Record<string, Grade>>
}

/** `right` answer the question, `helping` only help. */
export const question = (
  questionClass: QuestionClass,
  text: string,
  right: ReadonlyArray<string> = [],
  helping: ReadonlyArray<string> = []
): NaturalQuestion => ({
  class: questionClass,
  text,
  grades: Object.fromEntries([
    ...right.map((id): [string, Grade] => [id, 2]),
    ...helping.map((id): [string, Grade] => [id, 1])
  ])
})
