/**
 * Notes by their meaning. The database is the record and this follows it: at opening it is compared row by row, then every
 * search first looks at what was written since, by any process, so that what was saved is found at once. Small writes are
 * gathered and written together. What is broken or made by another model is built anew in the background.
 */
import { NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import type { Embedder, EmbeddingFailed } from "./Embedder.ts"
import * as Pending from "./Pending.ts"
import * as ProcessLock from "./ProcessLock.ts"
import * as Reconcile from "./Reconcile.ts"
import * as VectorTable from "./VectorTable.ts"

/** Of `total` notes that are not in the index `done` are embedded. */
export interface Building {
  readonly done: number
  readonly total: number
}

/** Null: nothing is being built any more, whether or not it came to its end. */
export type Progress = (at: Building | null) => void

export interface Options {
  readonly directory: string
  /** Null: notes are found by their words alone. */
  readonly embedder: Embedder | null
  readonly onProgress: Progress
}

/** `reason`: why there is nothing; null: this is what there is. */
export interface Similar {
  readonly rows: ReadonlyArray<VectorTable.Similar>
  readonly reason: string | null
}

export interface Query extends NoteStore.Filter {
  readonly text: string
  readonly limit: number
}

type Answer = Effect.Effect<Similar, NoteStore.NoteStoreFailed>

export interface NoteIndex {
  /** The most similar first. What is wrong with the index is no failure but the reason. */
  readonly similar: (place: NoteStore.Place, query: Query) => Answer
  /** The same, for who has something else to do: when this returns other threads are at it, and what it gives waits for them. */
  readonly begin: (place: NoteStore.Place, query: Query) => Effect.Effect<Answer, NoteStore.NoteStoreFailed>
  /** To be told after each write; gathers until it is worth while. */
  readonly written: Effect.Effect<void>
  /** Makes it hold exactly what the database holds; `anew`: from nothing. */
  readonly settle: (anew: boolean) => Effect.Effect<void, IndexFailed>
}

export type IndexFailed = NoteStore.NoteStoreFailed | EmbeddingFailed | VectorTable.VectorTableFailed

interface Opened {
  readonly table: VectorTable.VectorTable
  readonly pending: Pending.Pending
  /** Rows that are not in the table, too many to be held. */
  backlog: ReadonlySet<number>
}

/** Rows that are embedded while a search waits; more are left to the background. */
const promptRows = 512
/** Writes that are gathered. */
const worthWriting = 256
/** Parts of the table that are left as they are: each write makes one. */
const mostParts = 24
const pageRows = 1000

export const make = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<NoteIndex, never, NoteStore.NoteStore | Scope.Scope> {
  const store = yield* NoteStore.NoteStore
  const scope = yield* Effect.scope
  const one = Semaphore.makeUnsafe(1)
  const { embedder } = options
  const tables = join(options.directory, "vectors")
  let opened: Opened | null = null
  let writes = 0
  let building = false

  const locked = <A, E>(body: Effect.Effect<A, E>, waitMillis: number): Effect.Effect<A | null, E> =>
    Effect.scoped(
      Effect.flatMap(ProcessLock.acquire(join(options.directory, "index.lock"), waitMillis), (mine) =>
        mine ? body : Effect.succeed(null)
      )
    )

  const clear = Effect.tryPromise({
    try: () => rm(tables, { recursive: true, force: true }),
    catch: (cause) =>
      new VectorTable.VectorTableFailed({
        message: `the index cannot be removed: ${cause instanceof Error ? cause.message : String(cause)}`
      })
  })

  const open = Effect.fnUntraced(function* (given: Embedder): Effect.fn.Return<Opened, IndexFailed> {
    // The thread loads its model meanwhile.
    const [identity] = yield* Effect.all([given.identity, VectorTable.load], { concurrency: 2 })
    const place = { directory: tables, ...identity }
    const compare = Effect.gen(function* () {
      const table = yield* VectorTable.open(place)
      const counters = yield* store.counters
      return { table, counters, have: yield* table.rowNumbers(0, Infinity) }
    })
    const broken = Effect.andThen(clear, compare)
    const { counters, have, table } = yield* Effect.catchTag(compare, "VectorTableFailed", () => broken)
    const { missing, surplus } = Reconcile.difference(yield* store.rowNumbers, have)
    const made: Opened = { table, pending: Pending.make(store, given, counters), backlog: missing }
    made.pending.dropped(surplus)
    if (missing.size <= promptRows) {
      yield* eachMissing(made, (rows) => Effect.sync(() => made.pending.add(rows)))
      made.backlog = new Set()
    }
    return made
  })

  const ready = Effect.suspend(() => {
    if (opened !== null || embedder === null) return Effect.succeed(opened)
    return one.withPermit(
      Effect.suspend(() =>
        opened === null ? Effect.map(open(embedder), (made) => (opened = made)) : Effect.succeed(opened)
      )
    )
  })

  const eachMissing = Effect.fnUntraced(function* <E>(
    { backlog }: Opened,
    body: (rows: ReadonlyArray<NoteStore.IndexRow>) => Effect.Effect<void, E>
  ): Effect.fn.Return<void, E | NoteStore.NoteStoreFailed> {
    let after = backlog.size === 0 ? Infinity : Math.min(...firstOf(backlog)) - 1
    while (Number.isFinite(after)) {
      const page = yield* store.rows(after, pageRows)
      const missing = page.filter(({ row }) => backlog.has(row))
      if (missing.length > 0) yield* body(missing)
      after = page.at(-1)?.row ?? Infinity
    }
  })

  /** Under the lock: what another process has written meanwhile is not written twice. */
  const write = (state: Opened, rows: ReadonlyArray<VectorTable.VectorRow>, drops: ReadonlyArray<number>) =>
    locked(
      Effect.gen(function* () {
        yield* state.table.refresh
        const [first, last] = boundsOf([...rows.map(({ row }) => row), ...drops])
        const present = new Set(yield* state.table.rowNumbers(first, last))
        yield* state.table.drop(drops.filter((row) => present.has(row)))
        const surplus = new Set(drops)
        yield* state.table.add(rows.filter(({ row }) => !present.has(row) || surplus.has(row)))
        return true
      }),
      lockMillis
    )

  const flush = Effect.fnUntraced(function* (state: Opened) {
    yield* state.pending.catchUp
    const { drops, rows } = yield* state.pending.take
    if (rows.length === 0 && drops.length === 0) return
    if ((yield* write(state, rows, drops)) === null) return
    state.pending.forget(rows, drops)
    if ((yield* state.table.parts) > mostParts) yield* locked(state.table.tidy, lockMillis)
  })

  const build = Effect.fnUntraced(function* (state: Opened) {
    const total = state.backlog.size
    let done = 0
    let refused = 0
    const { drops } = yield* state.pending.take
    if ((yield* write(state, [], drops)) !== null) state.pending.forget([], drops)
    if (total > 0) options.onProgress({ done, total })
    yield* eachMissing(state, (rows) =>
      Effect.gen(function* () {
        const wrote = yield* write(state, yield* Pending.embed(embedder!, rows), [])
        if (wrote === null) refused += rows.length
        else done += rows.length
        options.onProgress({ done, total })
      })
    ).pipe(Effect.ensuring(Effect.sync(() => (total > 0 ? options.onProgress(null) : undefined))))
    // Another process is at it: what it leaves is found missing at the next attempt.
    if (refused > 0) return
    state.backlog = new Set()
    yield* flush(state)
    yield* locked(state.table.tidy, lockMillis)
  })

  /** Starts over, with an empty table. */
  const discard = Effect.andThen(
    Effect.sync(() => (opened = null)),
    clear
  )

  const inBackground = (body: (state: Opened) => Effect.Effect<void, IndexFailed>): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (building) return Effect.void
      building = true
      return ready.pipe(
        Effect.flatMap((state) => (state === null ? Effect.void : one.withPermit(body(state)))),
        // The notes are in the database: the next search or write tries again.
        Effect.ignore,
        Effect.ensuring(Effect.sync(() => (building = false))),
        Effect.forkIn(scope),
        Effect.asVoid
      )
    })

  /** Gives what is left to do once it is known what to compare. */
  const look = Effect.fnUntraced(function* (state: Opened, place: NoteStore.Place, query: Query) {
    yield* state.pending.catchUp
    const filter = yield* store.numbered(place.user, query)
    const [vector] = yield* embedder!.embed([query.text])
    if (filter === null || vector.every((x) => x === 0)) return Effect.succeed([])
    const fresh = yield* state.pending.similar(vector, filter, promptRows)
    const held = Pending.nearest(yield* Pending.embed(embedder!, yield* store.held(place)), vector, filter)
    const search = state.table.search(vector, filter, query.limit)
    // Another process may have tidied away what this one had opened.
    const anew = Effect.andThen(state.table.refresh, search)
    const compared = yield* Effect.catchTag(search, "VectorTableFailed", () => anew)
    return Effect.gen(function* () {
      const stored = yield* Effect.catchTag(compared, "VectorTableFailed", () => Effect.flatten(anew))
      if (state.pending.size() >= worthWriting) yield* inBackground(flush)
      return Pending.merge([...fresh, ...held, ...stored], query.limit)
    })
  })

  const none = (reason: string): Similar => ({ rows: [], reason })

  const excused = (error: EmbeddingFailed | VectorTable.VectorTableFailed): Effect.Effect<Similar> => {
    if (error._tag === "EmbeddingFailed") return Effect.succeed(none(error.message))
    const reason = `the index is being built anew (${error.message.split("\n")[0]})`
    return Effect.as(Effect.andThen(Effect.ignore(discard), inBackground(build)), none(reason))
  }

  const begin: NoteIndex["begin"] = (place, query) =>
    Effect.gen(function* () {
      const state = yield* ready
      if (state === null) return Effect.succeed(none("no embedding model is configured"))
      if (state.backlog.size > 0) {
        yield* inBackground(build)
        return Effect.succeed(none(`the index of ${state.backlog.size} notes is being built`))
      }
      const answer = (yield* look(state, place, query)).pipe(
        Effect.map((rows): Similar => ({ rows, reason: null })),
        Effect.catchTag("VectorTableFailed", excused)
      )
      return Fiber.join(yield* Effect.forkChild(answer, { startImmediately: true }))
    }).pipe(
      Effect.catchTag(["EmbeddingFailed", "VectorTableFailed"], (error) => Effect.map(excused(error), Effect.succeed))
    )

  const settle: NoteIndex["settle"] = (anew) =>
    Effect.gen(function* () {
      if (anew) yield* one.withPermit(discard)
      const state = yield* ready
      if (state !== null) yield* one.withPermit(build(state))
    })

  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      const state = opened
      return state === null || state.backlog.size > 0
        ? Effect.void
        : Effect.asVoid(Effect.exit(one.withPermit(flush(state))))
    })
  )

  return {
    begin,
    similar: (place, query) => Effect.flatten(begin(place, query)),
    settle,
    written: Effect.suspend(() => {
      writes += 1
      if (embedder === null || writes < worthWriting) return Effect.void
      writes = 0
      return inBackground((state) => (state.backlog.size > 0 ? build(state) : flush(state)))
    })
  }
})

/** How long another process may hold the lock, in milliseconds. */
const lockMillis = 2000

const boundsOf = (rows: ReadonlyArray<number>): readonly [number, number] =>
  rows.reduce<readonly [number, number]>(
    ([first, last], row) => [Math.min(first, row), Math.max(last, row)],
    [Infinity, 0]
  )

const firstOf = (rows: ReadonlySet<number>): ReadonlyArray<number> => {
  const [first] = rows
  return [first]
}
