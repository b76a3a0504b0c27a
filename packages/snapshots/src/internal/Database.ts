/**
 * The file of one workspace's snapshots: SQLite, private to its owner, with its own version. Throws the errors of
 * `node:sqlite` and the file system.
 */
import { Directory } from "@bough/disk"
import * as fs from "node:fs"
import * as path from "node:path"
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite"
import { runFinally, orElse } from "./attempt.ts"

export type Row = Readonly<Record<string, unknown>>

export interface Database {
  readonly get: (sql: string, ...parameters: ReadonlyArray<SQLInputValue>) => Row | undefined
  readonly all: (sql: string, ...parameters: ReadonlyArray<SQLInputValue>) => ReadonlyArray<Row>
  readonly run: (sql: string, ...parameters: ReadonlyArray<SQLInputValue>) => number
  readonly exec: (sql: string) => void
  /**
   * Runs `work` in one transaction, which is rolled back if `work` throws. If `isDurable`, the transaction survives a
   * power cut once this returns.
   */
  readonly transact: <A>(isDurable: boolean, work: () => A) => A
  readonly close: () => void
}

/** The version with which files are written. */
export const currentVersion = 1

/** A later version of the program wrote the file. */
export class NewerFormat extends Error {
  override readonly name = "NewerFormat"
}

const schema = `
CREATE TABLE object (id TEXT PRIMARY KEY, deflated INTEGER NOT NULL, content BLOB NOT NULL);
CREATE TABLE snapshot (tree TEXT PRIMARY KEY, takenAtMillis INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE restoration (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  session TEXT NOT NULL,
  turn INTEGER NOT NULL,
  throughCommit INTEGER NOT NULL,
  fromTree TEXT NOT NULL,
  toTree TEXT,
  madeAtMillis INTEGER NOT NULL,
  state TEXT NOT NULL
);
CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO fact VALUES ('generation', '0'), ('synced', '0');
`

const busyMillis = 10_000

/** Opens or creates the file, in a directory that is closed to other users. */
export const open = (file: string): Database => {
  Directory.makePrivate(path.dirname(file))
  // Created here, because SQLite would make the file readable by the group.
  fs.closeSync(fs.openSync(file, "a", 0o600))
  const database = new DatabaseSync(file, { timeout: busyMillis })
  const statements = new Map<string, StatementSync>()
  const statement = (sql: string): StatementSync => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const newStatement = database.prepare(sql)
    statements.set(sql, newStatement)
    return newStatement
  }
  const opened: Database = {
    get: (sql, ...parameters) => statement(sql).get(...parameters),
    all: (sql, ...parameters) => statement(sql).all(...parameters),
    run: (sql, ...parameters) => Number(statement(sql).run(...parameters).changes),
    exec: (sql) => database.exec(sql),
    transact: (isDurable, work) => {
      database.exec(`PRAGMA synchronous = ${isDurable ? "FULL" : "NORMAL"}`)
      database.exec("BEGIN IMMEDIATE")
      return runFinally(
        () => {
          const value = work()
          database.exec("COMMIT")
          return value
        },
        () => {
          if (database.isTransaction) database.exec("ROLLBACK")
        }
      )
    },
    close: () => database.close()
  }
  return orElse(
    () => {
      prepare(opened)
      return opened
    },
    (cause) => {
      database.close()
      throw cause
    }
  )
}

/**
 * Returns the root of the workspace that the first store in `directory` records whose file name starts with
 * `beginning`; null: there is none.
 */
export const rootOf = (directory: string, beginning: string): string | null =>
  orElse(
    () => {
      const name = fs.readdirSync(directory).find((file) => file.startsWith(beginning) && file.endsWith(".db"))
      if (name === undefined) return null
      const database = new DatabaseSync(path.join(directory, name), { readOnly: true })
      return runFinally(
        () => {
          const root = database.prepare("SELECT value FROM fact WHERE name = 'root'").get()?.["value"]
          return typeof root === "string" ? root : null
        },
        () => database.close()
      )
    },
    () => null
  )

const prepare = (database: Database): void => {
  database.exec("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
  if (versionOf(database) === 0) {
    database.transact(true, () => {
      // Another process may have created it first.
      if (versionOf(database) !== 0) return
      database.exec(schema)
      database.exec(`PRAGMA user_version = ${currentVersion}`)
    })
  }
  const version = versionOf(database)
  if (version > currentVersion) {
    throw new NewerFormat(`the snapshot store has format ${version}, this program writes ${currentVersion}`)
  }
}

const versionOf = (database: Database): number => Number(database.get("PRAGMA user_version")?.["user_version"])
