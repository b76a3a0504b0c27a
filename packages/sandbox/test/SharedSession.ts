/**
 * A program that runs two helpers of those that share its session, one after the other, and prints each signal that it
 * gets. A helper writes `begun-N`, waits for `end-N`, and prints its process. Arguments: directory; a word of the
 * helpers' arguments.
 */
import { ProcessRunner } from "@bough/tool"
import * as Effect from "effect/Effect"
import { existsSync, writeSync } from "node:fs"
import { join } from "node:path"
import { ProcessRunnerNode } from "../src/index.ts"
import { eventually, preparedShells } from "./Places.ts"

const [folder = "", word = ""] = process.argv.slice(2)
const print = (line: string): void => void writeSync(1, `${line}\n`)

for (const signal of ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGTSTP"]) process.on(signal, print)

const script = ": > begun-$1; until [ -e end-$1 ]; do sleep 0.02; done; echo $$"

const program = Effect.gen(function* () {
  const runner = yield* ProcessRunner.ProcessRunner
  for (const round of [0, 1]) {
    const helper = runner.run({
      program: "/bin/sh",
      args: ["-c", script, "sh", `${round}`, word],
      cwd: folder,
      env: {},
      maxOutputBytes: 1000,
      startsNoProcess: true
    })
    const announced = Effect.gen(function* () {
      // The second helper is the prepared shell, and the next one is prepared only after it.
      if (round === 1) return
      yield* eventually(() => existsSync(join(folder, `begun-${round}`)) && preparedShells().length > 0)
      print(`prepared ${preparedShells().join(" ")}`)
    })
    const [{ exitCode, stdout }] = yield* Effect.all([helper, announced], { concurrency: 2 })
    print(`helper ${new TextDecoder().decode(stdout).trim()} ended with ${exitCode}`)
  }
})

await Effect.runPromise(Effect.provide(program, ProcessRunnerNode.layer))
