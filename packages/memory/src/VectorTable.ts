/**
 * Vectors in LanceDB, by the row of their note. The table is only an index: it is not synced, and may lack rows or
 * contain obsolete rows. Readers take the content of a row from the database. Only one process writes at a time.
 */
import type { NoteStore } from "@bough/tool"
import type * as LanceDb from "@lancedb/lancedb"
import type * as Arrow from "apache-arrow"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { hash } from "node:crypto"
import * as VectorLibrary from "./VectorLibrary.ts"

/** LanceDB failed, or its files are damaged. */
export class VectorTableFailed extends Schema.TaggedError<VectorTableFailed>()("VectorTableFailed", {
  message: Schema.String
}) {}

export interface VectorRow extends Omit<NoteStore.IndexRow, "text"> {
  readonly vector: Float32Array
}

/** `similarity` is the cosine, for vectors of length 1. */
export interface Similar {
  readonly row: number
  readonly similarity: number
}

type Answer<A> = Effect.Effect<A, VectorTableFailed>

export interface VectorTable {
  readonly add: (rows: ReadonlyArray<VectorRow>) => Answer<void>
  readonly drop: (rows: ReadonlyArray<number>) => Answer<void>
  /**
   * Starts a search for the most similar rows: when this returns, other threads are comparing, and the inner effect
   * waits for them.
   */
  readonly search: (
    vector: Float32Array,
    filter: NoteStore.NumberedFilter,
    limit: number
  ) => Answer<Answer<ReadonlyArray<Similar>>>
  /** Returns the numbers of the rows from `first` to `last`, unordered; a row that is stored twice appears twice. */
  readonly rowNumbers: (first: number, last: number) => Answer<Float64Array>
  /** Merges files, updates the indexes, and removes deleted rows and older versions. */
  readonly tidy: Answer<void>
  /** The number of unmerged parts, of which each write adds one. */
  readonly parts: Answer<number>
  /** Refreshes the table, so that it includes writes of other processes. */
  readonly refresh: Answer<void>
}

export interface VectorTableOptions {
  readonly directory: string
  /** The model that made the vectors; each model has its own table. */
  readonly modelId: string
  readonly dimension: number
  /** The entry of the library if it is not installed beside this package. */
  readonly library: string | null
}

/** The number of rows up to which comparing every vector is fast enough. */
const flatRows = 20_000
/** The partitions of about 4,000 vectors that a query searches: among 100,000 notes, this finds 99 of the best 100. */
const probes = 16
/**
 * The partitions that are searched if too few rows of the first ones pass the filter. Searching this number from the
 * start would cost a fifth more.
 */
const maxProbes = 100_000

export const failed = (cause: unknown) =>
  new VectorTableFailed({ message: cause instanceof Error ? cause.message : String(cause) })

const attempt = <A>(body: () => Promise<A>): Answer<A> => Effect.tryPromise({ try: body, catch: failed })

/** Makes a filter that contains only numbers and no text of a user. */
const condition = ({ kinds, projects, tags, user }: NoteStore.NumberedFilter): string =>
  [
    `user = ${Math.trunc(user)}`,
    ...(projects === null ? [] : [`project IN (${projects.map(Math.trunc).join(", ")})`]),
    `kind IN (${kinds.map(Math.trunc).join(", ")})`,
    ...tags.map((tag) => `array_has(tags, ${Math.trunc(tag)})`)
  ].join(" AND ")

/** The prefix of every table name. */
export const tablePrefix = "notes-"

/** Loads LanceDB's code; callers can start it early because it takes a while. */
export const load = (library: string | null): Answer<VectorLibrary.VectorLibrary> =>
  attempt(() => VectorLibrary.load(library))

/**
 * Opens or creates the table of this model, and removes those of other models. Fails with VectorTableFailed if it
 * cannot be opened.
 */
export const open = Effect.fnUntraced(function* (
  options: VectorTableOptions
): Effect.fn.Return<VectorTable, VectorTableFailed> {
  const library = (yield* load(options.library)) as Modules
  const {
    arrow: { tableFromIPC },
    lancedb: { Index }
  } = library
  const table = yield* attempt(() => openTable(library, options))

  /** The columns that have an index. */
  const indexed = Effect.map(
    attempt(() => table.listIndices()),
    (indices) => new Set(indices.flatMap(({ columns }) => columns))
  )

  /** Creates missing indexes; returns true if some were missing. */
  const makeIndexes = Effect.gen(function* () {
    const indexes = {
      user: Index.bitmap(),
      kind: Index.bitmap(),
      tags: Index.labelList(),
      vector: Index.ivfFlat({ distanceType: "dot" })
    }
    const present = yield* indexed
    const missing = Object.entries(indexes).filter(([column]) => !present.has(column))
    for (const [column, config] of missing) yield* attempt(() => table.createIndex(column, { config }))
    return missing.length > 0
  })

  const nearest = (
    vector: Float32Array,
    filter: NoteStore.NumberedFilter,
    bounds: { readonly limit: number; readonly probes: number }
  ): Answer<Answer<ReadonlyArray<Similar>>> =>
    attempt(() =>
      begin(
        table
          .query()
          .nearestTo(vector)
          .distanceType("dot")
          .nprobes(bounds.probes)
          .where(condition(filter))
          .select(["row", "_distance"])
          .limit(bounds.limit)
      )
    ).pipe(
      Effect.map(({ first, next }) =>
        Effect.gen(function* () {
          const found: Array<Similar> = []
          for (let batch = yield* attempt(() => first); batch !== null; batch = yield* attempt(next)) {
            found.push(...similarOf(tableFromIPC(batch)))
          }
          return found
        })
      )
    )

  return {
    add: (rows) => (rows.length === 0 ? Effect.void : Effect.asVoid(attempt(() => table.add(rows.map(toStoredRow))))),
    drop: (rows) =>
      rows.length === 0
        ? Effect.void
        : Effect.asVoid(attempt(() => table.delete(`row IN (${rows.map(Math.trunc).join(", ")})`))),
    search: (vector, filter, limit) =>
      Effect.map(nearest(vector, filter, { limit, probes }), (compared) =>
        Effect.gen(function* () {
          const found = yield* compared
          const complete = found.length >= limit || !(yield* indexed).has("vector")
          return complete ? found : yield* Effect.flatten(nearest(vector, filter, { limit, probes: maxProbes }))
        })
      ),
    rowNumbers: (first, last) =>
      Effect.map(
        attempt(() =>
          table
            .query()
            .where(`row BETWEEN ${boundRow(first)} AND ${boundRow(last)}`)
            .select(["row"])
            .toArrow()
        ),
        (found) => numbersOf(found, "row")
      ),
    tidy: Effect.gen(function* () {
      yield* attempt(() => table.optimize())
      const isIndexed = (yield* attempt(() => table.countRows())) > flatRows ? yield* makeIndexes : false
      if (isIndexed) yield* attempt(() => table.optimize())
      // Only the newest version is needed, because readers of older versions refresh.
      yield* attempt(() => table.optimize({ cleanupOlderThan: now() }))
    }),
    parts: Effect.map(
      attempt(() => table.stats()),
      ({ fragmentStats }) => fragmentStats.numFragments
    ),
    refresh: attempt(() => table.checkoutLatest())
  }
})

/** A batch of rows; null: there are no more rows. */
type Batch = Promise<Uint8Array | null>

interface BatchReader {
  readonly first: Batch
  readonly next: () => Batch
}

/**
 * Starts a query: LanceDB compares once the first batch is requested. Its own iterators request it only when this
 * thread is free, which would serialise the two.
 */
const begin = (query: LanceDb.VectorQuery): Promise<BatchReader> =>
  (query as unknown as { nativeExecute(): Promise<{ next(): Batch }> }) // a protected method, which LanceDB's own iterators use
    .nativeExecute()
    .then((batches) => {
      const first = batches.next()
      // The error is ignored here, because the reader of the batch gets it.
      first.catch(() => {})
      return { first, next: () => batches.next() }
    })

const similarOf = (found: Arrow.Table): ReadonlyArray<Similar> => {
  const distances = numbersOf(found, "_distance")
  return Array.from(numbersOf(found, "row"), (row, index) => ({ row, similarity: 1 - distances[index] }))
}

/** Clamps to the integers that LanceDB can read. */
const boundRow = (row: number): number => Math.trunc(Math.min(Math.max(row, 0), Number.MAX_SAFE_INTEGER))

const numbersOf = (found: Arrow.Table, column: string): Float64Array => {
  const values: ArrayLike<number | bigint> = found.getChild(column)?.toArray() ?? []
  const numbers = new Float64Array(values.length)
  // Uses a loop, because `from` with a function takes three times as long.
  for (let index = 0; index < values.length; index++) numbers[index] = Number(values[index])
  return numbers
}

// oxlint-disable-next-line no-restricted-globals -- LanceDB takes a Date, on the clock that it stamps its versions with
const now = (): Date => new Date(Date.now())

const toStoredRow = ({ kind, project, row, tags, user, vector }: VectorRow) => ({
  row: BigInt(row),
  user,
  project,
  kind,
  tags: [...tags],
  vector
})

interface Modules {
  readonly lancedb: typeof LanceDb
  readonly arrow: typeof Arrow
}

const openTable = (
  { arrow, lancedb }: Modules,
  { dimension, directory, modelId }: VectorTableOptions
): Promise<LanceDb.Table> => {
  const name = `${tablePrefix}${hash("sha256", JSON.stringify([2, modelId, dimension])).slice(0, 16)}`
  const schema = () =>
    new arrow.Schema(
      [
        new arrow.Field("row", new arrow.Int64()),
        new arrow.Field("user", new arrow.Int32()),
        new arrow.Field("project", new arrow.Int32()),
        new arrow.Field("kind", new arrow.Int32()),
        new arrow.Field("tags", new arrow.List(new arrow.Field("item", new arrow.Int32()))),
        new arrow.Field("vector", new arrow.FixedSizeList(dimension, new arrow.Field("item", new arrow.Float32())))
      ],
      new Map([
        ["model", modelId],
        ["dimension", String(dimension)]
      ])
    )
  return lancedb.connect(directory).then((database) =>
    database.tableNames().then((names) => {
      const others = names.filter((other) => other.startsWith(tablePrefix) && other !== name)
      return Promise.all(others.map((other) => database.dropTable(other))).then(() =>
        names.includes(name) ? database.openTable(name) : database.createEmptyTable(name, schema(), { existOk: true })
      )
    })
  )
}
