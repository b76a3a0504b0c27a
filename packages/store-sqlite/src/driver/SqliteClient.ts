/**
 * effect/sql over node:sqlite: one connection to one file, which one fibre uses at a time. Statements are synchronous,
 * which saves a thread switch per query; a transaction begins IMMEDIATE and so cannot fail halfway because of a lock.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Reactivity from "effect/reactivity/Reactivity"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import * as Stream from "effect/Stream"
import { bindable, type Database, type DatabaseOptions, open, type Row } from "./Database.ts"
import * as SqliteError from "./SqliteError.ts"

export interface SqliteClient extends SqlClient.SqlClient {
  /**
   * Runs `body` on the connection synchronously, without the cost of an effect per statement; inside a transaction of
   * this fibre, it becomes part of that transaction. SQLite's errors that `body` throws fail as SqlError, and a
   * transaction that it leaves open is rolled back.
   */
  readonly sync: <A>(body: (database: Database) => A) => Effect.Effect<A, SqlError>
}

/** The client with `sync`; `layer` provides it as this service and as the `SqlClient` of effect/sql. */
export const SqliteClient = Context.Service<SqliteClient>("@bough/store-sqlite/SqliteClient")

interface SqliteConnection extends Connection {
  readonly database: Database
}

/** The number of rows that a stream reads from SQLite at a time. */
const streamChunk = 128

const tryTo = <A>(operation: string, body: () => A): Effect.Effect<A, SqlError> =>
  Effect.try({ try: body, catch: (cause) => SqliteError.fromCause(cause, operation) })

/** Runs `tryTo` on a file that may have been closed; node:sqlite's errors about a closed file become DatabaseClosed. */
const attemptOn =
  (database: Database) =>
  <A>(operation: string, body: () => A): Effect.Effect<A, SqlError> =>
    tryTo(operation, () => {
      if (!database.isOpen()) throw new SqliteError.DatabaseClosed()
      return body()
    })

const makeConnection = (database: Database): SqliteConnection => {
  const attempt = attemptOn(database)
  const rows = (sql: string, parameters: ReadonlyArray<unknown>) =>
    Effect.flatMap(SqlClient.SafeIntegers, (safe) =>
      attempt("execute", (): ReadonlyArray<Row> => database.statement(sql, safe).all(...bindable(parameters)))
    )
  const values = (sql: string, parameters: ReadonlyArray<unknown>) =>
    Effect.map(rows(sql, parameters), (found) => found.map((row) => Object.values(row)))
  const transform = (
    sql: string,
    parameters: ReadonlyArray<unknown>,
    transformRows: Parameters<Connection["execute"]>[2]
  ) => (transformRows === undefined ? rows(sql, parameters) : Effect.map(rows(sql, parameters), transformRows))

  return {
    database,
    execute: transform,
    executeUnprepared: transform,
    executeValues: values,
    executeValuesUnprepared: values,
    executeRaw: (sql, parameters) => attempt("execute", () => database.run(sql, parameters)),
    executeStream: (sql, parameters, transformRows) =>
      Stream.unwrap(
        Effect.map(
          Effect.acquireRelease(
            attempt("prepare", () => database.prepare(sql).iterate(...bindable(parameters))),
            (iterator) => Effect.sync(() => iterator.return?.())
          ),
          (iterator) =>
            Stream.paginate(null, () =>
              attempt("stream", () => {
                const chunk = take(iterator, streamChunk)
                const page = transformRows === undefined ? chunk : transformRows(chunk)
                return [page, chunk.length < streamChunk ? Option.none() : Option.some(null)] as const
              })
            )
        )
      )
  }
}

/** Takes rows without closing the iterator, which its own `take` would do. */
const take = (iterator: Iterator<Row>, count: number): ReadonlyArray<Row> => {
  const rows: Array<Row> = []
  while (rows.length < count) {
    const next = iterator.next()
    if (next.done === true) break
    rows.push(next.value)
  }
  return rows
}

/** Opens the file until the scope closes. Fails with SqlError if it cannot be opened or its pragmas cannot be set. */
export const make = Effect.fnUntraced(
  function* (options: DatabaseOptions): Effect.fn.Return<SqliteClient, SqlError, Scope.Scope | Reactivity.Reactivity> {
    const database = yield* Effect.acquireRelease(
      tryTo("open", () => open(options)),
      (opened) => Effect.sync(() => opened.close())
    )
    const connection = makeConnection(database)
    const attempt = attemptOn(database)
    const semaphore = Semaphore.makeUnsafe(1)
    const client = yield* SqlClient.make({
      ...SqlClient.makeSqliteAcquirers({
        connection: Effect.succeed(connection),
        semaphore,
        isTransaction: () => database.isTransaction()
      }),
      compiler: Statement.makeCompilerSqlite(),
      driver: "sqlite-node",
      beginTransaction: "BEGIN IMMEDIATE",
      releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
      prepareTransactionControls: true,
      spanAttributes: [["db.system.name", "sqlite"]]
    })

    const rollback = Effect.suspend(() =>
      database.isTransaction() ? Effect.ignore(attempt("rollback", () => database.exec("ROLLBACK"))) : Effect.void
    )
    const sync: SqliteClient["sync"] = (body) =>
      Effect.withFiber((fiber) => {
        const run = attempt("sync", () => body(database))
        const inTransaction = Context.getOrUndefined(fiber.context, client.transactionService) !== undefined
        return inTransaction ? run : semaphore.withPermit(Effect.onError(run, () => rollback))
      })

    return Object.assign(client, { sync })
  },
  Effect.provideServiceEffect(Reactivity.Reactivity, Reactivity.make)
)

/** Provides the client under both of its names. */
export const layer = (options: DatabaseOptions): Layer.Layer<SqliteClient | SqlClient.SqlClient, SqlError> =>
  Layer.effectContext(
    Effect.map(make(options), (client) =>
      Context.make(SqliteClient, client).pipe(Context.add(SqlClient.SqlClient, client))
    )
  )
