/**
 * Saves, changes and removes notes until it is killed. Prints `begin|id|` before and `saved|id|text`, `updated|id|text` or
 * `removed|id|` after each. Arguments: directory, a name for this run.
 */
import { Note } from "@bough/protocol"
import { runProgram } from "@bough/testing/runProgram"
import { writeLine } from "@bough/testing/writeLine"
import * as Effect from "effect/Effect"
import { open } from "../World.ts"

const [directory, run] = process.argv.slice(2)
const say = (...parts: ReadonlyArray<string>) => Effect.sync(() => writeLine(parts.join("|")))
const place = { user: "ann", hold: null }

const program = Effect.gen(function* () {
  const { find, memory, store } = yield* open(directory)
  yield* find("anything")
  for (let n = 0; ; n++) {
    const id = `note-${run}-${n}`
    const noteId = Note.NoteId.make(id)
    const draft = { noteId, kind: "fact", tags: ["t"], source: "", untrusted: false, createdAtMillis: null } as const
    yield* say("begin", id, "")
    yield* store.save(place, { ...draft, text: `word${run}x${n} first` })
    yield* say("saved", id, `word${run}x${n} first`)
    if (n % 3 === 0) {
      yield* say("begin", id, "")
      yield* store.update(place, noteId, { text: `word${run}x${n} second`, kind: null, tags: null, untrusted: false })
      yield* say("updated", id, `word${run}x${n} second`)
    }
    if (n % 5 === 0) {
      yield* say("begin", id, "")
      yield* store.remove(place, noteId)
      yield* say("removed", id, "")
    }
    yield* memory.index.written
    if (n % 40 === 0) yield* memory.index.settle(false)
  }
})

runProgram(Effect.scoped(program))
