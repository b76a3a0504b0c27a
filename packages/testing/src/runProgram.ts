/** Runs the effect of a program beside tests. If it fails, stderr contains the reason, and the exit code is 1. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { writeSync } from "node:fs"

const complain = (text: string): void => {
  writeSync(2, `${text}\n`)
  process.exitCode = 1
}

export const runProgram = <A, E>(program: Effect.Effect<A, E>): void => {
  let hasEnded = false
  Effect.runFork(program).addObserver((exit) => {
    hasEnded = true
    if (Exit.isFailure(exit)) complain(Cause.pretty(exit.cause))
  })
  process.once("beforeExit", () => {
    if (!hasEnded) complain("the program waits, and nothing is left that could wake it")
  })
}
