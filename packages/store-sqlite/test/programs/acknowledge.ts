/**
 * Makes every write of a store that is durable on return, and prints a line after each. Before each of them comes a
 * write that is not durable, so that no write is durable by the sync of another write. Argument: a directory.
 */
import { Note, Session } from "@bough/protocol"
import { BlobStore, SessionStore } from "@bough/runtime"
import { SampleJournal } from "@bough/runtime/testing"
import { writeLine } from "@bough/testing/writeLine"
import { NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import { SessionStoreSql } from "../../src/index.ts"

const [directory = ""] = process.argv.slice(2)
const treeId = Session.SessionId.make("tree-a")
const otherId = Session.SessionId.make("tree-b")

const program = Effect.gen(function* () {
  const store = yield* SessionStore.SessionStore
  const blobs = yield* BlobStore.BlobStore
  const notes = yield* NoteStore.NoteStore
  let seq = 0
  const lease = yield* store.acquire(treeId)
  const commit = (durability: "Full" | "Relaxed") =>
    Effect.suspend(() => {
      const body = seq === 0 ? SampleJournal.opened() : SampleJournal.message(`${seq}`)
      return store.commit(SampleJournal.batch(lease, [SampleJournal.append(treeId, seq++, body)], { durability }))
    })
  const other = yield* store.acquire(otherId)
  yield* store.commit(SampleJournal.batch(other, [SampleJournal.append(otherId, 0, SampleJournal.opened())]))
  const acknowledge = Effect.fnUntraced(function* <A, E>(name: string, work: Effect.Effect<A, E>) {
    yield* commit("Relaxed")
    yield* work
    writeLine(name)
  })
  yield* acknowledge("relaxed", Effect.void)
  yield* acknowledge("committed", commit("Full"))
  const otherMessage = SampleJournal.append(otherId, 1, SampleJournal.message("1"))
  const commitOther = store.commit(SampleJournal.batch(other, [otherMessage], { durability: "Full" }))
  yield* acknowledge("together", Effect.all([commit("Full"), commitOther], { concurrency: "unbounded" }))
  yield* store.release(other)
  const command = { _tag: "SteerSession", sessionId: treeId, text: "left" } as const
  yield* acknowledge("submitted", store.submit({ treeId, dedupeKey: "key", command, principal: "ada" }))
  yield* acknowledge("blob", blobs.put(Buffer.from("an output")))
  yield* acknowledge(
    "noted",
    notes.save(
      { user: "ada", hold: null },
      {
        noteId: Note.NoteId.make("note-1"),
        kind: "fact",
        text: "The build needs Node 26",
        tags: [],
        source: "",
        untrusted: false,
        createdAtMillis: null
      }
    )
  )
  yield* acknowledge("removed", store.remove(otherId))
})

await Effect.runPromise(Effect.provide(program, SessionStoreSql.layer({ directory })))
writeLine("closed")
