/**
 * Writes a memory file, then stages a change and a new file and commits them. Prints a line after each. Argument:
 * directory.
 */
import { runProgram } from "@bough/testing/runProgram"
import { writeLine } from "@bough/testing/writeLine"
import * as Effect from "effect/Effect"
import { StagedFiles, MemoryFiles } from "../../src/index.ts"

const [directory] = process.argv.slice(2)
const say = (line: string) => Effect.sync(() => writeLine(line))

const program = Effect.gen(function* () {
  const all = MemoryFiles.make(directory, "ann")
  const own = MemoryFiles.make(directory, "ann", "main/turn")
  yield* all.writeFile("facts/people.md", "Ann")
  yield* say("written")
  yield* own.editFile("facts/people.md", (content) => Effect.succeed(`${content} Bob`))
  yield* own.writeFile("plans.md", "none")
  yield* say("held")
  yield* StagedFiles.settle(directory, "main/turn", "Keep")
  yield* say("kept")
  yield* all.readFile("facts/people.md")
})

runProgram(program)
