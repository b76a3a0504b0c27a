/**
 * A host of its own process. Prints the id of a session whose call waits for an approval. Arguments: directory, file of
 * effects.
 */
import { Host } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { writeSync } from "node:fs"
import { SessionStoreSql } from "../../src/index.ts"
import * as Hosting from "./hosting.ts"

const [directory, effects] = process.argv.slice(2)

const program = Effect.gen(function* () {
  const host: Host.Host["Service"] = yield* Hosting.make(effects)
  const { sessionId } = yield* host.create(Hosting.facts)
  yield* host.send(sessionId, { text: "launch moon", media: [] })
  yield* host.attach(sessionId, null).pipe(
    // The turn has ended: no reply of it is unfinished when the process is killed.
    Stream.takeUntil((item) => item._tag === "Published" && item.event._tag === "TurnEnded"),
    Stream.runDrain
  )
  writeSync(1, `${sessionId}\n`)
  return yield* Effect.never
})

Effect.runFork(Effect.provide(Effect.scoped(program), SessionStoreSql.layer({ directory })))
