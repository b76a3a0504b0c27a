/** Builds the index anew and prints `<done> <total>` on the way. Argument: directory. */
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"
import { open } from "../World.ts"

const onProgress = (done: number, total: number) => void writeSync(1, `${done} ${total}\n`)

Effect.runFork(
  Effect.scoped(Effect.flatMap(open(process.argv[2], { onProgress }), ({ memory }) => memory.index.settle(true)))
)
