/**
 * Owns the tree "crash" of a directory and appends to it until it is killed, or until it has a number of entries.
 * Prints `acknowledged <seq>` after each commit. When one fails it prints why, tries once more, and ends. Arguments:
 * directory, Full, Relaxed or Alternating, the maximum number of entries.
 */
import { Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import { SampleJournal } from "@bough/runtime/testing"
import { writeLine } from "@bough/testing/writeLine"
import * as Effect from "effect/Effect"
import { SessionStoreSql } from "../../src/index.ts"
import { crashText } from "../crashText.ts"

const [directory, durability, most] = process.argv.slice(2)
const treeId = Session.SessionId.make("crash")

const say = (line: string) => Effect.sync(() => writeLine(line))

const program = Effect.gen(function* () {
  const store = yield* SessionStore.SessionStore
  const lease = yield* store.acquire(treeId)
  const start = yield* Effect.orElseSucceed(
    Effect.map(store.session(treeId), (session) => session.entries),
    () => 0
  )
  const append = (seq: number) => {
    const body = seq === 0 ? SampleJournal.opened() : SampleJournal.message(crashText(seq))
    return store.commit(
      SampleJournal.batch(lease, [SampleJournal.append(treeId, seq, body)], {
        durability: durability === "Relaxed" || (durability === "Alternating" && seq % 2 === 0) ? "Relaxed" : "Full"
      })
    )
  }
  for (let seq = start; seq < Number(most); seq++) {
    yield* append(seq).pipe(
      Effect.tapError((error) => say(`failed ${error._tag} ${error.message}`)),
      Effect.catch(() =>
        append(seq).pipe(
          Effect.tapError((error) => say(`failed again ${error._tag} ${error.message}`)),
          Effect.andThen(say("recovered")),
          Effect.andThen(Effect.fail("ended"))
        )
      )
    )
    yield* say(`acknowledged ${seq}`)
  }
})

Effect.runFork(Effect.ignore(Effect.provide(program, SessionStoreSql.layer({ directory }))))
