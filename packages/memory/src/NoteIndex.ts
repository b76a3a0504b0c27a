/**
 * Notes by their meaning. The database is the record and this follows it: at opening it is compared row by row, then every
 * search first looks at what was written since, by any process, so that what was saved is found at once. Small writes are
 * gathered and written together. What is broken or made by another model is built anew in the background.
 */
import { NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { Embedder, EmbeddingFailed } from "./Embedder.ts"
import * as IndexReport from "./IndexReport.ts"
import * as OpenIndex from "./OpenIndex.ts"
import type * as VectorTable from "./VectorTable.ts"

export type { Building, IndexFailed, Progress, Query } from "./OpenIndex.ts"

export interface Options {
  readonly directory: string
  /** Null: notes are found by their words alone. */
  readonly embedder: Embedder | null
  readonly onProgress: OpenIndex.Progress
}

/** `reason`: why there is nothing; null: this is what there is. */
export interface Similar {
  readonly rows: ReadonlyArray<VectorTable.Similar>
  readonly reason: string | null
}

type Answer = Effect.Effect<Similar, NoteStore.NoteStoreFailed>

export interface NoteIndex {
  /** The most similar first. What is wrong with the index is no failure but the reason. */
  readonly similar: (place: NoteStore.Place, query: OpenIndex.Query) => Answer
  /** The same, for who has something else to do: when this returns other threads are at it, and what it gives waits for them. */
  readonly begin: (place: NoteStore.Place, query: OpenIndex.Query) => Effect.Effect<Answer, NoteStore.NoteStoreFailed>
  /** To be told after each write; gathers until it is worth while. */
  readonly written: Effect.Effect<void>
  readonly report: Effect.Effect<IndexReport.IndexReport | null, VectorTable.VectorTableFailed>
  /** Makes it hold exactly what the database holds; `anew`: from nothing. */
  readonly settle: (anew: boolean) => Effect.Effect<void, OpenIndex.IndexFailed>
}

const none = (reason: string): Similar => ({ rows: [], reason })

export const make = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<NoteIndex, never, NoteStore.NoteStore | Scope.Scope> {
  const store = yield* NoteStore.NoteStore
  const scope = yield* Effect.scope
  const one = Semaphore.makeUnsafe(1)
  const { directory, embedder, onProgress } = options
  let opened: OpenIndex.OpenIndex | null = null
  let writes = 0
  let busy = false

  const ready = Effect.suspend(() => {
    if (opened !== null || embedder === null) return Effect.succeed(opened)
    const open = Effect.map(OpenIndex.open({ directory, embedder, store, onProgress }), (made) => (opened = made))
    return one.withPermit(Effect.suspend(() => (opened === null ? open : Effect.succeed(opened))))
  })

  /** Starts over, with an empty table. */
  const discard = Effect.andThen(
    Effect.sync(() => (opened = null)),
    OpenIndex.clear(directory)
  )

  const inBackground = (
    body: (index: OpenIndex.OpenIndex) => Effect.Effect<void, OpenIndex.IndexFailed>
  ): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (busy) return Effect.void
      busy = true
      return ready.pipe(
        Effect.flatMap((index) => (index === null ? Effect.void : one.withPermit(body(index)))),
        // The notes are in the database: the next search or write tries again.
        Effect.ignore,
        Effect.ensuring(Effect.sync(() => (busy = false))),
        Effect.forkIn(scope),
        Effect.asVoid
      )
    })

  const excused = (error: EmbeddingFailed | VectorTable.VectorTableFailed): Effect.Effect<Similar> => {
    if (error._tag === "EmbeddingFailed") return Effect.succeed(none(error.message))
    const reason = `the index is being built anew (${error.message.split("\n")[0]})`
    const anew = Effect.andThen(
      Effect.ignore(discard),
      inBackground(({ build }) => build)
    )
    return Effect.as(anew, none(reason))
  }

  const begin: NoteIndex["begin"] = (place, query) =>
    Effect.gen(function* () {
      const index = yield* ready
      if (index === null) return Effect.succeed(none("no embedding model is configured"))
      if (index.backlog() > 0) {
        yield* inBackground(({ build }) => build)
        return Effect.succeed(none(`the index of ${index.backlog()} notes is being built`))
      }
      return (yield* index.search(place, query)).pipe(
        Effect.tap(() => (index.isDue() ? inBackground(({ flush }) => flush) : Effect.void)),
        Effect.map((rows): Similar => ({ rows, reason: null })),
        Effect.catchTag("VectorTableFailed", excused)
      )
    }).pipe(
      Effect.catchTag(["EmbeddingFailed", "VectorTableFailed"], (error) => Effect.map(excused(error), Effect.succeed))
    )

  const settle: NoteIndex["settle"] = (anew) =>
    Effect.gen(function* () {
      if (anew) yield* one.withPermit(discard)
      const index = yield* ready
      if (index !== null) yield* one.withPermit(index.build)
    })

  yield* Effect.addFinalizer(() =>
    Effect.suspend(() =>
      opened === null || opened.backlog() > 0 ? Effect.void : Effect.asVoid(Effect.exit(one.withPermit(opened.flush)))
    )
  )

  return {
    begin,
    similar: (place, query) => Effect.flatten(begin(place, query)),
    settle,
    report: IndexReport.of(OpenIndex.tablesIn(directory)),
    written: Effect.suspend(() => {
      writes += 1
      if (embedder === null || writes < OpenIndex.worthWriting) return Effect.void
      writes = 0
      return inBackground((index) => (index.backlog() > 0 ? index.build : index.flush))
    })
  }
})
