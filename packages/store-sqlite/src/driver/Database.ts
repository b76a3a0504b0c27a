/**
 * One open database file: synchronous, with a cache of prepared statements. It throws SQLite's own errors;
 * `SqliteClient` gives them a type.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite"

export type Row = Readonly<Record<string, unknown>>

/** `lastInsertRowid` is a bigint only if a number would lose digits. */
export interface RunResult {
  readonly changes: number
  readonly lastInsertRowid: number | bigint
}

export interface Database {
  readonly all: (sql: string, parameters?: ReadonlyArray<unknown>) => ReadonlyArray<Row>
  readonly get: (sql: string, parameters?: ReadonlyArray<unknown>) => Row | undefined
  readonly run: (sql: string, parameters?: ReadonlyArray<unknown>) => RunResult
  /** Runs several statements at once, uncached and without parameters. */
  readonly exec: (sql: string) => void
  /** Prepares an uncached statement, for SQL that rarely runs or is read row by row. */
  readonly prepare: (sql: string) => StatementSync
  /** Returns the cached statement for that SQL, set to read integers as bigints or not. */
  readonly statement: (sql: string, readBigInts: boolean) => StatementSync
  /** True inside a transaction; false also once the file is closed. */
  readonly isTransaction: () => boolean
  readonly isOpen: () => boolean
  readonly close: () => void
}

export interface DatabaseOptions {
  /** A path, or ":memory:". */
  readonly filename: string
  /** Default false. */
  readonly readOnly?: boolean
  /** The longest time for which a statement waits for another process's lock; default 5000. */
  readonly busyTimeoutMillis?: number
  /** The size of the cache of prepared statements; the least recently used are evicted first. Default 200. */
  readonly statements?: number
  /** Pragmas to run at opening; default WAL, with every commit synced. */
  readonly pragmas?: Readonly<Record<string, string | number>>
}

/** Makes parameters that node:sqlite can bind: booleans become 0 and 1. */
export const bindable = (parameters: ReadonlyArray<unknown>): Array<SQLInputValue> =>
  parameters.includes(true) || parameters.includes(false)
    ? parameters.map((value) => (typeof value === "boolean" ? Number(value) : (value as SQLInputValue)))
    : (parameters as Array<SQLInputValue>)

const none: ReadonlyArray<unknown> = []
const defaultPragmas = { journal_mode: "WAL", synchronous: "FULL" }

/**
 * Opens or creates the file. It throws the errors of `node:sqlite`, as every method of the result does; the caller
 * closes it.
 */
export const open = (options: DatabaseOptions): Database => {
  const database = new DatabaseSync(options.filename, {
    readOnly: options.readOnly ?? false,
    timeout: options.busyTimeoutMillis ?? 5000
  })
  const capacity = options.statements ?? 200
  const statements = new Map<string, { readonly statement: StatementSync; readBigInts: boolean }>()

  const statement = (sql: string, readBigInts: boolean): StatementSync => {
    let entry = statements.get(sql)
    if (entry === undefined) {
      entry = { statement: database.prepare(sql), readBigInts: false }
      const [oldest] = statements.keys()
      if (statements.size >= capacity) statements.delete(oldest)
    } else if (statements.size >= capacity) {
      statements.delete(sql)
    }
    statements.set(sql, entry)
    if (entry.readBigInts !== readBigInts) {
      entry.statement.setReadBigInts(readBigInts)
      entry.readBigInts = readBigInts
    }
    return entry.statement
  }

  const pragmas = Object.entries(options.pragmas ?? (options.readOnly === true ? {} : defaultPragmas))
  database.exec(pragmas.map(([name, value]) => `PRAGMA ${name} = ${value};`).join(""))

  return {
    all: (sql, parameters = none) => statement(sql, false).all(...bindable(parameters)),
    get: (sql, parameters = none) => statement(sql, false).get(...bindable(parameters)),
    run: (sql, parameters = none) => {
      // Reads integers as bigints, because a row id beyond 2^53 would throw after the statement took effect.
      const { changes, lastInsertRowid } = statement(sql, true).run(...bindable(parameters))
      const rowid = Number(lastInsertRowid)
      return { changes: Number(changes), lastInsertRowid: Number.isSafeInteger(rowid) ? rowid : lastInsertRowid }
    },
    exec: (sql) => database.exec(sql),
    prepare: (sql) => database.prepare(sql),
    statement,
    isTransaction: () => database.isOpen && database.isTransaction,
    isOpen: () => database.isOpen,
    close: () => database.close()
  }
}
