/**
 * Makes a file that must be new, replaces it, copies a file and a directory, moves the one and removes the other.
 * Prints a line after each. Arguments: a workspace, a directory for the list of temporary files.
 */
import { ProcessRunnerNode } from "@bough/sandbox"
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"
import { Workspace } from "../../src/index.ts"

const [root = "", temporariesDirectory = ""] = process.argv.slice(2)
const say = (line: string) => Effect.sync(() => void writeSync(1, `${line}\n`))

const program = Effect.gen(function* () {
  const write = (yield* Workspace.make({ root, temporariesDirectory })).write([])
  yield* write.writeFile("deep/new.txt", Buffer.from("new"), null)
  yield* say("made")
  yield* write.writeFile("deep/new.txt", Buffer.from("newer"))
  yield* say("replaced")
  yield* write.copy("a.txt", "b.txt")
  yield* say("copied")
  yield* write.copy("folder", "elsewhere/twin")
  yield* say("copied all")
  yield* write.move("b.txt", "deep/moved.txt")
  yield* say("moved")
  yield* write.remove("elsewhere/twin")
  yield* say("removed")
})

await Effect.runPromise(program.pipe(Effect.scoped, Effect.provide(ProcessRunnerNode.layer)))
