/**
 * The natural set: notes of seven people in seven languages, questions about them, and everyday messages. Own text,
 * written one by one, so that its classes and words differ from the templates of `Corpus.ts`. Thresholds are chosen on
 * the tuning half alone; the other is held out for measuring.
 */
import * as Messages from "./messages.ts"
import type { NaturalNote } from "./NaturalNote.ts"
import { aiko } from "./notes/aiko.ts"
import { camille } from "./notes/camille.ts"
import { ines } from "./notes/ines.ts"
import { jonas } from "./notes/jonas.ts"
import { lan } from "./notes/lan.ts"
import { marijke } from "./notes/marijke.ts"
import { ruth } from "./notes/ruth.ts"
import * as Questions from "./questions.ts"

export const halves = ["tuning", "held out"] as const
export type Half = (typeof halves)[number]

/** Every second item of each kind is held out, so that both halves have all kinds. */
const split = <A>(all: ReadonlyArray<A>, kindOf: (one: A) => string): ReadonlyArray<A & { readonly half: Half }> => {
  const seen = new Map<string, number>()
  return all.map((one) => {
    const before = seen.get(kindOf(one)) ?? 0
    seen.set(kindOf(one), before + 1)
    return { ...one, half: halves[before % 2] }
  })
}

export const notes: ReadonlyArray<NaturalNote> = [...jonas, ...ruth, ...marijke, ...aiko, ...lan, ...ines, ...camille]

export const questions = split(Questions.questions, (one) => one.class)
export type Question = (typeof questions)[number]

export const messages = split(Messages.messages, ({ served }) => (served.length === 0 ? "needs none" : "served"))
export type Message = (typeof messages)[number]

/** Notes with a secret: none of them may be recalled automatically. */
export const secrets: ReadonlyArray<string> = ["j-wlan", "r-alarm", "m-portaal", "i-cuenta", "c-nas"]
