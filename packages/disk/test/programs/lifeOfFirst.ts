/** Prints whether the first process of the machine lives. */
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import * as ProcessIdentity from "../../src/ProcessIdentity.ts"

const start = readFileSync("/proc/1/stat", "utf8").split(") ")[1].split(" ")[19]

Effect.runFork(
  Effect.gen(function* () {
    const own = yield* ProcessIdentity.own
    console.log(yield* ProcessIdentity.lifeOf({ ...own, pid: 1, start }))
  })
)
