/**
 * Owns the tree "lease" of a directory. For each line of its input it adds one to the file of effects as a tool call
 * would: intent, a check of the lease, effect, result. Arguments: directory, length of a lease, file of effects,
 * "owner" to start with.
 */
import { Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import { SampleJournal } from "@bough/runtime/testing"
import { writeLine } from "@bough/testing/writeLine"
import * as Effect from "effect/Effect"
import { appendFileSync } from "node:fs"
import { createInterface } from "node:readline"
import { SessionStoreSql } from "../../src/index.ts"

const [directory, leaseMillis, effects] = process.argv.slice(2)
const treeId = Session.SessionId.make("lease")
const say = (line: string) => Effect.sync(() => writeLine(line))
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()

const program = Effect.gen(function* () {
  const store = yield* SessionStore.SessionStore
  const lease = yield* store.acquire(treeId)
  let seq = yield* Effect.orElseSucceed(
    Effect.map(store.session(treeId), ({ entries }) => entries),
    () => 0
  )
  const commit = (text: string) => {
    const body = seq === 0 ? SampleJournal.opened() : SampleJournal.message(text)
    return Effect.map(store.commit(SampleJournal.batch(lease, [SampleJournal.append(treeId, seq, body)])), () => seq++)
  }
  yield* commit("opened")
  yield* say(`owns ${lease.epoch}`)
  while (true) {
    const line = yield* Effect.promise(() => lines.next())
    if (line.done === true) return
    const act = Effect.gen(function* () {
      if (line.value === "intend") return yield* commit("intent")
      yield* store.secure(lease)
      appendFileSync(effects, `${line.value}\n`)
      return yield* commit("result")
    })
    yield* act.pipe(
      Effect.matchEffect({ onSuccess: () => say(`done ${line.value}`), onFailure: ({ _tag }) => say(`failed ${_tag}`) })
    )
  }
}).pipe(Effect.catch((error) => say(`failed ${error._tag} ${"freeInMillis" in error ? error.freeInMillis : ""}`)))

Effect.runFork(Effect.provide(program, SessionStoreSql.layer({ directory, leaseMillis: Number(leaseMillis) })))
