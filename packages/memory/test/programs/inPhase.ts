/**
 * Repeats one operation on the index until it is killed, with the files and the lock of a running memory.
 * Prints `in|` before and `out|` after each time, and the acknowledged notes as `writeForever` does. Arguments:
 * directory, a name for this run, and save, update, delete, compaction or reindex.
 */
import * as ProcessLock from "@bough/disk/ProcessLock"
import { Note } from "@bough/protocol"
import { runProgram } from "@bough/testing/runProgram"
import { writeLine } from "@bough/testing/writeLine"
import * as Effect from "effect/Effect"
import { Embedder } from "../../src/index.ts"
import * as Vectors from "../../src/Vectors.ts"
import * as VectorTable from "../../src/VectorTable.ts"
import { indexIn, open, staticModel } from "../World.ts"

const [directory, run, phase] = process.argv.slice(2)
const place = { user: "ann", hold: null }
const say = (...parts: ReadonlyArray<string>) => Effect.sync(() => writeLine(parts.join("|")))
const parts = 6
const lockMillis = 2000

const program = Effect.gen(function* () {
  const { memory, store } = yield* open(directory)
  const embedder = yield* Embedder.make(staticModel)
  yield* memory.index.settle(false)
  const table = yield* VectorTable.open({ directory: indexIn(directory), library: null, ...(yield* embedder.identity) })
  const reported = <A, E>(body: Effect.Effect<A, E>) =>
    Effect.andThen(say("in", phase), Effect.andThen(body, say("out", phase)))
  const within = <A, E>(body: Effect.Effect<A, E>) =>
    Effect.scoped(
      Effect.andThen(ProcessLock.acquire(`${directory}/memory/index/index.lock`, lockMillis), reported(body))
    )
  let saves = 0
  /** Saves a new note; returns its key and its row for the index. */
  const save = Effect.gen(function* () {
    const key = `note-${run}-${saves++}`
    const text = `word${run}x${saves} first`
    const { written } = yield* store.counters
    yield* say("begin", key)
    yield* store.save(place, {
      noteId: Note.NoteId.make(key),
      kind: "fact",
      text,
      tags: ["t"],
      source: "",
      untrusted: false,
      createdAtMillis: null
    })
    yield* say("saved", key, text)
    return { key, rows: yield* Vectors.embed(embedder, yield* store.rows(written, 10)) }
  })
  const once = Effect.gen(function* () {
    // A reindex takes the lock itself.
    if (phase === "reindex") return yield* reported(memory.index.settle(true))
    const { key, rows } = yield* save
    if (phase === "save") return yield* within(table.add(rows))
    yield* table.add(rows)
    if (phase === "compaction") {
      for (let part = 1; part < parts; part++) yield* table.add((yield* save).rows)
      return yield* within(table.tidy)
    }
    const old = rows.map(({ row }) => row)
    yield* say("begin", key)
    if (phase === "delete") {
      yield* store.remove(place, Note.NoteId.make(key))
      yield* say("removed", key, "")
      return yield* within(table.drop(old))
    }
    const { written } = yield* store.counters
    const change = { text: `word${run}x${saves} second`, kind: null, tags: null, untrusted: false }
    yield* store.update(place, Note.NoteId.make(key), change)
    yield* say("updated", key, change.text)
    const fresh = yield* Vectors.embed(embedder, yield* store.rows(written, 10))
    yield* within(Effect.andThen(table.drop(old), table.add(fresh)))
  })
  while (true) yield* once
})

runProgram(Effect.scoped(program))
