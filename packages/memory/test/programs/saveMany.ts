/** Saves notes one by one, has them indexed, and prints `done`. Arguments: directory, a name for this run, how many. */
import { runProgram } from "@bough/testing/runProgram"
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"
import { open } from "../World.ts"

const [directory, run, count] = process.argv.slice(2)

const program = Effect.gen(function* () {
  const { find, save } = yield* open(directory)
  yield* find("anything")
  for (let n = 0; n < Number(count); n++) yield* save(`${run} number ${n} of the list`)
  yield* find("list")
})

runProgram(
  Effect.andThen(
    Effect.scoped(program),
    Effect.sync(() => void writeSync(1, "done\n"))
  )
)
