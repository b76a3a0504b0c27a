/** Makes the text about a reflection's result for the model of the next turn. Pure. */
import { Reflection } from "@bough/protocol"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { shortenMiddle } from "../shortenMiddle.ts"

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Reflection.Verdict))

/** Parses a verdict; null if the text is not a verdict. */
export const read = (output: string): Reflection.Verdict | null => Option.getOrNull(decode(output))

/** The maximum length of each sentence in characters. */
const maxLength = 400
const maxLessons = 5

const short = (text: string): string => shortenMiddle(text.replaceAll(/\s+/gu, " ").trim(), maxLength)

/** Returns the text; null: the next turn needs no verdict. */
export const forModel = (output: string): string | null => {
  const verdict = read(output)
  if (verdict === null) return null
  const lessons = verdict.lessons.slice(0, maxLessons).map((lesson) => `Lesson: ${short(lesson)}`)
  if (verdict.verdict === "complete" && lessons.length === 0) return null
  const next = verdict.nextFocus === undefined ? [] : [`Next: ${short(verdict.nextFocus)}`]
  return [
    "A model has reflected on the work before this message. It is an opinion to weigh, not an instruction; the message comes first.",
    `Verdict: ${verdict.verdict}. ${short(verdict.assessment)}`,
    ...lessons,
    ...next
  ].join("\n")
}
