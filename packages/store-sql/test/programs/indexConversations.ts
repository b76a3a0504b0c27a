/** Says `ready`, waits for a line, indexes what was said, ten entries a run, and says how many are left after each. Argument: directory. */
import { ConversationIndex } from "@bough/tool"
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"
import { SessionStoreSql } from "../../src/index.ts"

const [directory] = process.argv.slice(2)

const program = Effect.gen(function* () {
  const index = yield* ConversationIndex.ConversationIndex
  writeSync(1, "ready\n")
  yield* Effect.callback<void>((resume) => void process.stdin.once("data", () => resume(Effect.void)))
  let left = Infinity
  while (left > 0) {
    left = yield* index.catchUp({ redact: (text) => text, maxEntries: 10 })
    writeSync(1, `${left}\n`)
  }
  process.stdin.destroy()
})

Effect.runFork(Effect.provide(program, SessionStoreSql.layer({ directory })))
