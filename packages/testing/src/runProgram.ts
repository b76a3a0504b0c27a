/** Runs the effect of a program beside tests. Where it fails, standard error says why, and the exit code is 1. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"

export const runProgram = <A, E>(program: Effect.Effect<A, E>): void => {
  const complain = (cause: Cause.Cause<E>) =>
    Effect.sync(() => {
      writeSync(2, `${Cause.pretty(cause)}\n`)
      process.exitCode = 1
    })
  Effect.runFork(Effect.tapCause(program, complain))
}
