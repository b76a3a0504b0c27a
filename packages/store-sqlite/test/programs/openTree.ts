/** Opens a store, which may not exist yet, and creates a tree in it. Arguments: directory, tree. */
import { Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import { SampleJournal } from "@bough/runtime/testing"
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"
import { SessionStoreSql } from "../../src/index.ts"

const [directory, tree] = process.argv.slice(2)
const treeId = Session.SessionId.make(tree)

const program = Effect.gen(function* () {
  const store = yield* SessionStore.SessionStore
  const lease = yield* store.acquire(treeId)
  yield* store.commit(SampleJournal.batch(lease, [SampleJournal.append(treeId, 0, SampleJournal.opened())]))
  writeSync(1, "opened\n")
})

Effect.runFork(Effect.provide(program, SessionStoreSql.layer({ directory })))
