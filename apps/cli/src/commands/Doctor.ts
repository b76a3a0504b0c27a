/** `doctor`: prints one line per check, and the fix of each problem. */
import * as Home from "@bough/host/config/Home"
import * as Escape from "@bough/tui/text/Escape"
import { text } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import { exitCode, exitSilently, hintFor, type CliFailure } from "../CliFailure.ts"
import { command as declare, type CommandOptions } from "../command-line/CommandSpec.ts"
import type { Common } from "../command-line/flags/CommonFlags.ts"
import * as ListFlags from "../command-line/flags/ListFlags.ts"
import * as Shapes from "../command-line/flags/Shapes.ts"
import * as Checks from "../doctor/Checks.ts"
import { toCliFailure } from "../Failures.ts"
import * as ClockText from "../format/ClockText.ts"
import type { Program } from "../Program.ts"

const parameters = {
  format: ListFlags.format,
  full: Shapes.toggle("full", "Read the whole database, even if it is large"),
  acceptClock: Shapes.toggle(
    "accept-clock",
    "Confirm that the system clock is right; approvals past their deadline expire"
  )
}

const accept = ({ adapters, output, environment }: Program): Effect.Effect<void, CliFailure> =>
  adapters.storeTime.accept({ directory: Home.dataDirectory(environment) }).pipe(
    Effect.map((deviation) => output.note(ClockText.acceptedText(deviation))),
    Effect.mapError(toCliFailure)
  )

const doctor = Effect.fnUntraced(function* (
  program: Program,
  common: Common,
  { acceptClock, format, full }: CommandOptions<typeof parameters>
): Effect.fn.Return<void, CliFailure> {
  const { output } = program
  if (acceptClock) yield* accept(program)
  const checks = yield* Checks.all(program, common, full)
  if (format === "json") output.json(checks, 2)
  else {
    for (const { detail, fix, name, ok } of checks) {
      const line = Escape.line(
        `${!ok ? "problem " : fix === "" ? "ok      " : "warning "} ${name}: ${detail}${fix === "" ? "" : ` — ${hintFor(program.name, fix)}`}`
      )
      output.answerEscaped(text`${line}\n`)
    }
  }
  if (checks.some(({ ok }) => !ok)) return yield* exitSilently(exitCode.failed)
})

export const command = declare({ parameters, run: doctor })
