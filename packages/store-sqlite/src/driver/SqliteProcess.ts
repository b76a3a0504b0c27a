/**
 * Runs statements on a database file in a separate process. SQLite returns only when a statement is done: a check or a
 * rewrite of a large file takes minutes, during which a thread can neither handle signals nor be ended.
 */
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import { type ChildProcess, spawn } from "node:child_process"
import type { Row } from "./Database.ts"
import * as SqliteError from "./SqliteError.ts"

export interface SqliteProcessOptions {
  readonly filename: string
  readonly readOnly: boolean
  /** The statements, run in order, each in its own transaction. */
  readonly statements: ReadonlyArray<string>
  /** The operation in messages to users, such as "check". */
  readonly operation: string
}

type Reply =
  | { readonly results: ReadonlyArray<ReadonlyArray<Row>> }
  | { readonly message: string; readonly errcode?: number }

/** The program needs only Node, since this module may be bundled into any file. */
const program = `
const { DatabaseSync } = process.getBuiltinModule("node:sqlite")
const reply = (value) => process.stdout.write(JSON.stringify(value))
process.on("uncaughtException", ({ errcode, message }) => reply({ errcode, message }))
const { filename, readOnly, statements } = JSON.parse(process.argv[1])
const database = new DatabaseSync(filename, { readOnly, timeout: 5000 })
reply({ results: statements.map((sql) => database.prepare(sql).all()) })
`

/** Returns the rows of each statement. An interruption kills the process, whose open transaction SQLite rolls back. */
export const run = (options: SqliteProcessOptions): Effect.Effect<ReadonlyArray<ReadonlyArray<Row>>, SqlError> =>
  Effect.callback((resume) => {
    const { filename, operation, readOnly, statements } = options
    const request = JSON.stringify({ filename, readOnly, statements })
    const child = spawn(process.execPath, ["--no-warnings", "-e", program, request], {
      stdio: ["ignore", "pipe", "ignore"]
    })
    const fail = (cause: unknown): void => resume(Effect.fail(SqliteError.fromCause(cause, operation)))
    let printed = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed += text
    })
    child.on("error", fail)
    child.on("close", (code, signal) => {
      if (printed === "")
        return fail(new Error(`the process that runs SQLite ended with ${signal ?? `exit code ${code}`}`))
      const reply = JSON.parse(printed) as Reply
      if ("results" in reply) resume(Effect.succeed(reply.results))
      else fail(Object.assign(new Error(reply.message), { errcode: reply.errcode }))
    })
    return end(child)
  })

/** Kills the process, and returns once it has ended. */
const end = (child: ChildProcess): Effect.Effect<void> =>
  Effect.callback((resume) => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return resume(Effect.void)
    child.once("exit", () => resume(Effect.void))
    child.kill("SIGKILL")
  })
