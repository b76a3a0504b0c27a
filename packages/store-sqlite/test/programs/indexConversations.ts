/**
 * Prints `ready`, waits for a line, indexes messages, ten entries a run, and prints how many are left after each. After
 * so many runs it waits for another line, indexes fifty entries more, and waits to be killed. Arguments: directory,
 * runs.
 */
import { ConversationIndex } from "@bough/tool"
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"
import { SessionStoreSql } from "../../src/index.ts"

const [directory, runs] = process.argv.slice(2)

const line = Effect.callback<void>((resume) => void process.stdin.once("data", () => resume(Effect.void)))

const program = Effect.gen(function* () {
  const index = yield* ConversationIndex.ConversationIndex
  const some = (maxEntries: number) => index.catchUp({ redact: (text) => text, maxEntries })
  writeSync(1, "ready\n")
  yield* line
  let left = Infinity
  for (let run = 0; run < Number(runs) && left > 0; run++) {
    left = yield* some(10)
    writeSync(1, `${left}\n`)
  }
  if (left === 0) return
  yield* line
  yield* some(50)
  return yield* Effect.never
})

Effect.runFork(
  Effect.ensuring(
    Effect.provide(program, SessionStoreSql.layer({ directory })),
    Effect.sync(() => process.stdin.destroy())
  )
)
