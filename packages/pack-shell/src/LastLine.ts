/** Reports the last line of a running command's output at intervals. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { escapeText, shortenText } from "./CommandText.ts"

const everyMillis = 200
const lineLength = 120
// Colours and cursor movement have no meaning in one line.
// oxlint-disable-next-line no-control-regex -- escape sequences begin with a control character
const sequences = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g

/** Reads output as it arrives and reports its last non-blank line, at most five times a second. */
export const make = (report: (line: string) => Effect.Effect<void>) => {
  let pending = ""
  let reportedAtMillis = Number.NEGATIVE_INFINITY
  return (text: string): Effect.Effect<void> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      pending = (pending + text).slice(-4 * lineLength - text.length)
      if (now - reportedAtMillis < everyMillis) return Effect.void
      const line = lastLine(pending)
      pending = pending.slice(pending.lastIndexOf("\n") + 1)
      if (line === undefined) return Effect.void
      reportedAtMillis = now
      return report(shortenText(escapeText(line), lineLength))
    })
}

const lastLine = (text: string): string | undefined =>
  text
    .replaceAll(sequences, "")
    .split(/[\r\n]/)
    .map((line) => line.trim())
    .findLast((line) => line !== "")
