/**
 * Vectors in LanceDB, by the row of the note that each belongs to. An index and no record: it syncs nothing, may lack rows
 * and have too many, and whoever reads it asks the database what a row says. One process writes at a time.
 */
import type { NoteStore } from "@bough/tool"
import type { Table, VectorQuery } from "@lancedb/lancedb"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** LanceDB could not do it, or its files are broken. */
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
  /** The most similar first. */
  readonly search: (
    vector: Float32Array,
    filter: NoteStore.NumberedFilter,
    limit: number
  ) => Answer<ReadonlyArray<Similar>>
  /** Of every row, in no order; twice where it is there twice. */
  readonly rowNumbers: Answer<Float64Array>
  /** Makes few files of many, drops what was deleted, and brings the index up to date. */
  readonly tidy: Answer<void>
  /** How many writes it is in pieces of. */
  readonly parts: Answer<number>
  /** Sees what other processes wrote. */
  readonly refresh: Answer<void>
}

export interface Options {
  readonly directory: string
  /** What made the vectors; another model's are in another table. */
  readonly modelId: string
  readonly dimension: number
}

/** Up to here comparing with every vector is quick enough. */
const flatRows = 20_000
const partitions = 128
/** Partitions that a query looks into. */
const probes = 24

const attempt = <A>(body: () => Promise<A>): Answer<A> =>
  Effect.tryPromise({
    try: body,
    catch: (cause) => new VectorTableFailed({ message: cause instanceof Error ? cause.message : String(cause) })
  })

/** Numbers alone: nobody's text is ever in it. */
const condition = ({ kinds, tags, user }: NoteStore.NumberedFilter): string =>
  [
    `user = ${Math.trunc(user)}`,
    `kind IN (${kinds.map(Math.trunc).join(", ")})`,
    ...tags.map((tag) => `array_has(tags, ${Math.trunc(tag)})`)
  ].join(" AND ")

const tablePrefix = "notes-"

/** Opens the table of this model, or makes it; those of other models go. What cannot be opened is a VectorTableFailed. */
export const open = Effect.fnUntraced(function* (options: Options): Effect.fn.Return<VectorTable, VectorTableFailed> {
  const table = yield* attempt(() => openTable(options))
  let indexed: boolean = yield* attempt(() =>
    table.listIndices().then((indices) => indices.some(({ columns }) => columns.includes("vector")))
  )

  const nearest = (near: () => VectorQuery, limit: number, all: boolean) =>
    attempt(() => {
      const query = near()
      const chosen = all ? query.bypassVectorIndex() : query.nprobes(probes)
      return chosen.select(["row", "_distance"]).limit(limit).toArrow()
    }).pipe(
      Effect.map((found) => {
        const rows = found.getChild("row")
        const distances = found.getChild("_distance")
        return Array.from({ length: found.numRows }, (_, index) => ({
          row: Number(rows?.get(index)),
          similarity: 1 - Number(distances?.get(index))
        }))
      })
    )

  const makeIndex = Effect.gen(function* () {
    const { Index } = yield* attempt(() => import("@lancedb/lancedb"))
    yield* attempt(() => table.createIndex("user", { config: Index.bitmap() }))
    yield* attempt(() =>
      table.createIndex("vector", { config: Index.ivfFlat({ distanceType: "dot", numPartitions: partitions }) })
    )
    indexed = true
  })

  return {
    add: (rows) => (rows.length === 0 ? Effect.void : Effect.asVoid(attempt(() => table.add(rows.map(stored))))),
    drop: (rows) =>
      rows.length === 0
        ? Effect.void
        : Effect.asVoid(attempt(() => table.delete(`row IN (${rows.map(Math.trunc).join(", ")})`))),
    search: (vector, filter, limit) => {
      const near = () => table.query().nearestTo(vector).distanceType("dot").where(condition(filter))
      return Effect.flatMap(nearest(near, limit, !indexed), (found) =>
        // The partitions looked into may hold few notes of one user.
        found.length < limit && indexed ? nearest(near, limit, true) : Effect.succeed(found)
      )
    },
    rowNumbers: Effect.map(
      attempt(() => table.query().select(["row"]).toArrow()),
      (found) => Float64Array.from({ length: found.numRows }, (_, index) => Number(found.getChild("row")?.get(index)))
    ),
    tidy: Effect.gen(function* () {
      yield* attempt(() => table.optimize({ cleanupOlderThan: longAgo() }))
      if (!indexed && (yield* attempt(() => table.countRows())) > flatRows) yield* makeIndex
    }),
    parts: Effect.map(
      attempt(() => table.stats()),
      ({ fragmentStats }) => fragmentStats.numFragments
    ),
    refresh: attempt(() => table.checkoutLatest())
  }
})

/** Of other processes' reads none lasts that long. */
// oxlint-disable-next-line no-restricted-globals -- LanceDB takes a Date, on the clock that it stamps its versions with
const longAgo = (): Date => new Date(Date.now() - 60_000)

const stored = ({ kind, row, tags, user, vector }: VectorRow) => ({
  row: BigInt(row),
  user,
  kind,
  tags: [...tags],
  vector
})

const openTable = ({ dimension, directory, modelId }: Options): Promise<Table> =>
  Promise.all([import("@lancedb/lancedb"), import("apache-arrow"), import("node:crypto")]).then(
    ([lancedb, arrow, { hash }]) => {
      const name = `${tablePrefix}${hash("sha256", JSON.stringify([1, modelId, dimension])).slice(0, 16)}`
      const schema = () =>
        new arrow.Schema(
          [
            new arrow.Field("row", new arrow.Int64()),
            new arrow.Field("user", new arrow.Int32()),
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
            names.includes(name)
              ? database.openTable(name)
              : database.createEmptyTable(name, schema(), { existOk: true })
          )
        })
      )
    }
  )
