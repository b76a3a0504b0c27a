/** Texts about a reflection and its result. Pure. */
import type { ReflectionWithNotes } from "@bough/host/memory/Memories"
import { Reflection, type SessionResult, Usage } from "@bough/protocol"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Figures from "../format/Figures.ts"

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Reflection.Verdict))

/** Null: the reflection gave no result. */
export const verdictOf = ({ output }: SessionResult.SessionResult): Reflection.Verdict | null =>
  output === null ? null : Option.getOrNull(decode(output))

export const startedText = (model: string): string => `reflecting with ${model}`

const line = (text: string): string => text.replaceAll(/\s+/gu, " ").trim()

const usageOf = ({ usage }: SessionResult.SessionResult): Usage.Usage => ({ ...usage, cachedInputTokens: 0 })

/** One line for each note, then the verdict on the work and the cost of the reflection. */
export const lines = ({ notes, result }: ReflectionWithNotes): ReadonlyArray<string> => {
  const verdict = verdictOf(result)
  const cost = Figures.usage(usageOf(result))
  if (result.status !== "Completed" || verdict === null) {
    const reason = result.reason === "" ? result.status.toLowerCase() : line(result.reason)
    return [`reflection failed: ${reason} (${cost})`]
  }
  const { assessment, lessons, nextFocus } = verdict
  return [
    ...notes.map(({ text }) => `remembered: ${line(text)}`),
    ...lessons.map((lesson) => `lesson: ${line(lesson)}`),
    `reflection: ${verdict.verdict}: ${line(assessment)} (${cost})`,
    ...(nextFocus === undefined || verdict.verdict === "complete" ? [] : [`next: ${line(nextFocus)}`])
  ]
}

/** The reflection as JSON. */
export const json = (model: string, { notes, result }: ReflectionWithNotes) => ({
  model,
  status: result.status.toLowerCase(),
  ...(result.reason === "" ? {} : { reason: result.reason }),
  ...verdictOf(result),
  remembered: notes.map(({ noteId, text }) => ({ noteId, text })),
  usage: usageOf(result)
})
