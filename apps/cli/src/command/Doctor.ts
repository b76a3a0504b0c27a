/** `doctor`: what the program needs, line by line, each with how to mend it. */
import * as Effect from "effect/Effect"
import * as Escape from "../Escape.ts"
import { toStop } from "../Failures.ts"
import * as Home from "../Home.ts"
import * as ClockText from "../terminal/ClockText.ts"
import type { Program } from "../Program.ts"
import { text } from "../SafeText.ts"
import { exitCode, quietly, type Stop } from "../Stop.ts"
import * as Checks from "./Checks.ts"
import type { Common, ListFormat } from "./Options.ts"

export interface Options {
  readonly format: ListFormat
  /** Read all of the store, however large. */
  readonly full: boolean
  /** First set the store's clock to the system's. */
  readonly acceptClock: boolean
}

const accept = ({ adapters, output, surroundings }: Program): Effect.Effect<void, Stop> =>
  adapters.storeTime.accept({ directory: Home.dataDirectory(surroundings) }).pipe(
    Effect.map((deviation) => output.note(ClockText.accepted(deviation))),
    Effect.mapError(toStop)
  )

export const doctor = Effect.fnUntraced(function* (
  program: Program,
  common: Common,
  { acceptClock, format, full }: Options
): Effect.fn.Return<void, Stop> {
  const { output } = program
  if (acceptClock) yield* accept(program)
  const checks = yield* Checks.all(program, common, full)
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
