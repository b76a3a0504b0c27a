/** Builds the index again and prints `<done> <total>` on the way. Argument: directory. */
import { runProgram } from "@bough/testing/runProgram"
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"
import type { NoteIndex } from "../../src/index.ts"
import { open } from "../World.ts"

const onProgress: NoteIndex.Progress = (at) => void (at === null || writeSync(1, `${at.done} ${at.total}\n`))

runProgram(
  Effect.scoped(Effect.flatMap(open(process.argv[2], { onProgress }), ({ memory }) => memory.index.settle(true)))
)
