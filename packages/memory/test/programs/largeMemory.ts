/** A process with a memory above the limit: what it finds, saves and deletes, and the files that it leaves. */
import * as Effect from "effect/Effect"
import { existsSync, readdirSync } from "node:fs"
import { dirname } from "node:path"
import * as PackedIndex from "../../src/PackedIndex.ts"
import * as VectorLibrary from "../../src/VectorLibrary.ts"
import { fill, place, query, save } from "../notes.ts"
import { indexIn, open } from "../World.ts"

const [directory = "", library = ""] = process.argv.slice(2)
const options = library === "" ? {} : { library }

const found = await Effect.gen(function* () {
  const { memory, store } = yield* open(directory, { largestExact: 100, ...options })
  if ((yield* store.rowNumbers).length === 0) {
    yield* fill(store, 0, 300)
    yield* memory.index.settle(false)
  }
  const rows = Effect.map(memory.index.similar(place, query), ({ reason, rows }) => ({
    reason,
    similarities: rows.map(({ similarity }) => similarity.toFixed(4))
  }))
  const first = yield* rows
  const later = yield* rows
  const n = (yield* store.rowNumbers).length
  yield* save(store, 1000 + n, `A doctor of the number ${n}`)
  yield* memory.index.written
  const afterSave = yield* rows
  return { first, later, afterSave }
}).pipe(Effect.scoped, Effect.runPromise)

const tables = existsSync(indexIn(directory)) ? readdirSync(indexIn(directory)).length : 0
const hasPacked = existsSync(PackedIndex.fileIn(dirname(indexIn(directory))))
console.log(JSON.stringify({ ...found, tables, hasPacked, isInstalled: VectorLibrary.isInstalled(library || null) }))
