/** The driver against real files. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as SqliteClient from "../../src/driver/SqliteClient.ts"
import * as SqliteError from "../../src/driver/SqliteError.ts"

const temporaryFile = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "bough-sqlite-"))),
    (directory) => Effect.sync(() => rmSync(directory, { recursive: true }))
  ),
  (directory) => join(directory, "test.db")
)

type Body<A, E> = Effect.Effect<A, E, SqliteClient.SqliteClient | SqlClient.SqlClient | Scope.Scope>

/** Runs `body` against a new file with one table. */
const withFile = <A, E>(body: Body<A, E>): Effect.Effect<A, E | SqlError, Scope.Scope> =>
  Effect.flatMap(temporaryFile, (filename) =>
    Effect.provide(
      Effect.andThen(
        Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql`CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL)`
        ),
        body
      ),
      SqliteClient.layer({ filename })
    )
  )

const names = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql<{ name: string }>`SELECT name FROM item ORDER BY id`, (rows) => rows.map((row) => row.name))
)

describe("SqliteClient", () => {
  it.effect("rows are returned under their column names, booleans and null included", () =>
    withFile(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const rows = yield* sql`SELECT ${1} AS one, ${"two"} AS two, ${null} AS three, ${true} AS four`
        assert.deepStrictEqual({ ...rows[0] }, { one: 1, two: "two", three: null, four: 1 })
        yield* sql`INSERT INTO item ${sql.insert([{ name: "a" }, { name: "b" }])}`
        assert.deepStrictEqual(yield* names, ["a", "b"])
        assert.deepStrictEqual(yield* sql`SELECT id, name FROM item ORDER BY id`.values, [
          [1, "a"],
          [2, "b"]
        ])
      })
    )
  )

  it.effect("a unique violation says so and names the column", () =>
    withFile(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`INSERT INTO item (name) VALUES (${"a"})`
        const error = yield* Effect.flip(sql`INSERT INTO item (name) VALUES (${"a"})`)
        assert.strictEqual(error.reason._tag, "UniqueViolation")
        assert.strictEqual(error.reason._tag === "UniqueViolation" && error.reason.constraint, "item.name")
        assert.strictEqual(SqliteError.resultCode(error), 2067)
        const other = yield* Effect.flip(sql`INSERT INTO item (name) VALUES (${null})`)
        assert.strictEqual(other.reason._tag, "ConstraintError")
        assert.strictEqual(SqliteError.primaryCode(other), 19)
      })
    )
  )

  it.effect("a row id beyond 2^53 is inserted and returned exactly", () =>
    withFile(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const id = 2n ** 60n + 1n
        const result = yield* sql`INSERT INTO item (id, name) VALUES (${id}, ${"big"})`.raw
        assert.deepStrictEqual(result, { changes: 1, lastInsertRowid: id })
        const small = yield* sql`INSERT INTO item (id, name) VALUES (${7}, ${"small"})`.raw
        assert.deepStrictEqual(small, { changes: 1, lastInsertRowid: 7 })
        const rows = yield* Effect.provideService(sql`SELECT max(id) AS id FROM item`, SqlClient.SafeIntegers, true)
        assert.strictEqual(rows[0].id, id)
        const plain = yield* sql`SELECT min(id) AS id FROM item`
        assert.strictEqual(plain[0].id, 7)
      })
    )
  )

  it.effect("a failed transaction leaves nothing, a committed one all", () =>
    withFile(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const insert = (name: string) => sql`INSERT INTO item (name) VALUES (${name})`
        yield* Effect.flip(sql.withTransaction(Effect.andThen(insert("lost"), insert("lost"))))
        assert.deepStrictEqual(yield* names, [])
        yield* sql.withTransaction(Effect.andThen(insert("a"), insert("b")))
        assert.deepStrictEqual(yield* names, ["a", "b"])
      })
    )
  )

  it.effect("a failed savepoint rolls back its own part alone", () =>
    withFile(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const insert = (name: string) => sql`INSERT INTO item (name) VALUES (${name})`
        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* insert("before")
            yield* Effect.exit(sql.withTransaction(Effect.andThen(insert("inside"), Effect.fail("no"))))
            yield* sql.withTransaction(insert("kept"))
          })
        )
        assert.deepStrictEqual(yield* names, ["before", "kept"])
      })
    )
  )

  it.live("an interrupted transaction is rolled back and the connection continues", () =>
    withFile(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const fiber = yield* Effect.forkChild(
          sql.withTransaction(Effect.andThen(sql`INSERT INTO item (name) VALUES ('half')`, Effect.never))
        )
        yield* Effect.sleep("20 millis")
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(yield* names, [])
      })
    )
  )

  it.live("a transaction is alone on the connection until it ends", () =>
    withFile(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const client = yield* SqliteClient.SqliteClient
        const order: Array<string> = []
        const slow = sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`INSERT INTO item (name) VALUES ('slow')`
            yield* Effect.sleep("20 millis")
            order.push("slow")
          })
        )
        const direct = client.sync((database) => {
          assert.isFalse(database.isTransaction())
          order.push("direct")
        })
        const fiber = yield* Effect.forkChild(slow)
        yield* Effect.sleep("5 millis")
        yield* direct
        yield* Fiber.join(fiber)
        assert.deepStrictEqual(order, ["slow", "direct"])
      })
    )
  )

  it.effect("sync is part of the fibre's own transaction", () =>
    withFile(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const client = yield* SqliteClient.SqliteClient
        const insert = client.sync((database) => database.run("INSERT INTO item (name) VALUES (?)", ["direct"]))
        yield* Effect.exit(sql.withTransaction(Effect.andThen(insert, Effect.fail("no"))))
        assert.deepStrictEqual(yield* names, [])
        assert.strictEqual((yield* insert).changes, 1)
      })
    )
  )

  it.effect("a transaction that a sync body leaves open is rolled back", () =>
    withFile(
      Effect.gen(function* () {
        const client = yield* SqliteClient.SqliteClient
        const error = yield* Effect.flip(
          client.sync((database) => {
            database.run("BEGIN IMMEDIATE")
            database.run("INSERT INTO item (name) VALUES ('half')")
            database.run("INSERT INTO item (name) VALUES ('half')")
          })
        )
        assert.strictEqual(error.reason._tag, "UniqueViolation")
        assert.deepStrictEqual(yield* names, [])
      })
    )
  )

  it.effect("a failed COMMIT frees the connection for the next", () =>
    withFile(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE part (item INTEGER REFERENCES item (id) DEFERRABLE INITIALLY DEFERRED)`
        const exit = yield* Effect.exit(sql.withTransaction(sql`INSERT INTO part (item) VALUES (99)`))
        assert.isTrue(Exit.isFailure(exit))
        yield* sql.withTransaction(sql`INSERT INTO item (name) VALUES ('after')`)
        assert.deepStrictEqual(yield* names, ["after"])
      })
    )
  )

  it.effect("a stream reads every row in order, and frees the connection when it is cut short", () =>
    withFile(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const client = yield* SqliteClient.SqliteClient
        yield* client.sync((database) => {
          database.run("BEGIN")
          for (let id = 1; id <= 1000; id++) database.run("INSERT INTO item VALUES (?, ?)", [id, `n${id}`])
          database.run("COMMIT")
        })
        const all = yield* Stream.runCollect(sql<{ id: number }>`SELECT id FROM item ORDER BY id`.stream)
        assert.deepStrictEqual(
          all.map((row) => row.id),
          Array.from({ length: 1000 }, (_, index) => index + 1)
        )
        const three = yield* Stream.runCollect(sql`SELECT id FROM item ORDER BY id`.stream.pipe(Stream.take(3)))
        assert.strictEqual(three.length, 3)
        const checkpoint = yield* sql<{ busy: number }>`PRAGMA wal_checkpoint(TRUNCATE)`
        assert.strictEqual(checkpoint[0].busy, 0)
        yield* sql`DELETE FROM item`
        assert.deepStrictEqual(yield* names, [])
      })
    )
  )

  it.effect("statements are cached, and the least recently used are evicted first", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* Effect.provide(
        Effect.gen(function* () {
          const { sync } = yield* SqliteClient.SqliteClient
          const same = yield* sync((database) => {
            const first = database.statement("SELECT 1", false)
            database.statement("SELECT 2", false)
            const again = database.statement("SELECT 1", false)
            database.statement("SELECT 3", false) // the place of SELECT 2
            return [again === first, database.statement("SELECT 1", false) === first]
          })
          assert.deepStrictEqual(same, [true, true])
          const replaced = yield* sync((database) => {
            const two = database.statement("SELECT 2", false)
            database.statement("SELECT 4", false)
            database.statement("SELECT 5", false)
            return database.statement("SELECT 2", false) !== two
          })
          assert.isTrue(replaced)
        }),
        SqliteClient.layer({ filename, statements: 2 })
      )
    })
  )

  it.effect("committed rows exist after the file is opened again", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const opened = SqliteClient.layer({ filename })
      yield* Effect.provide(
        Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE TABLE item AS SELECT 1 AS id, 'kept' AS name`),
        opened
      )
      const mode = Effect.flatMap(SqlClient.SqlClient, (sql) => sql<{ journal_mode: string }>`PRAGMA journal_mode`)
      assert.deepStrictEqual(yield* Effect.provide(names, opened), ["kept"])
      assert.strictEqual((yield* Effect.provide(mode, opened))[0].journal_mode, "wal")
    })
  )

  it.effect("a file that cannot be opened is a ConnectionError", () =>
    Effect.gen(function* () {
      const filename = join(yield* temporaryFile, "no such directory", "x.db")
      const error = yield* Effect.flip(Effect.provide(names, SqliteClient.layer({ filename })))
      assert.strictEqual(error.reason._tag, "ConnectionError")
    })
  )

  it.effect("a lock that another connection holds is a LockTimeoutError after the busy time", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const create = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE TABLE item (id INTEGER PRIMARY KEY)`)
      yield* Effect.provide(create, SqliteClient.layer({ filename }))
      const insert = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`INSERT INTO item DEFAULT VALUES`)
      const blocked = Effect.provide(insert, SqliteClient.layer({ filename, busyTimeoutMillis: 10 }))
      const error = yield* Effect.provide(
        Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(Effect.flip(blocked))),
        SqliteClient.layer({ filename })
      )
      assert.strictEqual(error._tag === "SqlError" && error.reason._tag, "LockTimeoutError")
    })
  )
})
