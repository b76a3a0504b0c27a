/** Tools with an effect that is easy to overlook, each of which breaks one rule of the contract. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { spawn } from "node:child_process"
import * as dns from "node:dns"
import { EventEmitter } from "node:events"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Worker } from "node:worker_threads"
import { Tool } from "../../src/index.ts"
import { done, type Exhibit, exhibit, facts, inRoot, leaks, Table, TableRead, writing } from "./zoo.ts"

/** A file beside all worlds, opened before any of them. */
const log = path.join(fs.mkdtempSync(path.join(tmpdir(), "bough-zoo-")), "log")
const logFile = fs.openSync(log, "a")
leaks.push(() => fs.rmSync(path.dirname(log), { recursive: true }))

/** A process that the program started before any tool ran. */
const helper = spawn("sleep", ["600"], { stdio: "ignore" })
helper.unref()
leaks.push(() => helper.kill())

/** Prints in a listener of the program, in which a tool waits. */
const prints = new EventEmitter()
const printing = setInterval(() => {
  process.stdout.write("")
  prints.emit("turn")
}, 5)
printing.unref()
leaks.push(() => clearInterval(printing))

const acting = (act: () => unknown) => () =>
  Effect.map(
    Effect.promise(async () => act()),
    () => done
  )

const honestTier = (fault: RegExp, execute: Tool.Any["execute"]): Exhibit =>
  exhibit("the tier is honest", fault, Tool.make("t", { ...facts, execute: execute as never }))

export const hiddenEffects: Readonly<Record<string, Exhibit>> = {
  "a write to a file that was open before": honestTier(
    /ReadOnly.*changed an open file \(writeSync/u,
    acting(() => fs.writeSync(logFile, "row"))
  ),
  "a time of a link set": honestTier(
    /ReadOnly.*lutimesSync/u,
    acting(() => fs.lutimesSync(log, 1, 1))
  ),
  "a mode of an open file set": honestTier(
    /ReadOnly.*fchmodSync/u,
    acting(() => fs.fchmodSync(logFile, 0o600))
  ),
  "a database of its own": honestTier(
    /ReadOnly.*changed the database .*rows\.db/u,
    inRoot((root) => {
      const database = new DatabaseSync(path.join(root, "rows.db"))
      database.exec("create table rows (row)")
      database.close()
    })
  ),
  "a name looked up": honestTier(
    /ReadOnly.*looked up key\.localhost/u,
    acting(() => dns.promises.lookup("key.localhost").catch(() => null))
  ),
  "a thread": honestTier(
    /ReadOnly.*started a thread/u,
    acting(() => new Worker("", { eval: true }).terminate())
  ),
  "a signal to another process": honestTier(
    /ReadOnly.*sent a signal/u,
    acting(() => process.kill(process.pid, "SIGCONT"))
  ),
  "a variable of the process set": honestTier(
    /ReadOnly.*changed BOUGH_ZOO of this process/u,
    acting(() => (process.env["BOUGH_ZOO"] = "set"))
  ),
  "another current directory": honestTier(
    /ReadOnly.*changed the current directory/u,
    acting(() => process.chdir(tmpdir()))
  ),
  "an exit code of the process": honestTier(
    /ReadOnly.*changed the exit code of this process/u,
    acting(() => {
      process.exitCode = 9
    })
  ),
  "a line printed to stdout": honestTier(
    /prints to stdout, which other programs read/u,
    acting(() => console.log("a row"))
  ),
  "a line printed to stdout after a turn of the event loop": honestTier(
    /prints to stdout/u,
    acting(() => new Promise<void>((resolve) => void setImmediate(() => resolve(void process.stdout.write("")))))
  ),
  "a line printed to stdout by a tool that may write": exhibit(
    "the tier is honest",
    /prints to stdout/u,
    Tool.fromAsync("t", {
      ...facts,
      tier: "System",
      replay: "Unsafe",
      execute: async () => {
        await Promise.resolve()
        process.stdout.write("")
        return done
      }
    })
  ),
  "a call that never ends": exhibit(
    "the tier is honest",
    /still runs after 20 ms, its timeoutMillis/u,
    Tool.make("t", {
      ...facts,
      timeoutMillis: 20,
      execute: () => Effect.uninterruptible(Effect.never)
    })
  ),
  "an output that changes after it has returned": exhibit(
    "the tier is honest",
    /its output changes after it has returned/u,
    Tool.make("t", {
      ...facts,
      output: Schema.Struct({ rows: Schema.Array(Schema.String) }),
      execute: () =>
        Effect.sync(() => {
          const rows = ["one"]
          setImmediate(() => rows.push("two"))
          return { ...done, output: { rows } }
        })
    })
  ),
  "a write after it has returned": honestTier(
    /ReadOnly.*changed the file system \(appendFileSync/u,
    acting(() => void setImmediate(() => fs.appendFileSync(log, "late")))
  ),
  // Several, because a timer of the test runner may end meanwhile.
  "timers that go on": honestTier(
    /has ended, and it still holds: \d+ of Timeout/u,
    acting(() => {
      const timers = Array.from({ length: 9 }, () => setInterval(() => undefined, 60_000))
      leaks.push(() => timers.forEach((timer) => clearInterval(timer)))
    })
  ),
  "a capability that is called after it has returned": exhibit(
    "the tier is honest",
    /has ended, and it goes on and calls Table\.add/u,
    Tool.make("t", {
      ...writing,
      execute: ({ row }) =>
        Effect.as(
          Effect.forkDetach(
            Effect.andThen(
              Effect.yieldNow,
              Effect.flatMap(Table, ({ add }) => add(row))
            )
          ),
          done
        )
    })
  ),
  "a write beside the work of a capability": exhibit(
    "the tier is honest",
    /ReadOnly.*changed the file system \(appendFile/u,
    Tool.make("t", {
      ...facts,
      capabilities: [TableRead],
      execute: () =>
        Effect.as(
          Effect.all(
            [Effect.flatMap(TableRead, ({ slowly }) => slowly), Effect.promise(() => fs.promises.appendFile(log, "x"))],
            { concurrency: 2 }
          ),
          done
        )
    })
  ),
  "arguments that it changes": exhibit(
    "the tier is honest",
    /changes its arguments/u,
    Tool.make("t", {
      ...facts,
      execute: (parameters) => Effect.sync(() => (Object.assign(parameters, { row: "another" }), done))
    })
  ),
  "a display that is cut within a character": exhibit(
    "results fit their schema and bound",
    /display is not well-formed Unicode/u,
    Tool.make("t", { ...facts, execute: () => Effect.succeed({ output: {}, display: "added \ud83d" }) })
  )
}

/** Tools that do much and break nothing. */
export const honest: Readonly<Record<string, Tool.Any>> = {
  "runs while the program prints": Tool.make("t", {
    ...facts,
    execute: acting(() => new Promise<void>((resolve) => void prints.once("turn", resolve)))
  }),
  "reads through a capability that writes a cache": Tool.make("t", {
    ...facts,
    capabilities: [TableRead],
    output: Schema.Struct({ rows: Schema.Natural }),
    execute: () =>
      Effect.map(
        Effect.flatMap(TableRead, ({ caching }) => caching),
        (rows) => ({ output: { rows }, display: `Counted ${rows}` })
      )
  }),
  "reads through a capability that ends its own process after its work": Tool.make("t", {
    ...facts,
    capabilities: [TableRead],
    execute: () =>
      Effect.flatMap(TableRead, ({ outside }) => outside).pipe(Effect.andThen(Effect.sleep(30)), Effect.as(done))
  }),
  ...(fs.existsSync("/proc/self/stat") && {
    // The signal stands for one that another timer of the program sends during the run.
    "runs while the program signals a helper of its own": Tool.make("t", {
      ...facts,
      execute: acting(() => process.kill(helper.pid ?? 0, "SIGCONT"))
    })
  }),
  "reads a file and a database, and asks if a process lives": Tool.make("t", {
    ...facts,
    execute: inRoot((root) => {
      fs.readFileSync(path.join(root, "a.txt"))
      fs.closeSync(fs.openSync(path.join(root, "a.txt"), "r"))
      const database = new DatabaseSync(":memory:")
      database.exec("create table rows (row)")
      database.close()
      process.kill(process.pid, 0)
    })
  }),
  "waits, races and retries": Tool.make("t", {
    ...facts,
    execute: Effect.fnUntraced(function* () {
      yield* Effect.raceFirst(Effect.sleep(1), Effect.sleep(60_000))
      yield* Effect.timeoutOption(Effect.never, 1)
      return done
    })
  }),
  "adds a row in a fiber of its own": Tool.make("t", {
    ...writing,
    replay: "Unsafe",
    execute: Effect.fnUntraced(function* ({ row }) {
      const { add } = yield* Table
      yield* Effect.all([add(row), Effect.sleep(1)], { concurrency: 2 })
      return done
    })
  }),
  "changes a copy of its arguments": Tool.make("t", {
    ...facts,
    parameters: Schema.Struct({ row: Schema.String, more: Schema.optionalKey(Schema.Array(Schema.String)) }),
    execute: ({ more = [], row }) => Effect.sync(() => ({ output: {}, display: [...more, row].toSorted().join(" ") }))
  })
}
