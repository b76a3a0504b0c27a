/**
 * Opens the notes of a directory, by Bough or by LanceDB alone, and sends one query. Prints the time since the process
 * was started, and its memory then. node openNotes.ts bough|lancedb DIRECTORY QUESTION /
 */
import * as EmbeddingStatic from "@bough/embedding-static"
import * as Embedder from "@bough/memory/Embedder"
import * as Effect from "effect/Effect"
import { pid, stdout } from "node:process"
import { check } from "../Check.ts"
import * as Memory from "../Memory.ts"

export interface OpenedNotes {
  readonly millis: number
  readonly pssMegabytes: number
}

const limit = 10
const [side, directory, text] = process.argv.slice(2)

const say = (found: number) => {
  const millis = performance.now()
  check(found === limit, `${side} found ${found} notes`)
  const opened: OpenedNotes = { millis, pssMegabytes: Memory.read(pid)?.pssMegabytes ?? NaN }
  stdout.write(JSON.stringify(opened))
}

if (side === "bough") {
  const { scope: place, withMemory } = await import("../retrieval/OpenMemory.ts")
  await withMemory(directory, EmbeddingStatic.model, ({ memory }) =>
    Effect.map(memory.search(place, { text, limit, tags: [], kinds: [] }), ({ notes, wordsOnly }) => {
      check(wordsOnly === null, `words alone were compared: ${wordsOnly}`)
      say(notes.length)
    })
  )
} else {
  const RawLanceDb = await import("../retrieval/RawLanceDb.ts")
  const search = Effect.flatMap(Embedder.make(EmbeddingStatic.model), (embedder) =>
    Effect.promise(async () => {
      const raw = await RawLanceDb.open(directory, embedder)
      say((await raw.search(text, limit)).length)
    })
  )
  await Effect.runPromise(Effect.scoped(search))
}
