/** `doctor`: what the program needs, line by line, each with how to mend it. */
import * as Effect from "effect/Effect"
import * as Escape from "@bough/tui/text/Escape"
import { toCliFailure } from "../Failures.ts"
import * as Home from "@bough/host/config/Home"
import * as ClockText from "../format/ClockText.ts"
import type { Program } from "../Program.ts"
import { text } from "@bough/tui/text/SafeText"
import { exitCode, exitSilently, type CliFailure } from "../CliFailure.ts"
import * as Checks from "../doctor/Checks.ts"
import type { Common, ListFormat } from "../command-line/Options.ts"

export interface DoctorOptions {
  readonly format: ListFormat
  /** Read all of the store, however large. */
  readonly full: boolean
  /** First set the store's clock to the system's. */
  readonly acceptClock: boolean
}

const accept = ({ adapters, output, environment }: Program): Effect.Effect<void, CliFailure> =>
  adapters.storeTime.accept({ directory: Home.dataDirectory(environment) }).pipe(
    Effect.map((deviation) => output.note(ClockText.accepted(deviation))),
    Effect.mapError(toCliFailure)
  )

export const doctor = Effect.fnUntraced(function* (
  program: Program,
  common: Common,
  { acceptClock, format, full }: DoctorOptions
): Effect.fn.Return<void, CliFailure> {
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
  if (checks.some(({ ok }) => !ok)) return yield* exitSilently(exitCode.failed)
})
