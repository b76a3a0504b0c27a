/** `doctor`: what the program needs, line by line, each with how to mend it. */
import * as Effect from "effect/Effect"
import * as Escape from "../Escape.ts"
import type { Program } from "../Program.ts"
import { text } from "../SafeText.ts"
import { exitCode, quietly, type Stop } from "../Stop.ts"
import * as Checks from "./Checks.ts"
import type { Common, ListFormat } from "./Options.ts"

export const doctor = Effect.fnUntraced(function* (
  program: Program,
  common: Common,
  format: ListFormat
): Effect.fn.Return<void, Stop> {
  const { output } = program
  const checks = yield* Checks.all(program, common)
  if (format === "json") output.json(checks, 2)
  else {
    for (const { detail, mend, name, ok } of checks) {
      const line = Escape.line(
        `${ok ? "ok      " : "problem "} ${name}: ${detail}${ok || mend === "" ? "" : ` — ${mend}`}`
      )
      output.answerEscaped(text`${line}\n`)
    }
  }
  if (checks.some(({ ok }) => !ok)) return yield* quietly(exitCode.failed)
})
