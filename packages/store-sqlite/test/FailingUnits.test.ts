/** Units of one transaction of which some fail: the others are written, and the failing ones leave nothing. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as SqliteClient from "../src/driver/SqliteClient.ts"
import * as LogSync from "../src/LogSync.ts"
import * as WriteQueue from "../src/WriteQueue.ts"

describe("units of one transaction", () => {
  it.effect("that fail leave nothing, and the others are written", () =>
    Effect.gen(function* () {
      const client = yield* SqliteClient.make({ filename: ":memory:", pragmas: {} })
      yield* client.sync((database) => database.exec("CREATE TABLE numbers (n INTEGER UNIQUE)"))
      let rollbacks = 0
      const queue = WriteQueue.make({
        client,
        logSync: LogSync.none,
        now: Effect.succeed(0),
        onRollback: () => void rollbacks++,
        isInPlace: () => true
      })
      const write = (numbers: ReadonlyArray<number>, result: Result.Result<null, string>) =>
        Effect.exit(
          queue.write({
            operation: "count",
            durability: "Full",
            run: (database) => {
              for (const number of numbers) database.run("INSERT INTO numbers VALUES (?)", [number])
              return result
            }
          })
        )
      const done = Result.succeed(null)
      const exits = yield* Effect.all(
        [write([1], done), write([2], Result.fail("no")), write([3, 1], done), write([4], done)],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        exits.map((exit) => (Exit.isSuccess(exit) ? "written" : Exit.hasDies(exit) ? "defect" : "failed")),
        ["written", "failed", "defect", "written"]
      )
      const rows = yield* client.sync((database) => database.all("SELECT n FROM numbers ORDER BY n", []))
      assert.deepStrictEqual(
        rows.map((row) => row["n"]),
        [1, 4]
      )
      // Data that was cached in the rolled-back transaction may be wrong.
      assert.isAbove(rollbacks, 0)
    })
  )
})
