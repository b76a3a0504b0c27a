/**
 * The labelled set: every name with every topic is a note, 2,160 of them, and every question is about one. Own text, put
 * together by rule, so that each question has one right answer among many that share its name or its topic. A third of
 * the questions use the note's own words, the others put it otherwise.
 *
 * Odd questions are for choosing weights, even ones for measuring.
 */
import * as People from "./people.ts"
import * as Projects from "./projects.ts"

export interface LabelledNote {
  readonly id: string
  readonly text: string
}

export interface Question {
  readonly text: string
  /** The id of the note that answers it. */
  readonly answer: string
  readonly wording: "own" | "other"
}

const sets = [
  { label: "person", names: People.names, topics: People.topics },
  { label: "project", names: Projects.names, topics: Projects.topics }
]

const about = (text: string, name: string, value = ""): string => text.replaceAll("{x}", name).replaceAll("{v}", value)

const idOf = (label: string, name: number, topic: number): string => `${label}-${name}-${topic}`

export const notes: ReadonlyArray<LabelledNote> = sets.flatMap(({ label, names, topics }) =>
  names.flatMap((name, n) =>
    topics.map(({ note, values }, t) => {
      const choices = values.split(";")
      return { id: idOf(label, n, t), text: about(note, name, choices[(n * 7 + t * 3) % choices.length]) }
    })
  )
)

/** Of each topic as many names as make the number, spread over all of them. */
const perTopic = 9

export const questions: ReadonlyArray<Question> = sets.flatMap(({ label, names, topics }) =>
  topics.flatMap(({ questions: asked }, t) =>
    Array.from({ length: perTopic }, (_, turn): Question => {
      const n = (t * 5 + turn * 11) % names.length
      const which = turn % asked.length
      return { text: about(asked[which], names[n]), answer: idOf(label, n, t), wording: which === 0 ? "own" : "other" }
    })
  )
)
