/**
 * Answers the first search of a process over a large memory from a vector file beside the table. The file selects
 * candidate rows, which are then ranked by the vectors in the database. The file is only an index: it may be missing,
 * damaged or out of date, and rows that were written since are read from the database.
 */
import { Directory } from "@bough/disk"
import type { NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import { closeSync, fstatSync, openSync, readSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as DotProducts from "./DotProducts.ts"
import type { Embedder } from "./Embedder.ts"
import * as Nearest from "./Nearest.ts"
import type { Query } from "./OpenIndex.ts"
import * as PackedVectors from "./PackedVectors.ts"
import * as UnindexedRows from "./UnindexedRows.ts"
import * as Vectors from "./Vectors.ts"
import type { Similar, VectorRow } from "./VectorTable.ts"

interface Parts {
  readonly directory: string
  readonly embedder: Embedder
  readonly store: NoteStore.NoteStore["Service"]
}

/** The maximum number of newer rows that a search reads; if there are more, an index is opened. */
const maxBehind = 2048
/** The number of newer rows after which the file is rewritten. */
const worthWriting = 512
const pageRows = 1000
/** The number of candidates per result, among which the vectors in the database choose. */
const candidates = 2

export const fileIn = (directory: string): string => join(directory, "packed-vectors")

/** Removes the file. */
export const clear = (directory: string): Effect.Effect<void> =>
  Effect.ignore(Effect.try(() => rmSync(fileIn(directory), { force: true })))

/** Reads the file into memory for the comparison; null: there is no usable file. */
const read = ({ directory, embedder }: Parts) =>
  Effect.flatMap(embedder.identity, (identity) =>
    Effect.acquireUseRelease(
      Effect.try(() => openSync(fileIn(directory), "r")),
      (descriptor) =>
        Effect.try(() => {
          const { size } = fstatSync(descriptor)
          const memory = PackedVectors.memoryFor(size, identity)
          const bytes = readSync(descriptor, new Uint8Array(memory.buffer, 0, size))
          return PackedVectors.decode(memory, bytes, identity)
        }),
      (descriptor) => Effect.sync(() => closeSync(descriptor))
    ).pipe(Effect.orElseSucceed(() => null))
  )

export interface FirstAnswer {
  readonly rows: ReadonlyArray<Similar>
  /** True if the file should be rewritten. */
  readonly isStale: boolean
}

/** Null: the file is missing or out of date, or the query filters by tags, which the file lacks. */
export const similar = Effect.fnUntraced(function* (parts: Parts, scope: NoteStore.NoteScope, query: Query) {
  const { embedder, store } = parts
  const filter = yield* store.numbered(scope, query)
  const [vector] = yield* embedder.embed([query.text])
  if (filter === null || filter.tags.length > 0 || vector.every((x) => x === 0)) return null
  const packed = yield* read(parts)
  if (packed === null) return null
  const now = yield* store.counters
  if (now.written - packed.written > maxBehind) return null
  const identity = yield* embedder.identity
  const vectors = Vectors.make(store, embedder, identity)
  const since = UnindexedRows.make(store, vectors, packed)
  yield* since.catchUp
  yield* since.embed(Infinity)
  const { limit } = query
  const vectorQuery = { vector, filter, limit: candidates * limit, isGone: since.isDropped }
  const likely = PackedVectors.nearest(packed, vectorQuery).map(({ row }) => row)
  const stagedVectors = yield* vectors.embedStaged(yield* store.staged(scope))
  const answer: FirstAnswer = {
    rows: Nearest.merge(
      [
        ...Nearest.nearestOf(yield* store.passingVectors(identity.modelId, filter, likely), vector, limit),
        ...since.similar(vector, filter, limit),
        ...Nearest.nearestRows(stagedVectors, { vector, filter, limit })
      ],
      limit
    ),
    isStale: now.dropped > packed.dropped || now.written - packed.written >= worthWriting
  }
  return answer
})

/** Rewrites the file if it is missing or out of date and all rows have a vector. */
export const update = Effect.fnUntraced(function* (parts: Parts) {
  const { directory, embedder, store } = parts
  const identity = yield* embedder.identity
  if (identity.dimension > DotProducts.maxDimension) return
  const old = yield* read(parts)
  const counters = yield* store.counters
  const start = old ?? { written: 0, dropped: counters.dropped }
  if (old !== null && counters.dropped === start.dropped && counters.written - start.written < worthWriting) return
  const added: Array<VectorRow> = []
  for (let after = start.written; ;) {
    const page = yield* store.vectors(identity.modelId, { after, limit: pageRows })
    const complete = page.filter(Vectors.hasVector)
    if (complete.length < page.length) return
    added.push(...complete)
    if (page.length < pageRows) break
    after = page[page.length - 1].row
    // Lets the process do other work between the pages.
    yield* Effect.yieldNow
  }
  const gone = new Set<number>()
  for (let seen = start.dropped; seen < counters.dropped;) {
    const page = yield* store.drops(seen, pageRows)
    for (const row of page) gone.add(row)
    seen = page.length < pageRows ? counters.dropped : seen + page.length
  }
  const bytes = PackedVectors.encode({ old, added, gone, counters }, identity)
  yield* Effect.ignore(
    Effect.try(() => {
      Directory.makePrivate(directory)
      const temporary = `${fileIn(directory)}.${process.pid}`
      writeFileSync(temporary, bytes, { mode: 0o600 })
      renameSync(temporary, fileIn(directory))
    })
  )
})
